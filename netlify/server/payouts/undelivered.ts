import type { Transaction } from 'firebase-admin/firestore'
import { newDebt } from '../payments/refunds.ts'
import { takeBackTransfer } from '../payments/transferReservations.ts'
import { parseRefund, parseTransferAttempt } from '../platform/documents.ts'
import { isAttemptIntent, personsIn } from '../platform/metadata.ts'
import { attempts, refunds, transactions } from '../platform/records.ts'
import type { PayoutContext } from './payoutContext.ts'

/**
 * Reads what it takes to owe back a transfer that will never be paid out, and answers what writes it: the debt, of all of the charge, the
 * transfer's status, and the cap and the plan's transfer of the month in which it was reserved. Under which names the person has used
 * the cap the payment says: the attempt has forgotten it.
 *
 * @throws when the records of the transfer are not there.
 */
export async function oweUndelivered(
  context: PayoutContext,
  tx: Transaction,
  id: string,
  attemptKey: string,
): Promise<() => void> {
  const { db, stripe, now } = context
  const debt = refunds(db).doc(id)
  const held = attempts(db).doc(attemptKey)
  const [owed, stored] = await tx.getAll(debt, held)
  const attempt = stored && parseTransferAttempt(stored)
  if (!attempt) throw new Error('The attempt of an order is gone')
  if (parseRefund(owed)) return () => {}
  const intent = await stripe.paymentIntents.retrieve(id)
  const persons = isAttemptIntent(context, intent) ? personsIn(intent) : []
  const takeBack = await takeBackTransfer(context, tx, { ...attempt, persons })
  return () => {
    takeBack()
    tx.update(transactions(db).doc(id), { status: 'failed' })
    tx.update(held, { status: 'refunded' })
    tx.create(debt, newDebt(attempt.uid, 'undelivered', now()))
  }
}
