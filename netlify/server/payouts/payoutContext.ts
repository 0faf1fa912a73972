import type { PushSettings } from '../platform/payoutSettings.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import type { PayoutProvider } from './providers/provider.ts'

/** Context of functions that pay out. */
export interface PayoutContext extends PaymentContext {
  /** A payout uses the first provider that supports its wallet. */
  readonly providers: readonly PayoutProvider[]
  /** How long a sender may cancel a transfer before a provider gets it, in milliseconds. */
  readonly cancellationWindow: number
  /** Null if push notifications are not configured. */
  readonly push: PushSettings | null
}
