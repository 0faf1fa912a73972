import { SECOND } from '../common/duration.ts'
import type { DeliverySummary } from './deliverySchema.ts'

type Cancelable = Pick<DeliverySummary, 'isCancelable' | 'cancelableUntil'>

/** `now`: the server's clock (UTC ms). */
export const isCancellationOffered = (
  { isCancelable, cancelableUntil: until }: Cancelable,
  now: number,
): boolean => isCancelable && (until === null || now < until)

/** Rounded up; null without an offer or a time limit. */
export const countSecondsLeft = (delivery: Cancelable, now: number): number | null =>
  delivery.cancelableUntil !== null && isCancellationOffered(delivery, now)
    ? Math.ceil((delivery.cancelableUntil - now) / SECOND)
    : null

/** UTC ms. Counted from the window's end, so a device that slept shows the right number when it wakes up. */
export function getNextSecond(delivery: Cancelable, now: number): number | null {
  const seconds = countSecondsLeft(delivery, now)
  return seconds === null || delivery.cancelableUntil === null
    ? null
    : delivery.cancelableUntil - (seconds - 1) * SECOND
}
