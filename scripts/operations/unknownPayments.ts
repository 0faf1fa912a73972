import type { Transaction } from 'firebase-admin/firestore'
import { DAY } from '../../domain/common/duration.ts'
import { err, ok, type Result } from '../../domain/common/result.ts'
import { bookCharge, bookKept } from '../../domain/journal/movements.ts'
import { buildDebt, type RefundOutcome, refundCharge } from '../../netlify/server/payments/refunds.ts'
import { locatePaymentRecord } from '../../netlify/server/payments/reservations.ts'
import { fetchCharge } from '../../netlify/server/payments/reversals.ts'
import { parseAttempt, parseRefund } from '../../netlify/server/platform/documents.ts'
import { toStripeAmount, writeJournal } from '../../netlify/server/platform/journal.ts'
import { type AttemptIntent, isAttemptIntent } from '../../netlify/server/platform/metadata.ts'
import type { PaymentContext } from '../../netlify/server/platform/payouts.ts'
import {
  attempts,
  refunds,
  type UnknownPaymentAlarm,
  unknownPayments,
} from '../../netlify/server/platform/records.ts'
import { returnNullIfMissing } from '../../netlify/server/platform/returnNullIfMissing.ts'
import { buildListParams } from './stripeLists.ts'

/** Firestore can be restored to a point up to 7 days ago. */
const LOOK_BACK = 30 * DAY

/** Payments whose records are read in one call. */
const READ_AT_ONCE = 100

/**
 * Charges of ours that the records don't contain, and no operator has decided about. Oldest first. After a
 * restore, Stripe sends no second webhook for payments that were lost, so its payments of the last 30 days are
 * listed too. @throws Stripe's or Firestore's error.
 */
export async function listUnknownPayments(context: PaymentContext): Promise<readonly AttemptIntent[]> {
  const { stripe, db, now } = context
  const intents = new Map<string, AttemptIntent>()
  const alarms = await unknownPayments(db).where('decidedAt', '==', null).get()
  for (const { id } of alarms.docs) {
    const intent = await findIntent(context, id)
    if (intent) intents.set(id, intent)
  }
  for await (const intent of stripe.paymentIntents.list(buildListParams(now() - LOOK_BACK, now())))
    if (isAttemptIntent(context, intent)) intents.set(intent.id, intent)

  const paid = [...intents.values()].filter(({ status }) => status === 'succeeded')
  const unknown: AttemptIntent[] = []
  for (let at = 0; at < paid.length; at += READ_AT_ONCE) {
    const page = paid.slice(at, at + READ_AT_ONCE)
    const knowledge = await readKnowledge(context, page)
    unknown.push(...page.filter((_, index) => knowledge[index] === 'unknown'))
  }
  return unknown.sort((one, other) => one.created - other.created)
}

/**
 * Refunds an unknown payment once, in full, even while payments are closed.
 * @throws Stripe's or Firestore's error; calling again is safe. The due-work job continues with a stored
 * debt.
 */
export async function refundUnknownPayment(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<Result<RefundOutcome, 'notListed'>> {
  const { db, now } = context
  const intent = await findIntent(context, paymentIntentId)
  if (intent?.status !== 'succeeded') return err('notListed')
  const { uid } = intent.metadata
  const received = toStripeAmount(await fetchCharge(context, intent))
  const isOwed = await db.runTransaction(async (tx) => {
    const [knowledge] = await readKnowledge(context, [intent], tx)
    if (knowledge === 'known' || knowledge === 'refunded') return knowledge === 'refunded'
    tx.create(refunds(db).doc(paymentIntentId), buildDebt(uid, 'unknownPayment', now()))
    if (knowledge === 'kept')
      writeJournal(context, tx, paymentIntentId, 'keptReversed', bookKept(received.charged, false))
    else writeJournal(context, tx, paymentIntentId, 'received', bookCharge(received))
    setDecision(context, tx, intent)
    return true
  })
  if (!isOwed) return err('notListed')
  return ok(await refundCharge(context, paymentIntentId, { evenClosed: true }))
}

/**
 * The transfer was delivered before the records were lost. The payment can still be refunded.
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function keepUnknownPayment(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<Result<void, 'notListed'>> {
  const intent = await findIntent(context, paymentIntentId)
  if (intent?.status !== 'succeeded') return err('notListed')
  const received = toStripeAmount(await fetchCharge(context, intent))
  return context.db.runTransaction(async (tx) => {
    const [knowledge] = await readKnowledge(context, [intent], tx)
    if (knowledge === 'unknown') {
      writeJournal(context, tx, paymentIntentId, 'received', bookCharge(received))
      writeJournal(context, tx, paymentIntentId, 'kept', bookKept(received.charged, true))
      setDecision(context, tx, intent)
    }
    return knowledge === 'unknown' || knowledge === 'kept' ? ok(undefined) : err('notListed')
  })
}

function setDecision(
  { db, now }: PaymentContext,
  tx: Transaction,
  { id, created, metadata: { uid } }: AttemptIntent,
) {
  const alarm: UnknownPaymentAlarm = { uid, createdAt: created * 1000, decidedAt: now() }
  tx.set(unknownPayments(db).doc(id), alarm)
}

async function findIntent(context: PaymentContext, id: string): Promise<AttemptIntent | null> {
  const intent = await returnNullIfMissing(context.stripe.paymentIntents.retrieve(id))
  return intent && isAttemptIntent(context, intent) ? intent : null
}

type Knowledge = 'known' | 'unknown' | 'refunded' | 'kept'

/** `refunded` and `kept`: an operator decided so about an unknown payment. */
async function readKnowledge(
  { db }: Pick<PaymentContext, 'db'>,
  intents: readonly AttemptIntent[],
  reader: Pick<typeof db, 'getAll'> = db,
): Promise<readonly Knowledge[]> {
  const documents = await reader.getAll(
    ...intents.flatMap(({ id, metadata: { kind, attemptKey } }) => [
      locatePaymentRecord(db, kind, id).ref,
      refunds(db).doc(id),
      attempts(db).doc(attemptKey),
      unknownPayments(db).doc(id),
    ]),
  )
  return intents.map(({ metadata: { uid } }, index) => {
    const [record, owed, held, alarm] = documents.slice(4 * index)
    const debt = owed && parseRefund(owed)
    if (debt) return debt.reason === 'unknownPayment' ? 'refunded' : 'known'
    if (record?.exists || (held && parseAttempt(held)?.uid === uid)) return 'known'
    return typeof alarm?.get('decidedAt') === 'number' ? 'kept' : 'unknown'
  })
}
