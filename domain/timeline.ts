import { lateFrom } from './promise.ts'
import type { DeliveryNews } from './schemas/delivery.ts'
import { normaliseStatus } from './status.ts'
import type { Transaction } from './transaction.ts'

/**
 * How far a transfer has come, as far as anybody has told us. Instants in UTC ms. `delivery` is what the functions tell of it; null where
 * nobody pays out, and then nothing here says that the money arrived.
 */
export type Timeline =
  | { readonly stage: 'paying'; readonly begunAt: number }
  | {
      /**
       * `late`: it waits for us, it will not arrive within the promised time, or the expected time has passed and nobody has the money yet who
       * brings it. `due`: that time has passed, and whether the money is there, only the recipient knows.
       */
      readonly stage: 'onItsWay' | 'late' | 'due'
      readonly paidAt: number
      readonly expectedBy: number
      readonly delivery: DeliveryNews | null
    }
  | {
      readonly stage: 'delivered' | 'failed' | 'paidBack'
      readonly paidAt: number
      readonly delivery: DeliveryNews
    }

type Dated = Pick<Transaction, 'estimatedArrival' | 'promisedMinutes'>

/** When time alone changes the timeline of a transfer next, in UTC ms; null when it changes nothing any more. */
export const nextTurn = (transaction: Dated, now: number): number | null =>
  [lateFrom(transaction), transaction.estimatedArrival].find((at) => at > now) ?? null

/** Whether it is known that the money did not arrive when it was expected. Where nobody pays out, nobody knows. */
export const isLater = (timeline: Timeline | null): boolean =>
  timeline?.stage === 'late' || (timeline?.stage === 'due' && timeline.delivery !== null)

/** The timeline of a stored transfer at `now` (UTC ms); null for one of which nothing is to be expected. */
export function timelineOf(
  {
    status,
    createdAt,
    settledAt,
    estimatedArrival: expectedBy,
    promisedMinutes,
    delivery: news,
  }: Dated & Pick<Transaction, 'status' | 'createdAt' | 'settledAt' | 'delivery'>,
  now: number,
): Timeline | null {
  const paidAt = settledAt
  // A row that the device kept from before has none.
  const delivery = news ?? null
  if (delivery?.stage === 'failed' || delivery?.stage === 'paidBack')
    return { stage: delivery.stage, paidAt, delivery }
  switch (normaliseStatus(status)) {
    case 'completed': {
      if (delivery?.stage === 'delivered') return { stage: 'delivered', paidAt, delivery }
      const isOrdered = delivery?.stage === 'ordered'
      const isOver = now >= expectedBy
      const isLate = isOver ? isOrdered : now >= lateFrom({ estimatedArrival: expectedBy, promisedMinutes })
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
