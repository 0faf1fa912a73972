import type { Transaction as DatabaseTransaction } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import type { ReceivingMethod } from '../../../domain/numbers/wallets.ts'
import type { DeliverySummary } from '../../../domain/transfers/deliverySchema.ts'
import type { Transaction } from '../../../domain/transfers/transaction.ts'
import type { Caller } from './caller.ts'
import type { Chore, DueItem } from './chores.ts'
import type { Context } from './context.ts'
import type { TransferAttempt } from './documents.ts'
import type { Task } from './tasks.ts'

/** A transfer that a database transaction records. `id`: PaymentIntent ID. */
export interface RecordedTransfer {
  readonly id: string
  readonly attemptKey: string
  readonly attempt: TransferAttempt
  /** Key of the card; empty if Stripe does not identify it. */
  readonly card: readonly string[]
  readonly recipient: string
}

/** The payout fields of a transfer's record; all null without payouts. */
export interface PayoutFields {
  readonly delivery: DeliverySummary | null
  /** Path of the recipient's page. */
  readonly recipientLink: string | null
}

export const NO_PAYOUT: PayoutFields = { delivery: null, recipientLink: null }

/** `calledOff`: the transfer was not paid out and never will be, so the charge is refunded. */
export type PayoutProgress = 'underWay' | 'delivered' | 'calledOff'

/** Finds the state of a payout; null without one. */
export type FindPayout = (context: Context, id: string) => Promise<PayoutProgress | null>

/**
 * The interface between the core, which takes and refunds payments, and payouts (`netlify/server/payouts`).
 * The core reports what happened to a transfer; payouts create a debt for what they can't deliver.
 */
export interface Payouts {
  /**
   * Whether the provider says that this number has no such wallet. False if it can't tell, and beyond the
   * limit of lookups. Never throws.
   */
  lacksWallet(context: Context, caller: Caller, wallet: ReceivingMethod, phone: string): Promise<boolean>
  /**
   * Reads the data that starting a payout needs, in the transaction that records the transfer. The result
   * starts the payout in that transaction; after the commit, `announce` alerts an operator to a held payout.
   */
  readForRecord(
    context: PaymentContext,
    tx: DatabaseTransaction,
    transfer: RecordedTransfer,
  ): Promise<() => { readonly fields: PayoutFields; readonly announce: () => void }>
  /** Pays out after the response, if a provider can. Never throws: the due-work job retries. */
  payOutSoon(context: PaymentContext, transfer: Transaction): void
  /**
   * Does the next step of a payout if it is due, and returns the state.
   *
   * @throws Stripe's or Firestore's error; calling again is safe.
   */
  payOut(context: PaymentContext, id: string): Promise<string>
  /**
   * Handles a charge that was refunded or disputed: calls off a payout that has not been sent.
   *
   * @throws Stripe's or Firestore's error; calling again is safe.
   */
  onChargeReversed(context: PaymentContext, intent: Stripe.PaymentIntent): Promise<PayoutProgress | null>
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
  /** Finds the keys of the sender, cards and recipients of an account's open payouts. */
  findOpenNames(context: PaymentContext, uid: string): Promise<readonly string[]>
  /**
   * Handles the start or end of a stop under these keys: holds payouts that have not been sent, or releases
   * them.
   *
   * @throws Firestore's error; calling again is safe.
   */
  onStopChanged(context: PaymentContext, persons: readonly string[]): Promise<void>
  /**
   * Reads the payout of a transfer whose refund a transaction updates. The result stores in that transaction
   * whether the refund is done, and returns a function that notifies the user after the commit.
   */
  readForRefund(
    context: PaymentContext,
    tx: DatabaseTransaction,
    id: string,
  ): Promise<(isRefunded: boolean) => () => void>
  /** Creates the payout chores of the due-work job. */
  dueWork(context: PaymentContext): readonly Chore<DueItem>[]
}

/** The context of functions that settle or refund payments. `payouts`: null if no provider is configured. */
export interface PaymentContext extends Context {
  readonly payouts: Payouts | null
  /** Starts a task now, or schedules it. @throws if it can't; the due-work job then does the work. */
  readonly startTask: (context: PaymentContext, task: Task) => Promise<unknown>
  /** Whether a request with this header comes from the queue. */
  readonly verifyTask: (authorization: string | null) => Promise<boolean>
}
