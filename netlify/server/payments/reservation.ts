import type { PaymentRecord } from '../../../domain/api/api.ts'
import type { Refund } from '../platform/documents.ts'
import type { PayoutFields } from '../platform/payouts.ts'

interface PaidCharge {
  /** UTC milliseconds. */
  readonly settledAt: number
  /** Key of the card; empty if Stripe does not identify it. */
  readonly cards: readonly string[]
  /** The payout fields of a transfer's record. */
  readonly payout: PayoutFields
}

/**
 * Amount or invoice that an attempt holds while it is reserved, as read in the transaction that ends the
 * attempt. Each kind of payment implements this; the code that ends a payment is common.
 */
export interface Reservation {
  /** Why the charge can no longer be recorded; null if it can. */
  readonly obstacle: Refund['reason'] | null
  /** Frees the amount or invoice. */
  giveBack(): void
  /** Writes the record under the PaymentIntent's ID and uses up the reservation. */
  record(paymentIntentId: string, paid: PaidCharge): PaymentRecord
}
