import { HOUR, MINUTE } from './duration.ts'
import type { DeliveryNews } from './schemas/delivery.ts'
import { normaliseStatus } from './status.ts'

/** How long after its expected time a transfer is still worth an announcement, in milliseconds. */
const ANNOUNCED_FOR = 24 * HOUR

/**
 * When money sent at `sentAt` is expected; both in UTC ms. Within the minutes that were promised, or else one hour later. Specification,
 * section 9.
 */
export function estimatedArrival(sentAt: number, promisedMinutes: number | null = null): number {
  return sentAt + (promisedMinutes === null ? HOUR : promisedMinutes * MINUTE)
}

/** How long after it an arrival that is known is still worth one, in milliseconds: whoever was away is told too. */
const ARRIVAL_ANNOUNCED_FOR = 7 * 24 * HOUR

interface Expected {
  readonly type: 'sent' | 'received'
  readonly status: string
  readonly estimatedArrival: number
  readonly promisedMinutes?: number | null
  readonly delivery?: DeliveryNews | null
}

/**
 * Which transfer's expected time has come by `now` and was not announced yet, the earliest first, and when the next one's
 * comes; null for none. What the person received was sent by somebody else, and is not announced; nor is one of which more is known: that it has
 * arrived, that nobody has the money yet who brings it, or that it comes later than was promised. `toldUntil`: what was expected up to then has been announced. All in UTC ms.
 */
export function dueArrival<Row extends Expected>(
  rows: readonly Row[],
  toldUntil: number,
  now: number,
): { readonly due: Row | null; readonly nextAt: number | null } {
  const since = Math.max(toldUntil, now - ANNOUNCED_FOR)
  const expected = rows
    .filter(
      ({ type, status, delivery, promisedMinutes }) =>
        type === 'sent' &&
        ['completed', 'pending'].includes(normaliseStatus(status)) &&
        (!delivery || (delivery.stage === 'handedOver' && !promisedMinutes)),
    )
    .sort((one, other) => one.estimatedArrival - other.estimatedArrival)
  return {
    due: expected.find(({ estimatedArrival: at }) => since < at && at <= now) ?? null,
    nextAt: expected.find(({ estimatedArrival: at }) => at > now)?.estimatedArrival ?? null,
  }
}

/** Whether money has arrived, by what a device knew of the transfer and what it hears now. */
export const hasArrived = (
  before: { readonly delivery?: DeliveryNews | null } | undefined,
  after: { readonly delivery?: DeliveryNews | null },
): boolean =>
  after.delivery?.stage === 'delivered' && !!before?.delivery && before.delivery.stage !== 'delivered'

/**
 * Which transfer has arrived by `now` (UTC ms) and the person has not heard of it, the earliest first; null for none. `arrivedSince`: the
 * device has learned of it, and said nothing yet.
 */
export function newArrival<
  Row extends { readonly delivery?: DeliveryNews | null; readonly arrivedSince?: boolean },
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
