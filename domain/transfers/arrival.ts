import { HOUR, MINUTE } from '../common/duration.ts'
import type { DeliverySummary } from './deliverySchema.ts'
import { normalizeStatus } from './status.ts'

const ANNOUNCED_FOR = 24 * HOUR

/** UTC ms. Specification, section 9: one hour without a promise. */
export function estimateArrival(sentAt: number, promisedMinutes: number | null = null): number {
  return sentAt + (promisedMinutes === null ? HOUR : promisedMinutes * MINUTE)
}

/** Milliseconds; long enough to reach users who were away. */
const ARRIVAL_ANNOUNCED_FOR = 7 * 24 * HOUR

interface Expected {
  readonly type: 'sent' | 'received'
  readonly status: string
  readonly estimatedArrival: number
  readonly promisedMinutes?: number | null
  readonly delivery?: DeliverySummary | null
}

/**
 * The earliest due by `now` and the next one (UTC ms). `toldUntil`: announced so far. Ignores deliveries
 * known to have arrived, to be late or not to be handed over.
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

export const hasArrived = (
  before: { readonly delivery?: DeliverySummary | null } | undefined,
  after: { readonly delivery?: DeliverySummary | null },
): boolean =>
  after.delivery?.stage === 'delivered' && !!before?.delivery && before.delivery.stage !== 'delivered'

/** The earliest at `now` (UTC ms). `arrivedSince`: the device has not announced the arrival yet. */
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
