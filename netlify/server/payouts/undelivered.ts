import type { Transaction } from 'firebase-admin/firestore'
import { type DeliveryOrder, isInternalFailure } from '../../../domain/payouts/deliveryOrder.ts'
import { getRecipientKey } from '../accounts/persons.ts'
import { type IncidentKind, prepareIncidentCount } from '../payments/incidents.ts'
import { buildDebt } from '../payments/refunds.ts'
import { prepareTransferReversal } from '../payments/transferReservations.ts'
import { parseRefund, parseTransferAttempt } from '../platform/documents.ts'
import { attempts, refunds, transactions } from '../platform/records.ts'
import type { PayoutContext } from './payoutContext.ts'

/**
 * Returns a function that writes the debt, the transfer's status and the reversal of what the transfer used
 * of cap and plan. A cancellation by the sender and a failure of the recipient's wallet are counted for
 * sender, card and recipient. @throws if the records of the transfer are missing.
 */
export async function prepareUndeliveredRefund(
  context: PayoutContext,
  tx: Transaction,
  id: string,
  { attemptKey, phone, persons }: DeliveryOrder,
  next: Pick<DeliveryOrder, 'state' | 'failure' | 'reversal'>,
): Promise<() => void> {
  const { db, now } = context
  const debt = refunds(db).doc(id)
  const held = attempts(db).doc(attemptKey)
  const [owed, stored] = await tx.getAll(debt, held)
  const attempt = stored && parseTransferAttempt(stored)
  if (!attempt) throw new Error('The attempt of an order is gone')
  if (parseRefund(owed)) return () => {}
  // The keys were removed from the attempt when it was recorded.
  const takeBack = await prepareTransferReversal(context, tx, { ...attempt, persons })
  const recipient = getRecipientKey(context, phone)
  const incident = persons.map((name) => ({ name, at: { [id]: now() }, isRecipient: name === recipient }))
  const kind = chooseIncident(next)
  const count = kind && (await prepareIncidentCount(context, tx, kind, incident))
  return () => {
    takeBack()
    count?.store()
    tx.update(transactions(db).doc(id), { status: next.state === 'canceled' ? 'canceled' : 'failed' })
    tx.update(held, { status: 'refunded' })
    tx.create(debt, buildDebt(attempt.uid, 'undelivered', now()))
  }
}

/** Null if neither sender nor recipient caused it. */
function chooseIncident({
  state,
  failure,
  reversal,
}: Pick<DeliveryOrder, 'state' | 'failure' | 'reversal'>): IncidentKind | null {
  if (state === 'canceled') return 'cancellation'
  if (failure === null || failure === 'canceled' || isInternalFailure(failure)) return null
  return reversal === null ? 'undeliverable' : null
}
