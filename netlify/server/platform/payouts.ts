import type { Transaction } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import type { DeliveryNews } from '../../../domain/schemas/delivery.ts'
import type { Chore } from './chores.ts'
import type { Context } from './context.ts'
import type { TransferAttempt } from './documents.ts'

/** A transfer that a database transaction records. `id`: of its PaymentIntent. */
export interface RecordedTransfer {
  readonly id: string
  readonly attemptKey: string
  readonly attempt: TransferAttempt
}

/** What the record of a transfer says about its payout; all null without payouts. */
export interface PayoutFields {
  readonly delivery: DeliveryNews | null
  /** Path of the recipient's page. */
  readonly recipientLink: string | null
}

export const NO_PAYOUT: PayoutFields = { delivery: null, recipientLink: null }

/** `calledOff`: it was not paid out and never will be, so the charge is refunded. */
export type PayoutStanding = 'underWay' | 'delivered' | 'calledOff'

/**
 * The seam between the core, which takes payments and refunds them, and payouts (`netlify/server/payouts`). The core knows nothing else
 * about payouts: it tells them what happened to a transfer, and they owe back what they can't deliver.
 */
export interface Payouts {
  /** Begins the payout in the transaction that records the transfer. */
  onTransferRecorded(context: PaymentContext, tx: Transaction, transfer: RecordedTransfer): PayoutFields
  /** Pays out as soon as the record is stored, if a provider can. Never throws: the sweep does what fails or takes too long. */
  payOutSoon(context: PaymentContext, id: string): Promise<void>
  /**
   * A charge was refunded or disputed by others: a payout that has not been sent never is.
   *
   * @throws Stripe's or Firestore's error; calling again is safe.
   */
  onChargeReversed(context: PaymentContext, intent: Stripe.PaymentIntent): Promise<PayoutStanding | null>
  /**
   * Holds the payout because of a fraud warning or a review, or lifts that hold.
   *
   * @throws Stripe's or Firestore's error; calling again is safe.
   */
  onChargeDoubted(
    context: PaymentContext,
    id: string,
    doubt: { readonly cause: string; readonly isOver?: boolean },
  ): Promise<void>
  /**
   * Reads the payout whose refund a transaction is about to store. The result stores in that transaction whether the refund is done; its
   * result announces that once the transaction is committed.
   */
  readForRefund(
    context: PaymentContext,
    tx: Transaction,
    id: string,
  ): Promise<(isRefunded: boolean) => () => void>
  /** The chores of the sweep. */
  dueWork(context: PaymentContext): readonly Chore[]
}

/** The context of code that settles or refunds payments. `payouts`: null when no provider is configured. */
export interface PaymentContext extends Context {
  readonly payouts: Payouts | null
}
