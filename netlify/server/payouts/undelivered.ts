import type { Transaction } from 'firebase-admin/firestore'
import { type DeliveryOrder, isInternalFailure } from '../../../domain/payouts/deliveryOrder.ts'
import { buildDebt } from '../payments/refunds.ts'
import { prepareTransferReversal } from '../payments/transferReservations.ts'
import { prepareUndeliverableCount } from '../payments/undeliverableCounts.ts'
import { parseRefund, parseTransferAttempt } from '../platform/documents.ts'
import { isAttemptIntent, parsePersonKeys } from '../platform/metadata.ts'
import { getRecipientKey } from '../platform/persons.ts'
import { attempts, refunds, transactions } from '../platform/records.ts'
import type { PayoutContext } from './payoutContext.ts'

/**
 * Reads what is needed to refund a transfer that will never be paid out, and returns a function that writes
 * it: the debt for the whole charge, the transfer's status (`canceled` if its sender canceled it), and the
 * reversal of what the transfer used of cap and plan. The keys for the cap come from the PaymentIntent,
 * because they were removed from the attempt. A failure of the recipient's wallet is counted for sender, card
 * and recipient.
 *
 * @throws if the records of the transfer are missing.
 */
export async function prepareUndeliveredRefund(
  context: PayoutContext,
  tx: Transaction,
  id: string,
  { attemptKey, phone, persons: names }: DeliveryOrder,
  { state, failure, reversal }: Pick<DeliveryOrder, 'state' | 'failure' | 'reversal'>,
): Promise<() => void> {
  const { db, stripe, now } = context
  const debt = refunds(db).doc(id)
  const held = attempts(db).doc(attemptKey)
  const [owed, stored] = await tx.getAll(debt, held)
  const attempt = stored && parseTransferAttempt(stored)
  if (!attempt) throw new Error('The attempt of an order is gone')
  if (parseRefund(owed)) return () => {}
  const intent = await stripe.paymentIntents.retrieve(id)
  const persons = isAttemptIntent(context, intent) ? parsePersonKeys(intent) : []
  const takeBack = await prepareTransferReversal(context, tx, { ...attempt, persons })
  const recipient = getRecipientKey(context, phone)
  const count =
    failure === null || failure === 'canceled' || isInternalFailure(failure) || reversal !== null
      ? null
      : await prepareUndeliverableCount(context, tx, id, { senders: names, recipient })
  return () => {
    takeBack()
    count?.()
    tx.update(transactions(db).doc(id), { status: state === 'canceled' ? 'canceled' : 'failed' })
    tx.update(held, { status: 'refunded' })
    tx.create(debt, buildDebt(attempt.uid, 'undelivered', now()))
  }
}
