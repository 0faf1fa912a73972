import * as v from 'valibot'
import { integer, type Output } from '../common/schema.ts'
import { buildEntry, type Entry, type EntryKind, type JournalAccount, move } from './entry.ts'
import { bookConversion, bookStripeFee, PAYERS, STRIPE } from './movements.ts'

const DISPUTES = 'assets:disputes'
const REVERSALS = 'expenses:reversals'

/** The amounts that cards and banks have taken back of a charge. */
export const takenBackSchema = v.object({
  /** Refunds that have left our balance, in minor units of the charge. */
  refunded: integer,
  /** Taken by banks that have not decided, in minor units of the charge. */
  open: integer,
  /** Taken by banks that have decided for the payer, in minor units of the charge. */
  lost: integer,
  /** Sum of these movements in our balance, in minor units of its currency. Negative if money has left. */
  balance: integer,
  /** Fees of disputes, in minor units of our balance. */
  fees: integer,
})
export type TakenBack = Output<typeof takenBackSchema>

export const NOTHING_TAKEN: TakenBack = { refunded: 0, open: 0, lost: 0, balance: 0, fees: 0 }

export interface TakenBackChange {
  readonly before: TakenBack
  readonly after: TakenBack
  /** Whether the charge is owed back, before and after. */
  readonly wasOwed: boolean
  readonly isOwed: boolean
  readonly currency: string
  readonly balanceCurrency: string
}

/** Books the difference between two states of a charge at Stripe, however many steps were missed. */
export function bookTakenBack(change: TakenBackChange): readonly Entry[] {
  const { before, after, wasOwed, isOwed, currency, balanceCurrency } = change
  const amount = (minor: number) => ({ minor, currency })
  const book = (kind: EntryKind, debit: JournalAccount, credit: JournalAccount, minor: number) =>
    buildEntry(kind, move(debit, credit, amount(minor)))
  // A payer's claim pays for money taken back, if there is one.
  const payer = isOwed ? PAYERS : REVERSALS
  const newlyOwed = isOwed && !wasOwed ? before.refunded + before.lost : 0
  const refunded = after.refunded - before.refunded
  const taken = after.open + after.lost - before.open - before.lost
  const opened = Math.max(0, taken)
  const returned = Math.max(0, -taken)
  const won = Math.min(returned, before.open)
  const returnedAfterLoss = returned - won
  const lost = after.lost - (before.lost - returnedAfterLoss)
  const moved = -(refunded + taken)
  return [
    // The money that was taken back while the payment stood settles the new claim.
    ...book('reversalOwed', PAYERS, REVERSALS, newlyOwed),
    ...(refunded > 0
      ? book('refund', payer, STRIPE, refunded)
      : book('refundFailed', STRIPE, payer, -refunded)),
    ...book('disputeOpened', DISPUTES, STRIPE, opened),
    ...book('disputeWon', STRIPE, DISPUTES, won),
    ...book('disputeReturned', STRIPE, payer, returnedAfterLoss),
    // A bank may decide otherwise before it returns the money.
    ...(lost > 0
      ? book('disputeLost', payer, DISPUTES, lost)
      : book('disputeReopened', DISPUTES, payer, -lost)),
    ...bookConversion(amount(moved), {
      minor: after.balance - before.balance,
      currency: balanceCurrency,
    }),
    ...bookStripeFee({ minor: 0, currency: balanceCurrency }, after.fees - before.fees),
  ]
}
