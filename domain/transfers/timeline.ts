import { getLateTime } from '../numbers/promisedTime.ts'
import { isReturned } from './delivery.ts'
import type { DeliverySummary } from './deliverySchema.ts'
import { normalizeStatus } from './status.ts'
import type { Transaction } from './transaction.ts'

/** Instants in UTC ms. `delivery` is null if transfers are not paid out here; an arrival is then unknown. */
export type DeliveryTimeline =
  | { readonly stage: 'paying'; readonly begunAt: number }
  | {
      /**
       * `late`: waits for us, is later than promised, or is past its time before a provider has the money.
       * `due`: past its time, and only the recipient knows whether the money is there.
       */
      readonly stage: 'onItsWay' | 'late' | 'due'
      readonly paidAt: number
      readonly expectedBy: number
      readonly delivery: DeliverySummary | null
    }
  | {
      readonly stage: 'delivered' | 'failed' | 'canceled' | 'paidBack'
      readonly paidAt: number
      readonly delivery: DeliverySummary
    }

type Dated = Pick<Transaction, 'estimatedArrival' | 'promisedMinutes'>

/** UTC ms; null if time alone will not change it. */
export function getNextTimelineChangeTime(
  transaction: Dated & Pick<Transaction, 'delivery'>,
  now: number,
): number | null {
  const changes = [
    getLateTime(transaction),
    transaction.estimatedArrival,
    transaction.delivery?.answerBy ?? 0,
  ].filter((at) => at > now)
  return changes.length > 0 ? Math.min(...changes) : null
}

/** Never known without a payout provider. */
export const isKnownLate = (timeline: DeliveryTimeline | null): boolean =>
  timeline?.stage === 'late' || (timeline?.stage === 'due' && timeline.delivery !== null)

/** At `now` (UTC ms); null if the money will not arrive. */
export function buildTimeline(
  {
    status,
    createdAt,
    settledAt,
    estimatedArrival: expectedBy,
    promisedMinutes,
    delivery,
  }: Dated & Pick<Transaction, 'status' | 'createdAt' | 'settledAt' | 'delivery'>,
  now: number,
): DeliveryTimeline | null {
  const paidAt = settledAt
  if (isReturned(delivery)) return { stage: delivery.stage, paidAt, delivery }
  switch (normalizeStatus(status)) {
    case 'completed': {
      if (delivery?.stage === 'delivered') return { stage: 'delivered', paidAt, delivery }
      const isOrdered = delivery?.stage === 'ordered'
      const isOver = now >= expectedBy
      const isLate = isOver
        ? isOrdered
        : now >= getLateTime({ estimatedArrival: expectedBy, promisedMinutes })
      const stage = isLate || (isOrdered && delivery.isLate) ? 'late' : isOver ? 'due' : 'onItsWay'
      return { stage, paidAt, expectedBy, delivery }
    }
    case 'pending':
      return { stage: 'paying', begunAt: createdAt }
    case 'failed':
    case 'canceled':
    case 'unknown':
      return null
  }
}
