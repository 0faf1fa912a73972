import type { Firestore, Transaction } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import { HOUR, MINUTE } from '../../../domain/duration.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { array, nullable, number, object, picklist, string } from '../../../domain/schema.ts'
import type { Context } from './context.ts'
import { type Customer, documentParser } from './documents.ts'
import { traceOf } from './log.ts'
import { isAttemptIntent, planOwner } from './metadata.ts'
import { attempts, customers } from './records.ts'
import { type Refusal, refusal } from './refusals.ts'

/** Why nobody can begin to pay: the provider has payments that the database does not know, or an operator wants it so. */
export type WhyClosed = 'unknownPayment' | 'unknownPlan' | 'rebuilding' | 'byHand'

/** What is true of all payments of the deployment. Times are UTC milliseconds. */
export interface PaymentsState {
  /** While it is set nobody begins to pay, and no refund begins by itself. What was begun before is settled. */
  readonly closed: { readonly why: WhyClosed; readonly since: number } | null
  /** Whatever the provider has from before this instant was found in the database. 0 when nothing was compared. */
  readonly comparedUntil: number
  /** As `couponName` writes them. Whoever begins to pay with one is refused. */
  readonly endedCoupons: readonly string[]
}

/** A charge of this deployment that the database knows no attempt for: an alarm that an operator ends. */
export interface UnknownPayment {
  readonly uid: string
  readonly createdAt: number
}

export const paymentsRef = (db: Firestore) => db.doc('settings/payments')
export const unknownPayments = (db: Firestore) => db.collection('unknownPayments')

/**
 * How old the last comparison may be for a payment to begin, in milliseconds. The sweep compares every quarter of an hour; a
 * database that was restored has an old one.
 */
const COMPARED_WITHIN = HOUR
/** What the provider's clock and ours may differ by, in milliseconds. */
const CLOCK_SKEW = 5 * MINUTE
const PAGE_SIZE = 100

const NEW_DEPLOYMENT: PaymentsState = { closed: null, comparedUntil: 0, endedCoupons: [] }

const stored = documentParser<PaymentsState>((value) => {
  const { closed, comparedUntil, endedCoupons } = object({
    closed: nullable(
      object({
        why: picklist('unknownPayment', 'unknownPlan', 'rebuilding', 'byHand'),
        since: number,
      }),
    ),
    comparedUntil: nullable(number),
    endedCoupons: nullable(array(string)),
  })(value)
  return { closed, comparedUntil: comparedUntil ?? 0, endedCoupons: endedCoupons ?? [] }
})

const stateIn = (document: FirebaseFirestore.DocumentSnapshot): PaymentsState =>
  stored(document) ?? NEW_DEPLOYMENT

/** Changes what is true of all payments, in one database transaction. */
export async function changeState(
  { db }: Pick<Context, 'db'>,
  change: (state: PaymentsState) => PaymentsState,
): Promise<void> {
  await db.runTransaction(async (tx) => {
    const ref = paymentsRef(db)
    tx.set(ref, change(stateIn(await tx.get(ref))))
  })
}

/**
 * Lets people pay again. `comparedUntil` (UTC ms): before that instant nothing is unknown. Once a rebuilding has begun only its end opens
 * (`isRebuilt`): what it has not come to yet may have been paid out, or given back.
 */
export async function open(
  context: Context,
  comparedUntil: number,
  { isRebuilt = false } = {},
): Promise<void> {
  let isOpen = false
  await changeState(context, (state) => {
    isOpen = isRebuilt || !isBeingRebuilt(state)
    return isOpen ? { ...state, closed: null, comparedUntil } : state
  })
  if (isOpen) context.log({ level: 'info', event: 'paymentsOpened' })
}

/** Whether a rebuilding has begun and has not ended: it is under way, or was cut off. */
export const isBeingRebuilt = ({ closed }: PaymentsState) => closed?.why === 'rebuilding'

export async function paymentsState({ db }: Pick<Context, 'db'>): Promise<PaymentsState> {
  return stateIn(await paymentsRef(db).get())
}

/**
 * Refuses while payments are closed: to be asked before anything that somebody could pay for is made. Costs one document; a
 * database that was not compared with the provider for an hour is compared first, and nobody pays when it can't be.
 *
 * @throws Firestore's error when the document can't be read.
 */
export async function whileOpen(context: Context): Promise<Result<PaymentsState, Refusal<'paymentsClosed'>>> {
  const state = await paymentsState(context)
  const isOpen = state.closed === null && (isFresh(context, state) || (await agrees(context)))
  return isOpen ? ok(state) : err(refusal('paymentsClosed'))
}

/**
 * Whether the database may decide that money goes back: not while payments are closed, because then it may be an older
 * one than what happened.
 *
 * @throws Firestore's error.
 */
export const mayTrustRecords = async (context: Context): Promise<boolean> => (await whileOpen(context)).ok

const isFresh = ({ now }: Context, { comparedUntil }: PaymentsState) =>
  now() - comparedUntil <= COMPARED_WITHIN

async function agrees(context: Context): Promise<boolean> {
  try {
    return await compareWithProvider(context)
  } catch (error) {
    context.log({ level: 'error', event: 'comparisonFailed', ...traceOf(error) })
    return false
  }
}

/**
 * Compares what the provider has made for this deployment since the last time with the records, and closes payments when one is
 * unknown here. An attempt is always written before its PaymentIntent, and a customer before their plan, so whatever is
 * missing was there: the database is an older one. Answers whether all is known.
 *
 * @param until by the process's own clock.
 * @param evenClosed while payments are closed too, which leaves them so.
 * @throws Stripe's or Firestore's error, and when the time is not enough; calling again is safe.
 */
export async function compareWithProvider(
  context: Context,
  { until = Number.POSITIVE_INFINITY, evenClosed = false } = {},
): Promise<boolean> {
  const startedAt = context.now()
  const { closed, comparedUntil } = await paymentsState(context)
  if (closed && !evenClosed) return false
  const checkTime = () => {
    if (context.elapsed() > until) throw new Error('There is more to compare than time')
  }
  for await (const intents of ownIntents(context, comparedUntil)) {
    checkTime()
    if ((await unknownAmong(context, intents)).length > 0) return close(context, 'unknownPayment')
  }
  for await (const plans of ownSubscriptions(context, comparedUntil)) {
    checkTime()
    if (await isPlanUnknown(context, plans)) return close(context, 'unknownPlan')
  }
  // Of two who compare at once the one that began earlier may end later.
  await changeState(context, (state) => ({
    ...state,
    comparedUntil: Math.max(state.comparedUntil, startedAt),
  }))
  return true
}

/** The PaymentIntents of this deployment between two instants (UTC ms), newest first, by the page. */
export async function* ownIntents(context: Context, since: number, until?: number) {
  for await (const page of pages((at) => context.stripe.paymentIntents.list(at), since, until))
    yield page.filter((intent) => isAttemptIntent(context, intent))
}

/** The subscriptions of this deployment since an instant (UTC ms), newest first, by the page. */
export async function* ownSubscriptions(context: Context, since: number) {
  const list = (at: ListFrom) => context.stripe.subscriptions.list({ ...at, status: 'all' })
  for await (const page of pages(list, since))
    yield page.filter(({ metadata }) => planOwner(context, metadata) !== null)
}

interface ListFrom {
  readonly limit: number
  readonly created: { readonly gte: number; readonly lte?: number }
  readonly starting_after?: string
}

/** The pages of a list between two instants (UTC ms), newest first. */
export async function* pages<T extends { readonly id: string }>(
  list: (from: ListFrom) => Promise<Pick<Stripe.ApiList<T>, 'data' | 'has_more'>>,
  since: number,
  until?: number,
) {
  const created = {
    gte: Math.max(0, Math.floor((since - CLOCK_SKEW) / 1000)),
    ...(until !== undefined && { lte: Math.ceil((until + CLOCK_SKEW) / 1000) }),
  }
  let after: string | undefined
  do {
    const { data, has_more: hasMore } = await list({
      limit: PAGE_SIZE,
      created,
      ...(after !== undefined && { starting_after: after }),
    })
    yield data
    after = hasMore ? data.at(-1)?.id : undefined
  } while (after !== undefined)
}

/** Those whose attempt is not in the database. */
export async function unknownAmong<I extends Pick<Stripe.PaymentIntent, 'metadata'>>(
  { db }: Pick<Context, 'db'>,
  intents: readonly I[],
): Promise<I[]> {
  if (intents.length === 0) return []
  const refs = intents.map(({ metadata }) => attempts(db).doc(metadata.attemptKey ?? ''))
  const found = await db.getAll(...refs, { fieldMask: ['uid'] })
  return intents.filter((_, index) => !found[index]?.exists)
}

const OF_A_PLAN = ['checkout', 'countedId', 'checkAt'] as const satisfies readonly (keyof Customer)[]

/**
 * Whether one of these plans is not known of. Who has only paid by card has a customer too; that of a plan says that it was checked out, counts,
 * or is looked at.
 */
async function isPlanUnknown(
  { db }: Pick<Context, 'db'>,
  plans: readonly Stripe.Subscription[],
): Promise<boolean> {
  if (plans.length === 0) return false
  const refs = plans.map(({ metadata }) => customers(db).doc(metadata.uid ?? ''))
  // Without reading more: that one of them is not what it has to be keeps nobody else from paying.
  const found = await db.getAll(...refs, { fieldMask: [...OF_A_PLAN] })
  return plans.some(({ status }, index) => {
    const customer = found[index]
    if (!customer?.exists) return true
    const isPaidFor = status !== 'canceled' && !status.startsWith('incomplete')
    return isPaidFor && OF_A_PLAN.every((field) => customer.get(field) === null)
  })
}

/** Lets nobody begin to pay until an operator opens payments again. Closed already, they stay closed for the first reason. */
export async function close(context: Context, why: WhyClosed): Promise<false> {
  await context.db.runTransaction((tx) => closeIn(context, tx, why).then((write) => write()))
  context.log({ level: 'error', event: 'paymentsClosed', why })
  return false
}

/** Closes payments until a rebuilding has ended, whatever they were closed for before. */
export async function closeToRebuild(context: Context): Promise<void> {
  await changeState(context, (state) => ({
    ...state,
    closed: { why: 'rebuilding', since: state.closed?.since ?? context.now() },
  }))
  context.log({ level: 'error', event: 'paymentsClosed', why: 'rebuilding' })
}

/** `close` in a transaction that does more: reads now, and writes when what it answers is called. */
export async function closeIn(
  { db, now }: Pick<Context, 'db' | 'now'>,
  tx: Transaction,
  why: WhyClosed,
): Promise<() => void> {
  const state = stateIn(await tx.get(paymentsRef(db)))
  return () => {
    if (!state.closed) tx.set(paymentsRef(db), { ...state, closed: { why, since: now() } })
  }
}
