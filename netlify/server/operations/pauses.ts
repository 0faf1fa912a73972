import type { DocumentReference } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import { parseRestriction, type Restriction, restrictions } from '../payments/mayPay.ts'
import { release } from '../payments/release.ts'
import { endCheckout } from '../plans/checkouts.ts'
import { readableAttempts } from '../platform/documents.ts'
import { isAttemptIntent, personsIn } from '../platform/metadata.ts'
import { idOf } from '../platform/nullIfMissing.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { personKeysOf } from '../platform/persons.ts'
import { attempts, customers } from '../platform/records.ts'

/** The cause of a pause that a person made. */
export const BY_OPERATOR = 'operator'

/**
 * Pauses paying for a person, under each of their names, and ends what they have begun. History, receipts, support and identity
 * stay as they are. A cause at the provider pauses nothing again once it was lifted, because its event may come twice. An
 * operator may pause the same person again. `known`: names under which the person paid.
 *
 * @throws a hosted service's error; calling again is safe.
 */
export async function pausePaying(
  context: PaymentContext,
  uid: string,
  cause: string,
  known?: readonly string[],
): Promise<void> {
  const { db, now } = context
  const refs = await documentsOf(context, uid, known)
  const hasPaused = await db.runTransaction(async (tx) => {
    const stored = (await tx.getAll(...refs)).map(parseRestriction)
    const isOver = stored.some((one) => one?.lifted.includes(cause)) && cause !== BY_OPERATOR
    if (isOver) return false
    for (const [i, ref] of refs.entries()) {
      const { uid: from = uid, open = [], lifted = [], since = null } = stored[i] ?? {}
      const pause: Restriction = {
        uid: from,
        open: [...new Set([...open, cause])],
        lifted: lifted.filter((one) => one !== cause),
        since: since ?? now(),
      }
      tx.set(ref, pause)
    }
    return true
  })
  if (!hasPaused) return
  context.log({ level: 'error', event: 'payingPaused', cause })
  await endOpen(
    context,
    uid,
    refs.map(({ id }) => id),
  )
}

/** Lifts one cause of a pause, or all of them. Paying goes on when none is left. Repeating is safe. */
export async function liftPause(
  context: PaymentContext,
  uid: string,
  cause?: string,
  known?: readonly string[],
): Promise<void> {
  const { db } = context
  const refs = await documentsOf(context, uid, known)
  await db.runTransaction(async (tx) => {
    for (const document of await tx.getAll(...refs)) {
      const stored = parseRestriction(document)
      if (!stored) continue
      const lifted = stored.open.filter((one) => cause === undefined || one === cause)
      const open = stored.open.filter((one) => !lifted.includes(one))
      const since = open.length > 0 ? stored.since : null
      tx.set(document.ref, { ...stored, open, lifted: [...stored.lifted, ...lifted], since })
    }
  })
}

/** What pauses a person's payments, under any of their names. */
export async function pausesOf(context: PaymentContext, uid: string): Promise<readonly Restriction[]> {
  const stored = await context.db.getAll(...(await documentsOf(context, uid)))
  return stored.flatMap((one) => parseRestriction(one) ?? [])
}

/** A dispute that is won, or an inquiry that is closed, pauses nothing any more. */
export async function followDispute(context: PaymentContext, id: string): Promise<void> {
  const { status, payment_intent: payment } = await context.stripe.disputes.retrieve(id)
  const isOver = status === 'won' || status === 'warning_closed' || status === 'prevented'
  await follow(context, payment, id, isOver ? 'lift' : 'pause')
}

/** Of a warning nobody says that it is over: an operator looks at it. What was not paid out yet waits for that. */
export async function followWarning(
  context: PaymentContext,
  { id, payment_intent: of }: Stripe.Radar.EarlyFraudWarning,
): Promise<void> {
  if (of) await context.payouts?.onChargeDoubted(context, idOf(of), { cause: id })
  await follow(context, of ?? null, id, 'pause')
}

export async function followReview(context: PaymentContext, id: string): Promise<void> {
  const { open, closed_reason: why, payment_intent: of } = await context.stripe.reviews.retrieve(id)
  const isStopped = open || why === 'refunded_as_fraud' || why === 'disputed'
  if (of && (isStopped || why === 'approved'))
    await context.payouts?.onChargeDoubted(context, idOf(of), { cause: id, isOver: !isStopped })
  if (why === 'approved') await follow(context, of ?? null, id, 'lift')
  if (isStopped) await follow(context, of ?? null, id, 'pause')
}

async function follow(
  context: PaymentContext,
  payment: string | Stripe.PaymentIntent | null,
  cause: string,
  what: 'pause' | 'lift',
): Promise<void> {
  const payer = payment === null ? null : await payerOf(context, payment)
  if (payer === null) return
  if (what === 'lift') await liftPause(context, payer.uid, cause, payer.known)
  else await pausePaying(context, payer.uid, cause, payer.known)
}

/** Who paid: a transfer or an invoice, or a plan. Null for what this deployment has not made. */
async function payerOf(
  context: PaymentContext,
  of: string | Stripe.PaymentIntent,
): Promise<{ readonly uid: string; readonly known?: readonly string[] } | null> {
  const { stripe, db } = context
  const intent = await stripe.paymentIntents.retrieve(typeof of === 'string' ? of : of.id)
  if (isAttemptIntent(context, intent)) return { uid: intent.metadata.uid, known: personsIn(intent) }
  const { customer } = intent
  if (customer === null) return null
  const customerId = typeof customer === 'string' ? customer : customer.id
  const [payer] = (await customers(db).where('customerId', '==', customerId).limit(1).get()).docs
  return payer ? { uid: payer.id } : null
}

/**
 * Payments that are begun could still be paid, under another account of the person too; and a checkout that is open under one of
 * these accounts. Nobody can look for a checkout by the person's number.
 */
async function endOpen(context: PaymentContext, uid: string, names: readonly string[]): Promise<void> {
  const reserved = attempts(context.db).where('status', '==', 'reserved')
  const found = await Promise.all([
    reserved.where('uid', '==', uid).get(),
    reserved.where('persons', 'array-contains-any', names).get(),
  ])
  const open = new Map(
    readableAttempts(
      context,
      found.flatMap(({ docs }) => docs),
    ).map(({ key, attempt }) => [key, attempt]),
  )
  for (const owner of new Set([uid, ...[...open.values()].map((attempt) => attempt.uid)]))
    await endCheckout(context, owner)
  for (const [key, attempt] of open) await release(context, { key, attempt })
}

/** Under the names of now, under those that the account had when a pause began, and under `known` ones. */
async function documentsOf(
  context: PaymentContext,
  uid: string,
  known?: readonly string[],
): Promise<DocumentReference[]> {
  const { db } = context
  const keys = await personKeysOf(context, uid, known)
  const former = await restrictions(db).where('uid', '==', uid).get()
  const ids = new Set([...keys, ...former.docs.map(({ id }) => id)])
  return [...ids].map((id) => restrictions(db).doc(id))
}
