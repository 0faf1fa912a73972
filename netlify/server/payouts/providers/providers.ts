import type { DeliverySettings } from '../../platform/payoutSettings.ts'
import { byHand } from './byHand.ts'
import { mtn } from './mtn.ts'
import type { Provider } from './provider.ts'

/** The providers that the settings name, in their order. */
export const createProviders = (
  settings: DeliverySettings,
  reach: { readonly fetch: typeof fetch; readonly now: () => number },
): Provider[] =>
  settings.providers.flatMap((name) => {
    if (name === 'byHand') return byHand
    return settings.mtn ? mtn(settings.mtn, reach) : []
  })
