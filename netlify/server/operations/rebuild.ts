import type { Transaction } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import type { DeliveryState } from '../../../domain/delivery.ts'
import { hindranceOf, tellDelivery } from '../payments/deliver.ts'
import { newDebt } from '../payments/refunds.ts'
import { retake } from '../payments/reservations.ts'
import { settle } from '../payments/settlement.ts'
import { syncPlan } from '../plans/plans.ts'
import {
  closeToRebuild,
  open,
  ownIntents,
  ownSubscriptions,
  pages,
  paymentsState,
  unknownPayments,
} from '../platform/closing.ts'
import type { Context } from '../platform/context.ts'
import {
  type Attempt,
  type Customer,
  parseAttempt,
  parseCustomer,
  readableAttempts,
} from '../platform/documents.ts'
import { fromMetadata, isAttemptIntent, planOwner } from '../platform/metadata.ts'
import { idOf, nullIfMissing } from '../platform/nullIfMissing.ts'
import { attempts, customers, deliveries, ended, refunds, users } from '../platform/records.ts'

/** What a rebuilding did, for the operator who asked for it. */
export interface Rebuilt {
  /** How many payments ended how: those that were written again, and those that were known and open. */
  readonly payments: Readonly<Record<string, number>>
  readonly customers: number
  readonly plans: number
  readonly checkoutsEnded: number
  /** Whose profile is lost although they have paid or have a plan: user ids. */
  readonly lostProfiles: readonly string[]
  /** PaymentIntents whose metadata do not say what was promised: somebody changed them by hand. */
  readonly unreadable: readonly string[]
  readonly isOpen: boolean
}

/**
 * A database that was restored from a backup has forgotten what came after it. This writes it again from what the provider has:
 * attempts with what they hold, customers, plans. Then each payment is settled in the ordinary way, so that what was paid is
 * recorded and what was canceled is freed. Payments are closed meanwhile, and open at the end. When the process ends before that
 * they stay closed until it is repeated, which is safe.
 *
 * @throws Stripe's or Firestore's error; calling again goes on.
 */
export async function rebuild(context: Context): Promise<Rebuilt> {
  const { now } = context
  await closeToRebuild(context)
  const startedAt = now()
  const { comparedUntil: since } = await paymentsState(context)
  const counts: Record<string, number> = {}
  const lost = new Set<string>()

  // What is known and open comes first: it may hold an invoice or an amount that was free again before the rest began.
  for (const intent of await openIntents(context)) count(counts, (await settle(context, intent)).outcome)
  const plans = await rebuildPlans(context, since, lost)
  const unreadable: string[] = []
  for (const intent of await intentsSince(context, since)) {
    const written = await writeAgain(context, intent)
    if (written === 'unreadable') unreadable.push(intent.id)
    if (written === 'unreadable') continue
    if (written === 'withoutProfile') lost.add(intent.metadata.uid)
    if (written !== 'known') count(counts, (await settle(context, intent)).outcome)
    await unknownPayments(context.db).doc(intent.id).delete()
  }
  await oweAgain(context, since)
  await askAgain(context)
  const isOpen = unreadable.length === 0
  if (isOpen) await open(context, startedAt, { isRebuilt: true })
  return { payments: counts, ...plans, lostProfiles: [...lost], unreadable, isOpen }
}

const count = (counts: Record<string, number>, outcome: string) => {
  counts[outcome] = (counts[outcome] ?? 0) + 1
}

/** The PaymentIntents of attempts that are open by the database. */
async function openIntents(context: Context) {
  const { db, stripe, now } = context
  const { docs } = await attempts(db).where('status', '==', 'reserved').get()
  const intents = []
  for (const { key, attempt } of readableAttempts(context, docs)) {
    const { paymentIntentId } = attempt
    const intent =
      paymentIntentId === null ? null : await nullIfMissing(stripe.paymentIntents.retrieve(paymentIntentId))
    if (!intent || !isAttemptIntent(context, intent)) continue
    await attempts(db).doc(key).update({ rebuilt: now() })
    intents.push(intent)
  }
  return intents
}

/** In the order in which they were made, because what one held may have been free when a later one began. */
async function intentsSince(context: Context, since: number) {
  const intents = new Map<string, Stripe.PaymentIntent>()
  for await (const page of ownIntents(context, since))
    for (const intent of page) intents.set(intent.id, intent)
  for (const { id } of (await unknownPayments(context.db).get()).docs)
    if (!intents.has(id)) intents.set(id, await context.stripe.paymentIntents.retrieve(id))
  return [...intents.values()]
    .filter((intent) => isAttemptIntent(context, intent))
    .sort((a, b) => a.created - b.created)
}

/**
 * Writes an attempt again that the database has forgotten, or which PaymentIntent it has. One that was paid is not refunded
 * because its payer's profile was lost with it.
 */
async function writeAgain(
  context: Context,
  intent: Stripe.PaymentIntent,
): Promise<'known' | 'unreadable' | 'written' | 'withoutProfile'> {
  const { db } = context
  const promised = fromMetadata(intent)
  const ref = attempts(db).doc(intent.metadata.attemptKey ?? '')
  return db.runTransaction(async (tx) => {
    const stored = parseAttempt(await tx.get(ref))
    if (stored) {
      if (stored.paymentIntentId !== null || stored.status !== 'reserved') return 'known'
      tx.update(ref, { paymentIntentId: intent.id, rebuilt: context.now() })
      return 'written'
    }
    if (!promised) return 'unreadable'
    const profile = await tx.get(users(db).doc(promised.uid))
    const isOver = intent.status === 'canceled'
    const attempt: Attempt = {
      ...promised,
      rebuilt: context.now(),
      ...(isOver && ended('released', intent.id)),
    }
    // What was canceled gave back what it held long ago.
    const reservation = isOver ? null : await retake(context, tx, { key: ref.id, attempt })
    tx.create(ref, reservation?.attempt ?? attempt)
    reservation?.write()
    return profile.exists ? 'written' : 'withoutProfile'
  })
}

/**
 * Of the charge of a plan no attempt tells. One that the product had begun to give back is owed again: its refund may still come to
 * nothing.
 */
async function oweAgain(context: Context, since: number): Promise<void> {
  const { db, stripe, deployment, now } = context
  const list: Parameters<typeof pages<Stripe.Refund>>[0] = (at) =>
    stripe.refunds.list({ ...at, expand: ['data.payment_intent.customer'] })
  for await (const page of pages(list, since))
    for (const { metadata, payment_intent: intent } of page) {
      if (metadata?.deployment !== deployment || intent === null || typeof intent === 'string') continue
      if (isAttemptIntent(context, intent)) continue
      const debt = refunds(db).doc(intent.id)
      await db.runTransaction(async (tx) => {
        if (!(await tx.get(debt)).exists) tx.create(debt, newDebt(payerOf(intent), 'owedBefore', now()))
      })
    }
}

/**
 * What was not paid out may have been since, and elsewhere: a provider is asked first, and people have to say, also of what somebody had
 * in hand, which another may have paid. What is held may have been given back: then the list says so.
 */
async function askAgain(context: Context): Promise<void> {
  const standing = (state: DeliveryState) => deliveries(context.db).where('state', '==', state).get()
  for (const state of ['handingOver', 'due', 'waiting', 'claimed', 'held'] as const)
    for (const { id } of (await standing(state)).docs)
      await tellDelivery(context, id, () => ({ type: 'order.restore', at: context.now() }))
  for (const state of ['handingOver', 'handedOver', 'held'] as const)
    for (const { id } of (await standing(state)).docs)
      await tellDelivery(context, id, (order) => hindranceOf(context, id, order))
}

/** Nobody's when the customer is gone at the provider. */
function payerOf({ customer }: Stripe.PaymentIntent): string {
  const isKnown = customer !== null && typeof customer !== 'string' && !customer.deleted
  return isKnown ? (customer.metadata.uid ?? '') : ''
}

/** Customers first, because a plan is compared by its customer. A checkout that the database has forgotten could still be paid. */
async function rebuildPlans(context: Context, since: number, lost: Set<string>) {
  const { stripe, deployment } = context
  const owners = new Set<string>()
  const customerIds: (readonly [uid: string, customerId: string])[] = []
  for await (const plans of ownSubscriptions(context, since))
    for (const { metadata, customer } of plans) customerIds.push([metadata.uid ?? '', idOf(customer)])
  const plans = customerIds.length
  for await (const page of pages((at) => stripe.customers.list(at), since))
    for (const { id, metadata } of page)
      if (metadata.deployment === deployment && metadata.uid) customerIds.push([metadata.uid, id])
  let written = 0
  for (const [uid, customerId] of customerIds) {
    owners.add(uid)
    if (await context.db.runTransaction((tx) => writeCustomer(context, tx, uid, customerId))) written += 1
  }
  const checkoutsEnded = await endForgottenCheckouts(context, since)
  for (const uid of owners) {
    const plan = await syncPlan(context, uid)
    if (plan?.billed && plan.subscription === null) lost.add(uid)
  }
  return { customers: written, plans, checkoutsEnded }
}

async function writeCustomer(
  { db, now }: Context,
  tx: Transaction,
  uid: string,
  customerId: string,
): Promise<boolean> {
  const ref = customers(db).doc(uid)
  if ((await tx.get(ref)).exists) return false
  const made: Customer = { customerId, checkout: null, countedId: null, checkAt: now(), rebuilt: true }
  tx.create(ref, made)
  return true
}

async function endForgottenCheckouts(context: Context, since: number): Promise<number> {
  const { db, stripe } = context
  const sessions = stripe.checkout.sessions
  let ended = 0
  for await (const page of pages((at) => sessions.list({ ...at, status: 'open' }), since))
    for (const { id, mode, metadata } of page) {
      const uid = planOwner(context, metadata)
      if (uid === null || mode !== 'subscription') continue
      const known = parseCustomer(await customers(db).doc(uid).get())
      if (known?.checkout?.sessionId === id) continue
      await sessions.expire(id)
      ended += 1
    }
  return ended
}
