import type { PushSettings } from '../platform/payoutSettings.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import type { Provider } from './providers/provider.ts'

/** The context of code that pays out. */
export interface PayoutContext extends PaymentContext {
  /** The first one that pays to a wallet pays to it. */
  readonly providers: readonly Provider[]
  /** Null when no one is notified with the app closed. */
  readonly push: PushSettings | null
}
