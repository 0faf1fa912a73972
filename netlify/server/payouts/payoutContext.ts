import type { PushSettings } from '../platform/payoutSettings.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import type { PayoutProvider } from './providers/provider.ts'

/** Context of functions that pay out. */
export interface PayoutContext extends PaymentContext {
  /** A payout uses the first provider that supports its wallet. */
  readonly providers: readonly PayoutProvider[]
  /** Null if push notifications are not configured. */
  readonly push: PushSettings | null
}
