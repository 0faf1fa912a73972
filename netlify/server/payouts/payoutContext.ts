import type { PaymentContext } from '../platform/payouts.ts'
import type { PayoutProvider } from './providers/provider.ts'
import type { Screening } from './screening/screening.ts'
import type { PushSettings } from './settings.ts'

export interface PayoutContext extends PaymentContext {
  readonly providers: readonly PayoutProvider[]
  /** In milliseconds. */
  readonly cancellationWindow: number
  readonly namesHolders: boolean
  /** Null if the settings name no list of sanctions. */
  readonly screening: Screening | null
  readonly push: PushSettings | null
}
