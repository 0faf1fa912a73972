import type { PaymentRecord } from '../../../domain/api/api.ts'
import type { Attempt, KeyedAttempt, Refund } from '../platform/documents.ts'
import type { PayoutFields } from '../platform/payouts.ts'
import type { CapUses } from './capUses.ts'

interface PaidCharge {
  /** UTC ms. */
  readonly settledAt: number
  readonly cards: readonly string[]
  readonly payout: PayoutFields
}

/** `customerId`: of the payer, null if unknown. */
export type ReservedAttempt<A extends Attempt = Attempt> = KeyedAttempt<A> & {
  readonly customerId: string | null
}

/** Amount or invoice that an attempt holds while it is reserved. */
export interface Reservation {
  /** Why the charge can no longer be recorded; null if it can. */
  readonly obstacle: Refund['reason'] | null
  /** Null for an invoice. `giveBack` and `record` store them. */
  readonly uses: CapUses | null
  giveBack(): void
  record(paymentIntentId: string, paid: PaidCharge): PaymentRecord
}
