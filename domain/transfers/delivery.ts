import { DAY } from '../common/duration.ts'
import type { DeliveryStage, DeliverySummary } from './deliverySchema.ts'
import type { Transaction } from './transaction.ts'

// The delivery as the sender sees it. The delivery order is in domain/payouts.

export const isSameDelivery = (one: DeliverySummary, other: DeliverySummary): boolean =>
  (Object.keys(one) as (keyof DeliverySummary)[]).every((field) => one[field] === other[field])

/** The shown transfer with the delivery of its `row` and the link that proves it; the same object without news. */
export function followDelivery(
  shown: Transaction,
  { status, delivery, recipientLink }: Transaction,
): Transaction {
  const isKnown = !delivery || (shown.delivery && isSameDelivery(shown.delivery, delivery))
  return isKnown ? shown : { ...shown, status, delivery, recipientLink }
}

/** Milliseconds after a payment; opening the receipt later polls again. */
const FOLLOWED_FOR = 30 * DAY

export const OPEN_STAGES = [
  ...(['ordered', 'handedOver', 'failed', 'canceled'] as const),
] as const satisfies readonly DeliveryStage[]

export const isOpenDelivery = (delivery: DeliverySummary | null): boolean =>
  OPEN_STAGES.some((stage) => stage === delivery?.stage)

/** The money can't arrive, so the charge was or will be refunded. */
export const isReturned = (
  delivery: DeliverySummary | null,
): delivery is DeliverySummary & { readonly stage: 'failed' | 'canceled' | 'paidBack' } =>
  delivery?.stage === 'failed' || delivery?.stage === 'canceled' || delivery?.stage === 'paidBack'

/** At `now` (UTC ms). */
export function shouldPollDelivery(
  { delivery, createdAt }: { readonly delivery: DeliverySummary | null; readonly createdAt: number },
  now: number,
): boolean {
  return isOpenDelivery(delivery) && now - createdAt < FOLLOWED_FOR
}
