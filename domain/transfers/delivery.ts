import { DAY } from '../common/duration.ts'
import type { DeliveryStage, DeliverySummary } from './deliverySchema.ts'

// The delivery as the sender sees it in the transfer. The delivery order is in domain/payouts.

/**
 * Returns the provider's public name; null for payouts by hand and for providers that only a newer server
 * knows.
 */
export const getProviderName = (by: string): string | null => (by === 'mtn' ? 'MTN Mobile Money' : null)

/** Whether both deliveries have the same fields. */
export const isSameDelivery = (one: DeliverySummary, other: DeliverySummary): boolean =>
  (Object.keys(one) as (keyof DeliverySummary)[]).every((field) => one[field] === other[field])

/**
 * How long after a payment the app polls its delivery, in milliseconds. Opening the receipt later polls
 * again.
 */
const FOLLOWED_FOR = 30 * DAY

/** The stages that can still change. */
export const OPEN_STAGES = [
  ...(['ordered', 'handedOver', 'failed', 'canceled'] as const),
] as const satisfies readonly DeliveryStage[]

/** Whether the delivery can still change. */
export const isOpenDelivery = (delivery: DeliverySummary | null): boolean =>
  OPEN_STAGES.some((stage) => stage === delivery?.stage)

/** Whether the delivery can still change and the transfer is recent enough at `now` (UTC ms) to poll. */
export function shouldPollDelivery(
  { delivery, createdAt }: { readonly delivery: DeliverySummary | null; readonly createdAt: number },
  now: number,
): boolean {
  return isOpenDelivery(delivery) && now - createdAt < FOLLOWED_FOR
}
