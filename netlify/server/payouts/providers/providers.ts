import { fetchUntilDeadline } from '../../platform/deadline.ts'
import type { PayoutSettings } from '../settings.ts'
import { byHandProvider } from './byHand.ts'
import { createMtnProvider } from './mtn.ts'
import type { PayoutProvider } from './provider.ts'

export const createPayoutProviders = (
  settings: PayoutSettings,
  reach: { readonly fetch: typeof fetch; readonly now: () => number },
): PayoutProvider[] =>
  settings.providers.flatMap((name) => {
    if (name === 'byHand') return byHandProvider
    return settings.mtn
      ? createMtnProvider(settings.mtn, { ...reach, fetch: fetchUntilDeadline(reach.fetch) })
      : []
  })
