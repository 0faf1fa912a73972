import type { Transaction } from 'firebase-admin/firestore'
import { bookDelivery } from '../../../domain/payouts/deliveryJournal.ts'
import {
  type DeliveryOrder,
  deriveDeliverySummary,
  getNextCheckTime,
  hasDeliveryEnded,
  type VelocityCause,
} from '../../../domain/payouts/deliveryOrder.ts'
import { isScreeningCause, SCREENING_ANSWER_PERIOD } from '../../../domain/payouts/screening.ts'
import { isSameDelivery } from '../../../domain/transfers/delivery.ts'
import { choosePushKind } from '../../../domain/transfers/push.ts'
import { buildPayout } from '../../../domain/transfers/shapes/payout.ts'
import {
  applyDeliveryEvent,
  createDelivery,
  type DeliveryAction,
  type DeliveryEvent,
} from '../../../machines/delivery.ts'
import type { Context } from '../platform/context.ts'
import { writeJournal } from '../platform/journal.ts'
import type { PayoutFields, RecordedTransfer } from '../platform/payouts.ts'
import { transactions } from '../platform/records.ts'
import { deliveries } from './orderRecords.ts'
import type { PayoutContext } from './payoutContext.ts'
import { sendPush } from './push/push.ts'
import { buildRecipientLink } from './recipientPage/links.ts'
import { buildReference } from './reference.ts'

export interface OrderUpdate {
  readonly order: DeliveryOrder
  readonly todo: readonly DeliveryAction[]
}

/** `now`: UTC ms. The reference is stored before the payout is sent. */
export function applyOrderEvent(
  id: string,
  order: DeliveryOrder,
  event: DeliveryEvent,
  now: number,
): OrderUpdate {
  const { delivery, todo } = applyDeliveryEvent(order, event)
  const next = { ...order, ...delivery }
  return {
    order: {
      ...next,
      // An order that has ended can no longer be held, so it needs no keys of its sender.
      persons: hasDeliveryEnded(next) ? [] : order.persons,
      reference: next.sentAt === null ? null : buildReference(id, next.attempt),
      screening: updateScreening(order, next.holds, event, now),
      since: next.state === order.state ? order.since : now,
      lookedAt: event.type === 'order.check' ? now : order.lookedAt,
      checkAt: isEarly(order, event, now) ? order.checkAt : getNextCheckTime(next, now),
    },
    todo,
  }
}

/** A hint's status check does not postpone the scheduled one. */
const isEarly = ({ checkAt }: DeliveryOrder, { type }: DeliveryEvent, now: number) =>
  type === 'order.check' && checkAt !== null && checkAt > now

/** The time for an answer counts from the first hold, so that a repeated search does not postpone it. */
function updateScreening(
  { screening }: DeliveryOrder,
  holds: DeliveryOrder['holds'],
  event: DeliveryEvent,
  now: number,
): DeliveryOrder['screening'] {
  if (!holds.some(isScreeningCause)) return screening
  const hits = 'hits' in event && event.hits ? [...event.hits] : (screening?.hits ?? [])
  return { answerBy: screening?.answerBy ?? now + SCREENING_ANSWER_PERIOD, hits }
}

export function storeDeliveryOrder(
  context: Pick<Context, 'db' | 'now' | 'deployment' | 'receipts'>,
  tx: Transaction,
  id: string,
  before: DeliveryOrder,
  order: DeliveryOrder,
): void {
  tx.set(deliveries(context.db).doc(id), order)
  const booked = bookDelivery(before, order)
  if (booked) writeJournal(context, tx, id, booked.change, booked.entries)
  const fields = buildPayoutFields(context, id, order)
  if (fields.delivery && !isSameDelivery(deriveDeliverySummary(before), fields.delivery))
    tx.update(transactions(context.db).doc(id), { ...fields })
}

/** The link's signature changes with the state, in the same write. */
const buildPayoutFields = (
  context: Pick<Context, 'deployment' | 'receipts'>,
  id: string,
  order: DeliveryOrder,
): PayoutFields => ({
  delivery: deriveDeliverySummary(order),
  recipientLink: buildRecipientLink(context, id, order),
})

export function notifyDevices(
  context: PayoutContext,
  id: string,
  before: DeliveryOrder,
  order: DeliveryOrder,
): void {
  const kind = choosePushKind(deriveDeliverySummary(before).stage, deriveDeliverySummary(order).stage)
  if (kind !== null) sendPush(context, { uid: order.uid, id, kind })
}

/** Runs in the transaction that records the transfer. The provider is chosen once. */
export function createDeliveryOrder(
  context: PayoutContext,
  tx: Transaction,
  { id, attemptKey, attempt, card, recipient }: RecordedTransfer,
  causes: readonly VelocityCause[],
): PayoutFields {
  const { db, providers, cancellationWindow, now } = context
  const { uid, transfer, payerName } = attempt
  const provider = providers.find(({ pays }) => pays(transfer.receivingMethod))
  const createdAt = now()
  const cancelableUntil = provider?.api ? createdAt + cancellationWindow : null
  const due: DeliveryOrder = {
    ...createDelivery({ isByHand: !provider?.api, cancelableUntil }),
    uid,
    persons: [...new Set([uid, ...(attempt.persons ?? []), ...card, recipient])],
    provider: provider?.name ?? 'byHand',
    attemptKey,
    net: transfer.quote.net,
    fee: transfer.quote.fee,
    ...buildPayout(transfer, payerName),
    createdAt,
    reference: null,
    screening: null,
    since: createdAt,
    lookedAt: null,
    checkAt: cancelableUntil,
  }
  const hold = (order: DeliveryOrder, cause: VelocityCause) =>
    applyOrderEvent(id, order, { type: 'order.hold', cause }, createdAt).order
  const order = causes.reduce(hold, due)
  tx.create(deliveries(db).doc(id), order)
  return buildPayoutFields(context, id, order)
}
