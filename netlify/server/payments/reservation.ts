import type { Paid } from '../../../domain/api.ts'
import type { Refund } from '../platform/documents.ts'
import type { PayoutFields } from '../platform/payouts.ts'

/**
 * What an attempt holds for as long as it is reserved, as the database transaction that ends the attempt has read it. Each
 * kind of payment has its own; how a payment ends is the same for all of them.
 */
export interface Reservation {
  /** Why the charge can't be recorded any more; null when it can. */
  readonly obstacle: Refund['reason'] | null
  giveBack(): void
  /**
   * Writes what was paid for under the PaymentIntent's ID, and the reservation into it. `settledAt`: UTC ms. `payout`: what the record
   * of a transfer says about its payout.
   */
  record(paymentIntentId: string, settledAt: number, payout: PayoutFields): Paid
}
