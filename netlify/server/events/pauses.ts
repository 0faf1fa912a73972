import type { DocumentReference } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import { fetchPersonKeys } from '../accounts/persons.ts'
import { findCustomerOwner } from '../payments/customers.ts'
import { releaseAttempt } from '../payments/release.ts'
import { parseRestriction, type Restriction, restrictions } from '../payments/restrictions.ts'
import { fetchCharge } from '../payments/reversals.ts'
import { findCardKeys, listSharedKeys } from '../payments/sharedKeys.ts'
import { endCheckout, expireOpenPages } from '../plans/checkouts.ts'
import { parseAttempt, parseReadableAttempts } from '../platform/documents.ts'
import { isAttemptIntent, parsePersonKeys } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { findByIds, findContainingAny } from '../platform/queryValues.ts'
import { attempts } from '../platform/records.ts'
import { getStripeId } from '../platform/returnNullIfMissing.ts'

export const OPERATOR_PAUSE_CAUSE = 'operator'

export interface PauseKeys {
  readonly known?: readonly string[]
  /** Keys of card and recipient of the payment that caused the pause (`listSharedKeys`). */
  readonly marks?: readonly string[]
}

/**
 * Pauses a person's payments, ends their open ones, and holds payouts, including those that others sent with
 * the same card or to the same recipient. A lifted cause from Stripe does not pause again, because its event
 * may arrive twice; an operator may pause again. @throws a hosted service's error; calling again is safe.
 */
export async function pausePayments(
  context: PaymentContext,
  uid: string,
  cause: string,
  { known, marks }: PauseKeys = {},
): Promise<void> {
  const { db, now } = context
  const persons = await listRestrictionRefs(context, uid, known)
  const shared = (marks ?? (await context.payouts?.findOpenNames(context, uid)) ?? [])
    .filter((name) => !persons.some(({ id }) => id === name))
    .map((name) => restrictions(db).doc(name))
  const refs = [...persons, ...shared]
  const hasPaused = await db.runTransaction(async (tx) => {
    const stored = (await tx.getAll(...refs)).map(parseRestriction)
    const isOver = stored.some((one) => one?.lifted.includes(cause)) && cause !== OPERATOR_PAUSE_CAUSE
    if (isOver) return false
    for (const [i, ref] of refs.entries()) {
      const isShared = i >= persons.length
      const { uid: from = isShared ? '' : uid, open = [], lifted = [], since = null } = stored[i] ?? {}
      const why = isShared ? nameSharedCause(cause, uid) : cause
      const pause: Restriction = {
        uid: from,
        open: [...new Set([...open, why])],
        lifted: lifted.filter((one) => one !== why),
        since: since ?? now(),
      }
      tx.set(ref, pause)
    }
    return true
  })
  if (!hasPaused) return
  context.log({ level: 'error', event: 'userPaused', cause })
  await context.payouts?.onStopChanged(
    context,
    refs.map(({ id }) => id),
  )
  await endOpenPayments(
    context,
    uid,
    persons.map(({ id }) => id),
  )
}

/** Two paused persons may share a card or a recipient, so an operator's pause has a cause for each. */
const nameSharedCause = (cause: string, uid: string) =>
  cause === OPERATOR_PAUSE_CAUSE ? `${OPERATOR_PAUSE_CAUSE}:${uid}` : cause

/** Lifts one cause of a pause, or all. Payments resume when no cause is left. Repeating is safe. */
export async function liftPause(
  context: PaymentContext,
  uid: string,
  cause?: string,
  { known }: PauseKeys = {},
): Promise<void> {
  const { db } = context
  const refs = await listRestrictionRefs(context, uid, known)
  const names = await db.runTransaction(async (tx) => {
    const persons = await tx.getAll(...refs)
    // Include lifted causes, because their orders may still be held.
    const causes = persons
      .flatMap((one) => {
        const { open = [], lifted = [] } = parseRestriction(one) ?? {}
        return [...open, ...lifted]
      })
      .filter((one) => cause === undefined || one === cause)
    const names = [...new Set(causes.map((one) => nameSharedCause(one, uid)))]
    const shared = await Promise.all(
      ['open', 'lifted'].map((field) =>
        findContainingAny(restrictions(db), field, names, (query) => tx.get(query)),
      ),
    )
    const found = new Map([...persons, ...shared.flat()].map((document) => [document.id, document]))
    for (const document of found.values()) {
      const stored = parseRestriction(document)
      if (!stored) continue
      const over = [...causes, ...names]
      const lifted = stored.open.filter((one) => over.includes(one))
      if (lifted.length === 0) continue
      const open = stored.open.filter((one) => !lifted.includes(one))
      const since = open.length > 0 ? stored.since : null
      tx.set(document.ref, { ...stored, open, lifted: [...stored.lifted, ...lifted], since })
    }
    return [...found.keys()]
  })
  await context.payouts?.onStopChanged(context, names)
}

/**
 * Asks Stripe about the cards of the latest payments after the pause, so that its outage delays no pause.
 * @throws a hosted service's error; calling again is safe.
 */
export async function pauseForOperator(context: PaymentContext, uid: string): Promise<void> {
  await pausePayments(context, uid, OPERATOR_PAUSE_CAUSE)
  const marks = await findCardKeys(context, uid)
  if (marks.length > 0) await pausePayments(context, uid, OPERATOR_PAUSE_CAUSE, { marks })
}

export async function listPauses(context: PaymentContext, uid: string): Promise<readonly Restriction[]> {
  const stored = await context.db.getAll(...(await listRestrictionRefs(context, uid)))
  return stored.flatMap((one) => parseRestriction(one) ?? [])
}

/** Finds the users whose pauses hold payouts under these keys of cards and recipients. */
export async function findPausesOfOthers(
  { db }: Pick<PaymentContext, 'db'>,
  keys: readonly string[],
): Promise<readonly { readonly cause: string; readonly uid: string }[]> {
  const shared = await findByIds(restrictions(db), keys)
  const causes = new Set([...shared.values()].flatMap((one) => parseRestriction(one)?.open ?? []))
  const found = await Promise.all(
    [...causes].map(async (name) => {
      const [cause = '', owner] = name.split(':')
      if (owner !== undefined) return { cause, uid: owner }
      const { docs } = await restrictions(db).where('open', 'array-contains', cause).get()
      const uids = docs.map((one) => parseRestriction(one)?.uid ?? '')
      return { cause, uid: uids.find((uid) => uid !== '') ?? '' }
    }),
  )
  return found.filter(({ uid }) => uid !== '')
}

/** A dispute that is won or an inquiry that is closed lifts the pause. */
export async function handleDispute(context: PaymentContext, id: string): Promise<void> {
  const { status, payment_intent: payment } = await context.stripe.disputes.retrieve(id)
  const isOver = status === 'won' || status === 'warning_closed' || status === 'prevented'
  await pauseOrLift(context, payment, id, isOver ? 'lift' : 'pause')
}

/** Stripe sends no event when an early fraud warning ends, so an operator must lift pause and hold. */
export async function handleFraudWarning(
  context: PaymentContext,
  { id, payment_intent: of }: Stripe.Radar.EarlyFraudWarning,
): Promise<void> {
  if (of) await context.payouts?.onChargeDoubted(context, getStripeId(of), { cause: id })
  await pauseOrLift(context, of ?? null, id, 'pause')
}

/** A review that ends with a refund for fraud or a dispute keeps pause and hold; an approval lifts both. */
export async function handleReview(context: PaymentContext, id: string): Promise<void> {
  const { open, closed_reason: why, payment_intent: of } = await context.stripe.reviews.retrieve(id)
  const isStopped = open || why === 'refunded_as_fraud' || why === 'disputed'
  if (of && (isStopped || why === 'approved'))
    await context.payouts?.onChargeDoubted(context, getStripeId(of), { cause: id, isOver: !isStopped })
  if (why === 'approved') await pauseOrLift(context, of ?? null, id, 'lift')
  if (isStopped) await pauseOrLift(context, of ?? null, id, 'pause')
}

async function pauseOrLift(
  context: PaymentContext,
  payment: string | Stripe.PaymentIntent | null,
  cause: string,
  what: 'pause' | 'lift',
): Promise<void> {
  const payer = payment === null ? null : await findPayer(context, payment)
  if (payer === null) return
  if (what === 'lift') await liftPause(context, payer.uid, cause, payer)
  else await pausePayments(context, payer.uid, cause, payer)
}

async function findPayer(
  context: PaymentContext,
  of: string | Stripe.PaymentIntent,
): Promise<({ readonly uid: string } & PauseKeys) | null> {
  const { stripe, db } = context
  const intent = await stripe.paymentIntents.retrieve(typeof of === 'string' ? of : of.id)
  if (isAttemptIntent(context, intent)) {
    const attempt = parseAttempt(await attempts(db).doc(intent.metadata.attemptKey).get())
    const marks = attempt ? listSharedKeys(context, attempt, await fetchCharge(context, intent)) : []
    return { uid: intent.metadata.uid, known: parsePersonKeys(intent), marks }
  }
  const uid = await findCustomerOwner(context, intent.customer)
  return uid === null ? null : { uid, marks: [] }
}

/** Ends a person's open payments, also under other accounts, and the open Stripe pages of these accounts. */
export async function endOpenPayments(
  context: PaymentContext,
  uid: string,
  names: readonly string[],
): Promise<void> {
  const reserved = attempts(context.db).where('status', '==', 'reserved')
  const [own, others] = await Promise.all([
    reserved.where('uid', '==', uid).get(),
    findContainingAny(reserved, 'persons', names),
  ])
  const open = new Map(
    parseReadableAttempts(context, [...own.docs, ...others]).map(({ key, attempt }) => [key, attempt]),
  )
  for (const owner of new Set([uid, ...[...open.values()].map((attempt) => attempt.uid)])) {
    await endCheckout(context, owner)
    await expireOpenPages(context, owner)
  }
  for (const [key, attempt] of open) await releaseAttempt(context, { key, attempt })
}

/** Includes the keys that the account had at the start of a pause. */
async function listRestrictionRefs(
  context: PaymentContext,
  uid: string,
  known?: readonly string[],
): Promise<DocumentReference[]> {
  const { db } = context
  const keys = await fetchPersonKeys(context, uid, known)
  const former = await restrictions(db).where('uid', '==', uid).get()
  const ids = new Set([...keys, ...former.docs.map(({ id }) => id)])
  return [...ids].map((id) => restrictions(db).doc(id))
}
