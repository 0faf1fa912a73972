import { HOUR, MINUTE } from '../common/duration.ts'
import type { DeliverySummary } from './deliverySchema.ts'
import { normalizeStatus } from './status.ts'

/** How long an expected arrival is still announced after its time, in milliseconds. */
const ANNOUNCED_FOR = 24 * HOUR

/**
 * Returns when money sent at `sentAt` is expected to arrive (both UTC ms): after the promised minutes, or one
 * hour without a promise. Specification, section 9.
 */
export function estimateArrival(sentAt: number, promisedMinutes: number | null = null): number {
  return sentAt + (promisedMinutes === null ? HOUR : promisedMinutes * MINUTE)
}

/** How long a confirmed arrival is still announced, in milliseconds, to reach users who were away. */
const ARRIVAL_ANNOUNCED_FOR = 7 * 24 * HOUR

interface Expected {
  readonly type: 'sent' | 'received'
  readonly status: string
  readonly estimatedArrival: number
  readonly promisedMinutes?: number | null
  readonly delivery?: DeliverySummary | null
}

/**
 * Finds the earliest transfer whose expected time has passed by `now` without an announcement, and the next
 * expected time; null if there is none. Ignores received transfers, and those whose delivery is known to have
 * arrived, to be late or not to be handed over yet. `toldUntil`: transfers expected up to this instant were
 * announced. Instants are UTC ms.
 */
export function findDueArrival<Row extends Expected>(
  rows: readonly Row[],
  toldUntil: number,
  now: number,
): { readonly due: Row | null; readonly nextAt: number | null } {
  const since = Math.max(toldUntil, now - ANNOUNCED_FOR)
  const expected = rows
    .filter(
      ({ type, status, delivery, promisedMinutes }) =>
        type === 'sent' &&
        ['completed', 'pending'].includes(normalizeStatus(status)) &&
        (!delivery || (delivery.stage === 'handedOver' && !promisedMinutes)),
    )
    .sort((one, other) => one.estimatedArrival - other.estimatedArrival)
  return {
    due: expected.find(({ estimatedArrival: at }) => since < at && at <= now) ?? null,
    nextAt: expected.find(({ estimatedArrival: at }) => at > now)?.estimatedArrival ?? null,
  }
}

/** Whether the money arrived between two versions of a transfer on this device. */
export const hasArrived = (
  before: { readonly delivery?: DeliverySummary | null } | undefined,
  after: { readonly delivery?: DeliverySummary | null },
): boolean =>
  after.delivery?.stage === 'delivered' && !!before?.delivery && before.delivery.stage !== 'delivered'

/**
 * Finds the earliest transfer that has arrived by `now` (UTC ms) without an announcement; null if there is
 * none. `arrivedSince`: the device knows of the arrival and has not announced it yet.
 */
export function findNewArrival<
  Row extends { readonly delivery?: DeliverySummary | null; readonly arrivedSince?: boolean },
>(rows: readonly Row[], now: number): { readonly row: Row; readonly arrivedAt: number } | null {
  const [first = null] = rows
    .flatMap((row) => {
      const arrivedAt = row.delivery?.deliveredAt
      return row.arrivedSince && arrivedAt ? [{ row, arrivedAt }] : []
    })
    .filter(({ arrivedAt }) => now - arrivedAt < ARRIVAL_ANNOUNCED_FOR)
    .sort((one, other) => one.arrivedAt - other.arrivedAt)
  return first
}
