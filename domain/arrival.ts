import { normaliseStatus } from './status.ts'

const HOUR = 3_600_000

/** How long after its expected time a transfer is still worth an announcement, in milliseconds. */
const ANNOUNCED_FOR = 24 * HOUR

/** When money sent at `sentAt` is expected; both in UTC ms. One hour later. Specification, section 9. */
export function estimatedArrival(sentAt: number): number {
  return sentAt + HOUR
}

interface Expected {
  readonly type: 'sent' | 'received'
  readonly status: string
  readonly estimatedArrival: number
}

/**
 * Which transfer's expected time has come by `now` and was not announced yet, the earliest first, and when the next one's
 * comes; null for none. What the person received was sent by somebody else, and is not announced. `toldUntil`: what was expected up to then has been announced. All in UTC ms.
 */
export function dueArrival<Row extends Expected>(
  rows: readonly Row[],
  toldUntil: number,
  now: number,
): { readonly due: Row | null; readonly nextAt: number | null } {
  const since = Math.max(toldUntil, now - ANNOUNCED_FOR)
  const expected = rows
    .filter(
      ({ type, status }) => type === 'sent' && ['completed', 'pending'].includes(normaliseStatus(status)),
    )
    .sort((one, other) => one.estimatedArrival - other.estimatedArrival)
  return {
    due: expected.find(({ estimatedArrival: at }) => since < at && at <= now) ?? null,
    nextAt: expected.find(({ estimatedArrival: at }) => at > now)?.estimatedArrival ?? null,
  }
}
