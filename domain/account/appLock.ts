import { MINUTE } from '../common/duration.ts'

/** Milliseconds in the background after which the app locks: enough to answer the bank's app. */
export const LOCK_DELAY = 5 * MINUTE

/** A moment by two clocks, in milliseconds. */
export interface Moment {
  /** Device clock (UTC), which the user can set. */
  readonly wall: number
  /** Time since the page was opened; it may stand still while the device sleeps. */
  readonly running: number
}

export const isLockDue = (left: Moment, back: Moment): boolean =>
  back.wall < left.wall || back.wall - left.wall >= LOCK_DELAY || back.running - left.running >= LOCK_DELAY
