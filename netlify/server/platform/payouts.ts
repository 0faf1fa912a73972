import type { Transaction as DatabaseTransaction } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import type { ReceivingMethod } from '../../../domain/numbers/wallets.ts'
import type { SentAmount } from '../../../domain/prices/limits.ts'
import type { DeliverySummary } from '../../../domain/transfers/deliverySchema.ts'
import type { Transaction } from '../../../domain/transfers/transaction.ts'
import type { Caller } from './caller.ts'
import type { Chore, DueItem } from './chores.ts'
import type { Context } from './context.ts'
import type { TransferAttempt } from './documents.ts'
import type { Task } from './tasks.ts'

/** Counts of persons, cards and recipients, by key. The caller stores them. */
export interface CountedUses {
  /** All reads come first, because a Firestore transaction must read before it writes. */
  read(keys: readonly string[]): Promise<void>
  /** The highest use of the transfer's month under any of the keys, in EUR cents. */
  getUsedCents(keys: readonly string[]): number
  spend(keys: readonly string[], cents: number): void
  /** Returns whether the amounts of a day under the key are too much. */
  addSent(key: string, next: SentAmount): boolean
}

/** `id`: PaymentIntent ID. */
export interface RecordedTransfer {
  readonly id: string
  readonly attemptKey: string
  readonly attempt: TransferAttempt
  readonly card: readonly string[]
  readonly recipient: string
  readonly uses: CountedUses
}

export interface PayoutFields {
  readonly delivery: DeliverySummary | null
  readonly recipientLink: string | null
}

export const NO_PAYOUT: PayoutFields = { delivery: null, recipientLink: null }

/** `calledOff`: the transfer never will be paid out, so the charge is refunded. */
export type PayoutProgress = 'underWay' | 'delivered' | 'calledOff'

/** Payouts (`netlify/server/payouts`) create a debt for what they can't deliver. */
export interface Payouts {
  /** False if the provider can't tell, and beyond the limit of lookups. Never throws. */
  lacksWallet(context: Context, caller: Caller, wallet: ReceivingMethod, phone: string): Promise<boolean>
  /** The result starts the payout in the same transaction; `announce` alerts an operator after the commit. */
  readForRecord(
    context: PaymentContext,
    tx: DatabaseTransaction,
    transfer: RecordedTransfer,
  ): Promise<() => { readonly fields: PayoutFields; readonly announce: () => void }>
  /** Never throws: the due-work job retries. */
  payOutSoon(context: PaymentContext, transfer: Transaction): void
  /** Does the next step if it is due. @throws Stripe's or Firestore's error; calling again is safe. */
  payOut(context: PaymentContext, id: string): Promise<string>
  /** Calls off a payout that has not been sent. @throws a service's error; calling again is safe. */
  onChargeReversed(context: PaymentContext, intent: Stripe.PaymentIntent): Promise<PayoutProgress | null>
  /** Holds the payout, or lifts that hold. @throws a service's error; calling again is safe. */
  onChargeDoubted(
    context: PaymentContext,
    id: string,
    doubt: { readonly cause: string; readonly isOver?: boolean },
  ): Promise<void>
  /** Includes the keys of cards and recipients. */
  findOpenNames(context: PaymentContext, uid: string): Promise<readonly string[]>
  /** Holds or releases payouts that have not been sent. @throws a service's error; calling again is safe. */
  onStopChanged(context: PaymentContext, persons: readonly string[]): Promise<void>
  /** The result stores the refund's progress; the function that it returns notifies the user after it. */
  readForRefund(
    context: PaymentContext,
    tx: DatabaseTransaction,
    id: string,
  ): Promise<(isRefunded: boolean) => () => void>
  dueWork(context: PaymentContext): readonly Chore<DueItem>[]
}

/** `payouts`: null if no provider is configured. */
export interface PaymentContext extends Context {
  readonly payouts: Payouts | null
  /** @throws if it can't start or schedule the task; the due-work job then does the work. */
  readonly startTask: (context: PaymentContext, task: Task) => Promise<unknown>
  readonly verifyTask: (authorization: string | null) => Promise<boolean>
}
