import type { Paid } from '../../../domain/api.ts'
import type { DeliveryNews } from '../../../domain/delivery.ts'
import type { Refund } from '../platform/documents.ts'

/**
 * What an attempt holds for as long as it is reserved, as the database transaction that ends the attempt has read it. Each
 * kind of payment has its own; how a payment ends is the same for all of them.
 */
export interface Reservation {
  /** Why the charge can't be recorded any more; null when it can. */
  readonly obstacle: Refund['reason'] | null
  giveBack(): void
  /**
   * Writes what was paid for under the PaymentIntent's id, and the reservation into it. `settledAt`: UTC ms. `delivery`: what is known of
   * that of a transfer.
   */
  record(paymentIntentId: string, settledAt: number, delivery: DeliveryNews | null): Paid
}
