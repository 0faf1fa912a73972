import type { DeliveryNews } from './delivery.ts'
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
       * `late`: it waits for us, or the expected time has passed and nobody has the money yet who brings it. `due`: that time has passed, and
       * whether the money is there, only the recipient knows.
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

/** The timeline of a stored transfer at `now` (UTC ms); null for one of which nothing is to be expected. */
export function timelineOf(
  {
    status,
    createdAt,
    settledAt,
    estimatedArrival: expectedBy,
    delivery: news,
  }: Pick<Transaction, 'status' | 'createdAt' | 'settledAt' | 'estimatedArrival' | 'delivery'>,
  now: number,
): Timeline | null {
  const paidAt = settledAt ?? createdAt
  // A row that the device kept from before has none.
  const delivery = news ?? null
  if (delivery?.stage === 'failed' || delivery?.stage === 'paidBack')
    return { stage: delivery.stage, paidAt, delivery }
  switch (normaliseStatus(status)) {
    case 'completed': {
      if (delivery?.stage === 'delivered') return { stage: 'delivered', paidAt, delivery }
      const isOver = now >= expectedBy
      const isLate = delivery?.stage === 'ordered' && (delivery.isLate || isOver)
      return { stage: isLate ? 'late' : isOver ? 'due' : 'onItsWay', paidAt, expectedBy, delivery }
    }
    case 'pending':
      return { stage: 'paying', begunAt: createdAt }
    case 'failed':
    case 'canceled':
    case 'unknown':
      return null
  }
}
