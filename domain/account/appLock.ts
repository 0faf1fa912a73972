import { MINUTE } from '../common/duration.ts'

/** Time in the background after which the app locks, in milliseconds: enough to answer the bank's app. */
export const LOCK_DELAY = 5 * MINUTE

/** A moment by two clocks, in milliseconds. */
export interface Moment {
  /** The device's clock (UTC), which its user can set. */
  readonly wall: number
  /** Time since the page was opened. It may stand still while the device sleeps. */
  readonly running: number
}

/** Whether the app was in the background too long to show its screen again, by either clock. */
export const isLockDue = (left: Moment, back: Moment): boolean =>
  back.wall < left.wall || back.wall - left.wall >= LOCK_DELAY || back.running - left.running >= LOCK_DELAY
