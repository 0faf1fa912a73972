import type { LongestMinutes } from '../../../domain/promise.ts'
import { byHand } from './byHand.ts'
import { mtn } from './mtn.ts'
import type { MtnSettings, Provider, ProviderName } from './provider.ts'

/** Who pays transfers out, in the order in which they are asked whether they pay to a wallet. */
export interface DeliverySettings {
  readonly providers: readonly ProviderName[]
  /** Null while MTN is none of them. */
  readonly mtn: MtnSettings | null
  readonly longest: LongestMinutes
  /** Whether people may ask whose wallet a number is. */
  readonly namesHolders: boolean
}

/** The providers that the settings name, in their order. */
export const providersOf = (
  settings: DeliverySettings,
  reach: { readonly fetch: typeof fetch; readonly now: () => number },
): Provider[] =>
  settings.providers.flatMap((name) => {
    if (name === 'byHand') return byHand
    return settings.mtn ? mtn(settings.mtn, reach) : []
  })
