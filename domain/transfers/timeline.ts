import { getLateTime } from '../numbers/promisedTime.ts'
import type { DeliverySummary } from './deliverySchema.ts'
import { normalizeStatus } from './status.ts'
import type { Transaction } from './transaction.ts'

/**
 * The known progress of a transfer. Instants in UTC ms. `delivery` is null if transfers are not paid out
 * here; an arrival is then unknown.
 */
export type DeliveryTimeline =
  | { readonly stage: 'paying'; readonly begunAt: number }
  | {
      /**
       * `late`: the transfer waits for us, is later than promised, or is past the expected time before a
       * provider has the money. `due`: it is past the expected time, and only the recipient knows whether the
       * money is there.
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

/** Returns when the timeline next changes with time alone (UTC ms); null if it will not. */
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

/** Whether the transfer is known to be late. Without a payout provider this is never known. */
export const isKnownLate = (timeline: DeliveryTimeline | null): boolean =>
  timeline?.stage === 'late' || (timeline?.stage === 'due' && timeline.delivery !== null)

/** Builds the timeline of a stored transfer at `now` (UTC ms); null if its money will not arrive. */
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
  if (delivery?.stage === 'failed' || delivery?.stage === 'canceled' || delivery?.stage === 'paidBack')
    return { stage: delivery.stage, paidAt, delivery }
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
