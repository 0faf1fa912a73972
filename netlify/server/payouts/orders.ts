import type { Transaction } from 'firebase-admin/firestore'
import { type DeliveryOrder, isSameNews, newsOf, nextLook } from '../../../domain/delivery.ts'
import { pushFor } from '../../../domain/push.ts'
import type { DeliveryNews } from '../../../domain/schemas/delivery.ts'
import { type DeliveryAction, type DeliveryEvent, newDelivery, nextOf } from '../../../machines/delivery.ts'
import type { Context } from '../platform/context.ts'
import type { RecordedTransfer } from '../platform/payouts.ts'
import { deliveries, transactions } from '../platform/records.ts'
import type { PayoutContext } from './payoutContext.ts'
import { tellDevices } from './push/push.ts'
import { buildReference } from './reference.ts'

/** What an order has become, and what is to be done. */
export interface Next {
  readonly order: DeliveryOrder
  readonly todo: readonly DeliveryAction[]
}

/** The order after the news, as it is to be stored at `now` (UTC ms). A reference stands in it before anybody is told to use it. */
export function nextOrder(id: string, order: DeliveryOrder, event: DeliveryEvent, now: number): Next {
  const { delivery, todo } = nextOf(order, event)
  const next = { ...order, ...delivery }
  return {
    order: {
      ...next,
      reference: next.sentAt === null ? null : buildReference(id, next.attempt),
      since: next.state === order.state ? order.since : now,
      lookedAt: event.type === 'order.look' ? now : order.lookedAt,
      checkAt: isEarly(order, event, now) ? order.checkAt : nextLook(next, now),
    },
    todo,
  }
}

/** By a hint: however many come, it is looked at in its time too. */
const isEarly = ({ checkAt }: DeliveryOrder, { type }: DeliveryEvent, now: number) =>
  type === 'order.look' && checkAt !== null && checkAt > now

/** Stores what an order has become, and in its transfer what the person may know of that, where it is something else than before. */
export function storeOrder(
  { db }: Pick<Context, 'db'>,
  tx: Transaction,
  id: string,
  before: DeliveryOrder,
  order: DeliveryOrder,
): void {
  tx.set(deliveries(db).doc(id), order)
  const news = newsOf(order)
  if (!isSameNews(newsOf(before), news)) tx.update(transactions(db).doc(id), { delivery: news })
}

/** Tells the person's devices what an order has become, once that is stored. */
export function tellChange(
  context: PayoutContext,
  id: string,
  before: DeliveryOrder,
  order: DeliveryOrder,
): void {
  const kind = pushFor(newsOf(before).stage, newsOf(order).stage)
  if (kind !== null) tellDevices(context, { uid: order.uid, id, kind })
}

/**
 * Writes the delivery order of a transfer that the database transaction records. The provider of its wallet is chosen once; without one,
 * an operator pays by hand. Returns what the sender may know about it.
 */
export function createOrder(
  { db, providers, now }: PayoutContext,
  tx: Transaction,
  { id, attemptKey, attempt }: RecordedTransfer,
): DeliveryNews {
  const { uid, transfer } = attempt
  const provider = providers.find(({ pays }) => pays(transfer.receivingMethod))
  const createdAt = now()
  const order: DeliveryOrder = {
    ...newDelivery({ isByHand: !provider?.api }),
    uid,
    provider: provider?.name ?? 'byHand',
    attemptKey,
    amount: transfer.quote.converted,
    phone: transfer.phone,
    wallet: transfer.receivingMethod,
    createdAt,
    reference: null,
    since: createdAt,
    lookedAt: null,
    checkAt: provider?.api ? createdAt : null,
  }
  tx.create(deliveries(db).doc(id), order)
  return newsOf(order)
}
