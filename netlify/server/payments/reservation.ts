import type { PaymentRecord } from '../../../domain/api/api.ts'
import type { Refund } from '../platform/documents.ts'
import type { PayoutFields } from '../platform/payouts.ts'

interface PaidCharge {
  /** UTC ms. */
  readonly settledAt: number
  /** Empty if Stripe does not identify the card. */
  readonly cards: readonly string[]
  readonly payout: PayoutFields
}

/** Amount or invoice that an attempt holds while it is reserved. */
export interface Reservation {
  /** Why the charge can no longer be recorded; null if it can. */
  readonly obstacle: Refund['reason'] | null
  giveBack(): void
  /** Writes the record under the PaymentIntent's ID and uses up the reservation. */
  record(paymentIntentId: string, paid: PaidCharge): PaymentRecord
}
