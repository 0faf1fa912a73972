import type { PaymentRecord } from '../../../domain/api/api.ts'
import type { Refund } from '../platform/documents.ts'
import type { PayoutFields } from '../platform/payouts.ts'

interface PaidCharge {
  /** UTC ms. */
  readonly settledAt: number
  readonly cards: readonly string[]
  readonly payout: PayoutFields
}

/** Amount or invoice that an attempt holds while it is reserved. */
export interface Reservation {
  /** Why the charge can no longer be recorded; null if it can. */
  readonly obstacle: Refund['reason'] | null
  giveBack(): void
  record(paymentIntentId: string, paid: PaidCharge): PaymentRecord
}
