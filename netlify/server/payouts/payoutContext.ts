import type { PushSettings } from '../platform/payoutSettings.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import type { PayoutProvider } from './providers/provider.ts'
import type { Screening } from './screening/screening.ts'

/** Context of functions that pay out. */
export interface PayoutContext extends PaymentContext {
  /** A payout uses the first provider that supports its wallet. */
  readonly providers: readonly PayoutProvider[]
  /** How long a sender may cancel a transfer before a provider gets it, in milliseconds. */
  readonly cancellationWindow: number
  /** Searches for both persons of a transfer before it is paid out; null if the settings name no list. */
  readonly screening: Screening | null
  /** Null if push notifications are not configured. */
  readonly push: PushSettings | null
}
