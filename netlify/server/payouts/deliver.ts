import type { Query } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import type { DeliveryOrder, DeliveryState } from '../../../domain/payouts/deliveryOrder.ts'
import { acceptsDeliveryEvent, type DeliveryEvent } from '../../../machines/delivery.ts'
import { arePaymentsClosed } from '../payments/paymentsState.ts'
import { tryRefundCharge } from '../payments/refunds.ts'
import { isPersonStopped } from '../payments/restrictions.ts'
import { fetchCharge, findReversal, findRiskSignal } from '../payments/reversals.ts'
import type { Chore, DueItem } from '../platform/chores.ts'
import { type DueDocument, iterateDuePages } from '../platform/duePages.ts'
import { enqueue } from '../platform/enqueue.ts'
import { callProvider } from './callProvider.ts'
import { deliveries, parseDeliveryOrder } from './orderRecords.ts'
import { applyOrderEvent, notifyDevices, type OrderUpdate, storeDeliveryOrder } from './orders.ts'
import type { PayoutContext } from './payoutContext.ts'
import { PAYOUT_PROVIDERS, type PayoutProvider } from './providers/provider.ts'
import { findScreeningHold } from './screening/hold.ts'
import { prepareUndeliveredRefund } from './undelivered.ts'

/** After this many unanswered calls in a row, the provider is not called again until the next run. */
const MAX_SILENT = 3
/** Balance, charge, sending, asking, and one to spare. */
const MAX_CALLS = 5
/** Minimum time between two status checks caused by hints, in milliseconds. */
const HINT_WITHIN = 1_000

interface AppliedUpdate extends OrderUpdate {
  readonly isTaken: boolean
  readonly before: DeliveryOrder
}

type News = DeliveryEvent | null | readonly DeliveryEvent[]
type ChooseNews = (order: DeliveryOrder) => News | Promise<News>

/**
 * Applies events to an order in one transaction, together with the refund that becomes due. An event that the
 * order's state does not accept changes nothing, and only the last one has actions. @throws Stripe's or
 * Firestore's error; calling again is safe.
 */
export async function updateDelivery(
  context: PayoutContext,
  id: string,
  news: ChooseNews,
): Promise<AppliedUpdate | null> {
  const { db, now, log } = context
  const ref = deliveries(db).doc(id)
  const update = await db.runTransaction(async (tx): Promise<AppliedUpdate | null> => {
    const order = parseDeliveryOrder(await tx.get(ref))
    if (!order) return null
    let next: OrderUpdate = { order, todo: [] }
    for (const event of [(await news(order)) ?? []].flat()) {
      const isAccepted = acceptsDeliveryEvent(next.order, event)
      next = isAccepted ? applyOrderEvent(id, next.order, event, now()) : { order: next.order, todo: [] }
    }
    if (next.order === order) return { ...next, isTaken: false, before: order }
    const storeDebt = next.todo.includes('recordDebt')
      ? await prepareUndeliveredRefund(context, tx, id, order, next.order)
      : null
    storeDeliveryOrder(context, tx, id, order, next.order)
    storeDebt?.()
    return { ...next, isTaken: true, before: order }
  })
  if (update) notifyDevices(context, id, update.before, update.order)
  const { state = null, failure = null, loss = null } = update?.order ?? {}
  if (update?.order.holds.includes('screening') && !update.before.holds.includes('screening'))
    log({
      level: 'error',
      event: 'screeningHit',
      paymentIntentId: id,
      entries: (update.order.screening?.hits ?? []).map(({ entry }) => entry),
    })
  if (update?.todo.includes('alertOperator'))
    log({ level: 'error', event: 'deliveryAlert', paymentIntentId: id, state, failure, loss })
  if (update?.todo.includes('recordDebt')) {
    if (state === 'canceled') log({ level: 'info', event: 'deliveryCanceled', paymentIntentId: id })
    else log({ level: 'error', event: 'deliveryFailed', paymentIntentId: id, failure })
    await tryRefundCharge(context, id)
  }
  return update
}

export async function findPayoutBlocker(
  context: PayoutContext,
  id: string,
  order: DeliveryOrder,
): Promise<Extract<DeliveryEvent, { readonly type: 'charge.reversed' | 'order.hold' }> | null> {
  const intent = await context.stripe.paymentIntents.retrieve(id)
  const charge = await fetchCharge(context, intent)
  const reversal = findReversal(charge)
  if (reversal !== null) return { type: 'charge.reversed', reversal }
  const cause = await findRiskSignal(context, charge, order.lifted)
  if (cause !== null) return { type: 'order.hold', cause }
  if (await isPersonStopped(context, order.persons)) return { type: 'order.hold', cause: 'stop' }
  return findScreeningHold(context, order)
}

/**
 * Does the order's next step if it is due; no payout is sent while payments are closed. A hint is unsigned,
 * so it only causes an early status check. `dueOrder`: as the job has read it. Returns the order's state, or
 * that the provider did not answer. @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function advanceDelivery(
  context: PayoutContext,
  id: string,
  {
    isHint = false,
    dueOrder,
  }: { readonly isHint?: boolean; readonly dueOrder?: DeliveryOrder | undefined } = {},
): Promise<string> {
  const { now } = context
  const isTime = ({ checkAt }: DeliveryOrder) => checkAt !== null && checkAt <= now()
  // The payout of an abandoned order may have arrived. A waiting order has no payout to ask about, and
  // checking it would start another payout.
  const isHinted = ({ state, checkAt, lookedAt, reference }: DeliveryOrder) =>
    isHint &&
    state !== 'waiting' &&
    state !== 'due' &&
    (checkAt ?? reference) !== null &&
    (lookedAt ?? 0) + HINT_WITHIN <= now()
  const check = (order: DeliveryOrder): DeliveryEvent | null => {
    // Later states of an order whose provider was removed from the settings can't be put on hold.
    const isServed = context.providers.some(({ name, api }) => name === order.provider && api !== null)
    return isServed && (isTime(order) || isHinted(order)) ? { type: 'order.check', at: now() } : null
  }
  const look = () =>
    updateDelivery(context, id, async (order) => {
      const event = check(order)
      return event && order.state === 'due' ? ((await findPayoutBlocker(context, id, order)) ?? event) : event
    })
  // A question moves no money, so its check is stored with the answer.
  const question = dueOrder && isAsking(dueOrder) ? check(dueOrder) : null
  if (!question && (await arePaymentsClosed(context))) return 'deliveryWaits'
  let update =
    dueOrder && question
      ? { ...applyOrderEvent(id, dueOrder, question, now()), isTaken: true, before: dueOrder }
      : await look()
  let isSilent = false
  for (let calls = 0; update && calls < MAX_CALLS; calls += 1) {
    const { order } = update
    const unstored = calls === 0 && question
    const { api } = context.providers.find(({ name }) => name === order.provider) ?? {}
    const asked = api && update.isTaken ? await callProvider(context, api, id, update) : undefined
    if (asked === undefined) break
    if (asked === null) {
      context.log({ level: 'error', event: 'deliveryUnanswered', paymentIntentId: id, state: order.state })
      isSilent = true
      if (unstored) update = (await look()) ?? update
      break
    }
    const isUnsent = asked.type === 'payout.notFound'
    if (isUnsent && unstored && (await arePaymentsClosed(context))) return 'deliveryWaits'
    // Anyone who knows the payment's ID can send a hint, so a hint never sends a payout.
    if (isHint && isUnsent && !isTime(update.before)) break
    update = await updateDelivery(context, id, async (current) => {
      // Another process may have sent this payout again or begun the next attempt.
      if (current.reference !== order.reference || current.sentAt !== order.sentAt) return null
      if (asked.type !== 'payout.notFound' || current.reversal !== null)
        return unstored ? [unstored, asked] : asked
      const blocker = await findPayoutBlocker(context, id, current)
      if (blocker?.type !== 'order.hold') return blocker ?? asked
      const { cause: hold, hits } = blocker
      return { ...asked, hold, ...(hits && { hits }) }
    })
    if (update?.order.state === 'due') update = await look()
  }
  if (!update) return 'gone'
  const { state, provider: service, checkAt: at } = update.order
  if (at !== null && at > now()) enqueue(context, { work: 'delivery', id, service, at })
  return isSilent ? 'deliveryUnanswered' : state
}

/** Stripe is asked about the charge before these are sent. */
const SENDING = ['due', 'waiting'] satisfies DeliveryState[]
const ASKING = ['handingOver', 'handedOver'] satisfies DeliveryState[]

const isAsking = (order: DeliveryOrder) => ASKING.some((state) => state === order.state)

/** Orders that need Stripe don't delay those that need only the provider. */
export function createDueDeliveryChores(
  context: PayoutContext,
  { name }: PayoutProvider,
): readonly Chore<DueDocument>[] {
  const { db, now } = context
  let silent = 0
  const lookAt = (states: readonly DeliveryState[]): Chore<DueDocument> => ({
    name: deliveries(db).id,
    provider: name,
    due: () =>
      iterateDuePages(
        deliveries(db)
          .where('provider', '==', name)
          .where('state', 'in', states)
          .where('checkAt', '<=', now())
          .orderBy('checkAt'),
      ),
    async handle({ id, document }) {
      if (silent >= MAX_SILENT) return 'leftOver'
      const outcome = await advanceDelivery(context, id, { dueOrder: parseDeliveryOrder(document) })
      silent = outcome === 'deliveryUnanswered' ? silent + 1 : 0
      // The job's report uses `failed` only for items that it could not handle.
      return outcome === 'failed' ? 'deliveryFailed' : outcome
    },
  })
  // The refund of a failed payout begins at once.
  return [
    { ...lookAt(SENDING), isFed: true },
    { ...lookAt(ASKING), isFeeding: false },
  ]
}

export function queryUnattendedOrders({ db, now, providers }: PayoutContext): Query {
  const gone = PAYOUT_PROVIDERS.filter(
    (name) => !providers.some((one) => one.name === name && one.api !== null),
  )
  return deliveries(db).where('provider', 'in', gone).where('checkAt', '<=', now()).orderBy('checkAt')
}

export function createUnattendedDeliveriesChore(context: PayoutContext): Chore<DueItem> {
  return {
    name: deliveries(context.db).id,
    provider: 'google',
    async *due() {
      for await (const page of iterateDuePages(queryUnattendedOrders(context))) {
        context.log({ level: 'error', event: 'deliveryWithoutProvider', orders: page.length })
        yield page
      }
    },
    handle: async () => 'deliveryWithoutProvider',
  }
}

export async function applyChargeReversal(
  context: PayoutContext,
  intent: Stripe.PaymentIntent,
): Promise<DeliveryOrder | undefined> {
  const reversal = findReversal(await fetchCharge(context, intent))
  if (reversal === null) return undefined
  const update = await updateDelivery(context, intent.id, () => ({ type: 'charge.reversed', reversal }))
  return update?.order
}

/** Alerts an operator if it is too late to hold. @throws a service's error; calling again is safe. */
export async function holdDelivery(
  context: PayoutContext,
  id: string,
  { cause, isOver = false }: { readonly cause: string; readonly isOver?: boolean },
): Promise<void> {
  const update = await updateDelivery(context, id, ({ holds }) => {
    if (isOver) return holds.includes(cause) ? { type: 'order.release', cause } : null
    return { type: 'order.hold', cause }
  })
  if (!update || isOver || update.isTaken) return
  if (update.order.holds.includes(cause) || update.order.lifted.includes(cause)) return
  context.log({ level: 'error', event: 'holdTooLate', paymentIntentId: id, state: update.order.state, cause })
}
