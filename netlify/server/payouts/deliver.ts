import type Stripe from 'stripe'
import type { DeliveryOrder } from '../../../domain/delivery.ts'
import { type DeliveryEvent, takes } from '../../../machines/delivery.ts'
import { payBack } from '../payments/refunds.ts'
import { chargeNow, findDoubt, findReversal } from '../payments/reversals.ts'
import type { ChoreReport } from '../platform/chores.ts'
import { areClosed } from '../platform/closing.ts'
import { parseDeliveryOrder } from '../platform/documents.ts'
import { traceOf } from '../platform/log.ts'
import { PROVIDERS } from '../platform/payoutSettings.ts'
import { deliveries } from '../platform/records.ts'
import { callProvider } from './callProvider.ts'
import { type Next, nextOrder, storeOrder, tellChange } from './orders.ts'
import type { PayoutContext } from './payoutContext.ts'
import type { Provider } from './providers/provider.ts'
import { oweUndelivered } from './undelivered.ts'

/** How many orders of a provider a run of the sweep looks at. */
export const MOST_IN_A_RUN = 50
/** So many in a row without an answer, and the provider is left alone until the next run. */
const MOST_SILENT = 3
/** More than one look leads to: balance, charge, sending, asking. */
const MOST_CALLS = 5
/** How often a hint makes the state be asked for, in milliseconds. */
const HINT_WITHIN = 1_000

/** Whether the news agreed with the records, and the order as it is then. */
interface Told extends Next {
  readonly isTaken: boolean
  readonly before: DeliveryOrder
}

type News = (order: DeliveryOrder) => DeliveryEvent | null | Promise<DeliveryEvent | null>

/**
 * Applies an event to an order in one database transaction, together with the refund that the event makes due. An event that
 * the order's state does not take changes nothing. Null when the transfer has no order.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function updateDelivery(context: PayoutContext, id: string, news: News): Promise<Told | null> {
  const { db, now, log } = context
  const ref = deliveries(db).doc(id)
  const told = await db.runTransaction(async (tx): Promise<Told | null> => {
    const order = parseDeliveryOrder(await tx.get(ref))
    if (!order) return null
    const event = await news(order)
    if (event === null || !takes(order, event)) return { order, todo: [], isTaken: false, before: order }
    const next = nextOrder(id, order, event, now())
    const owe = next.todo.includes('owe') ? await oweUndelivered(context, tx, id, order.attemptKey) : null
    storeOrder(context, tx, id, order, next.order)
    owe?.()
    return { ...next, isTaken: true, before: order }
  })
  if (told) tellChange(context, id, told.before, told.order)
  const { state = null, failure = null, loss = null } = told?.order ?? {}
  if (told?.todo.includes('alert'))
    log({ level: 'error', event: 'deliveryAlert', paymentIntentId: id, state, failure, loss })
  if (told?.todo.includes('owe')) {
    log({ level: 'error', event: 'deliveryFailed', paymentIntentId: id, failure })
    await payBack(context, id).catch((error) =>
      log({ level: 'error', event: 'refundPostponed', paymentIntentId: id, ...traceOf(error) }),
    )
  }
  return told
}

/** Finds a reason not to pay out or claim an order: its charge was reversed, or a fraud warning or a review is open. */
export async function findPayoutBlocker(
  context: PayoutContext,
  id: string,
  order: DeliveryOrder,
): Promise<Extract<DeliveryEvent, { readonly type: 'charge.reversed' | 'order.hold' }> | null> {
  const intent = await context.stripe.paymentIntents.retrieve(id)
  const charge = await chargeNow(context, intent)
  const reversal = findReversal(charge)
  if (reversal !== null) return { type: 'charge.reversed', reversal }
  const cause = await findDoubt(context, charge, order.lifted)
  return cause === null ? null : { type: 'order.hold', cause }
}

/**
 * Does for an order what is to be done now: pays it out by its provider, asks what became of that, or looks whether it can. Nothing while
 * payments are closed. A hint is no proof, and anybody can give one: with one the state of
 * a payout is asked for before its time, and nothing is sent or tried again. Answers where the order stands, or that the provider did not answer.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function deliver(context: PayoutContext, id: string, { isHint = false } = {}): Promise<string> {
  const { now } = context
  if (await areClosed(context)) return 'deliveryWaits'
  const isTime = ({ checkAt }: DeliveryOrder) => checkAt !== null && checkAt <= now()
  // Also where nobody looks any more: what was given up may have been paid out. What waits has no payout to ask about, and would be tried again.
  const isHinted = ({ state, checkAt, lookedAt, reference }: DeliveryOrder) =>
    isHint &&
    state !== 'waiting' &&
    state !== 'due' &&
    (checkAt ?? reference) !== null &&
    (lookedAt ?? 0) + HINT_WITHIN <= now()
  const look = () =>
    updateDelivery(context, id, async (order) => {
      // Whose provider is not set any more waits as it is: from further on it could not be held.
      const isServed = context.providers.some(({ name, api }) => name === order.provider && api !== null)
      if (!isServed || !(isTime(order) || isHinted(order))) return null
      const event: DeliveryEvent = { type: 'order.look', at: now() }
      return order.state === 'due' ? ((await findPayoutBlocker(context, id, order)) ?? event) : event
    })
  let told = await look()
  for (let calls = 0; told && calls < MOST_CALLS; calls += 1) {
    const { order } = told
    const { api } = context.providers.find(({ name }) => name === order.provider) ?? {}
    const asked = api && told.isTaken ? await callProvider(api, id, told, now) : undefined
    if (asked === undefined) return order.state
    if (asked === null) {
      context.log({ level: 'error', event: 'deliverySilent', paymentIntentId: id, state: order.state })
      return 'deliverySilent'
    }
    // Whoever knows the payment's id can give a hint: nothing is sent by one.
    if (isHint && asked.type === 'payout.unknown' && !isTime(told.before)) return order.state
    told = await updateDelivery(context, id, async (current) => {
      // An answer may come so late that another process has sent it since, or is at the next try: it says nothing of that.
      if (current.reference !== order.reference || current.sentAt !== order.sentAt) return null
      // What leads to sending again is looked at like the first time.
      if (asked.type !== 'payout.unknown' || current.reversal !== null) return asked
      const blocker = await findPayoutBlocker(context, id, current)
      return blocker?.type === 'order.hold' ? { ...asked, hold: blocker.cause } : (blocker ?? asked)
    })
    // There is enough again.
    if (told?.order.state === 'due') told = await look()
  }
  return told?.order.state ?? 'gone'
}

/**
 * Looks at the orders of a provider whose time has come, the longest waiting first, so many in a run. Neither one that fails nor one
 * that waits keeps the others; a provider that answers nobody is left alone until the next run.
 *
 * @param until by the process's own clock.
 */
export async function deliverDue(
  context: PayoutContext,
  { name }: Provider,
  until: number,
  { count, failed }: ChoreReport,
): Promise<void> {
  const { db, now, elapsed } = context
  const due = deliveries(db)
    .where('provider', '==', name)
    .where('checkAt', '<=', now())
    .orderBy('checkAt')
    .limit(MOST_IN_A_RUN)
  let silent = 0
  const { docs } = await due.get()
  for (const [index, { id }] of docs.entries()) {
    if (elapsed() > until || silent >= MOST_SILENT) return count('leftOver', docs.length - index)
    const outcome = await deliver(context, id).catch(failed)
    silent = outcome === 'deliverySilent' ? silent + 1 : 0
    // What failed without more is a case of the sweep that could not be looked at.
    if (outcome) count(outcome === 'failed' ? 'deliveryFailed' : outcome)
  }
  // There may be more than a run takes.
  if (docs.length === MOST_IN_A_RUN) count('leftOver')
}

/**
 * How many orders it is time to look at that no program looks at, because the settings name their provider no more. They go on when it is
 * named again.
 */
export async function unattended(context: PayoutContext, most = MOST_IN_A_RUN): Promise<number> {
  const { db, now, providers } = context
  const gone = PROVIDERS.filter((name) => !providers.some((one) => one.name === name && one.api !== null))
  const due = await deliveries(db)
    .where('provider', 'in', gone)
    .where('checkAt', '<=', now())
    .orderBy('checkAt')
    .limit(most)
    .get()
  return due.size
}

/** Reports the orders that `unattended` counts. */
export async function countUnattended(context: PayoutContext, count: ChoreReport['count']): Promise<void> {
  const orders = await unattended(context)
  if (orders === 0) return
  context.log({ level: 'error', event: 'deliveriesUnattended', orders })
  count('deliveriesUnattended', orders)
}

/**
 * Tells the order of a payment that its charge was refunded or disputed by others: a payout that has not been sent never is. Returns the
 * order as it is then.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function callOff(
  context: PayoutContext,
  intent: Stripe.PaymentIntent,
): Promise<DeliveryOrder | undefined> {
  const reversal = findReversal(await chargeNow(context, intent))
  if (reversal === null) return undefined
  const told = await updateDelivery(context, intent.id, () => ({ type: 'charge.reversed', reversal }))
  return told?.order
}

/**
 * Holds an order for a cause, or lifts that cause. An operator hears of one for which it is too late.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function holdDelivery(
  context: PayoutContext,
  id: string,
  { cause, isOver = false }: { readonly cause: string; readonly isOver?: boolean },
): Promise<void> {
  const told = await updateDelivery(context, id, ({ holds }) => {
    if (isOver) return holds.includes(cause) ? { type: 'order.release', cause } : null
    return { type: 'order.hold', cause }
  })
  if (!told || isOver || told.order.state === 'held' || told.order.lifted.includes(cause)) return
  context.log({ level: 'error', event: 'holdTooLate', paymentIntentId: id, state: told.order.state, cause })
}
