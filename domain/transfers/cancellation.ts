import { SECOND } from '../common/duration.ts'
import type { DeliverySummary } from './deliverySchema.ts'

type Cancelable = Pick<DeliverySummary, 'isCancelable' | 'cancelableUntil'>

/** Whether the app offers to cancel the transfer at `now`, an instant of the server's clock (UTC ms). */
export const isCancellationOffered = (
  { isCancelable, cancelableUntil: until }: Cancelable,
  now: number,
): boolean => isCancelable && (until === null || now < until)

/** Returns the whole seconds left to cancel, rounded up; null without an offer or a time limit. */
export const countSecondsLeft = (delivery: Cancelable, now: number): number | null =>
  delivery.cancelableUntil !== null && isCancellationOffered(delivery, now)
    ? Math.ceil((delivery.cancelableUntil - now) / SECOND)
    : null

/**
 * Returns when the number of seconds left changes next (UTC ms); null if it does not change. The instants are
 * those of the window, so a device that slept shows the right number when it wakes up.
 */
export function getNextSecond(delivery: Cancelable, now: number): number | null {
  const seconds = countSecondsLeft(delivery, now)
  return seconds === null || delivery.cancelableUntil === null
    ? null
    : delivery.cancelableUntil - (seconds - 1) * SECOND
}
