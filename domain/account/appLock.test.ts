import { expect, test } from 'vitest'
import { HOUR, SECOND } from '../common/duration.ts'
import { isLockDue, LOCK_DELAY } from './appLock.ts'

const left = { wall: Date.UTC(2026, 10, 20, 12), running: 40 * SECOND }
const after = (wall: number, running: number) => ({ wall: left.wall + wall, running: left.running + running })

test.each([
  { title: 'a short absence', wall: 10 * SECOND, running: 10 * SECOND, due: false },
  { title: 'an absence just below the limit', wall: LOCK_DELAY - 1, running: LOCK_DELAY - 1, due: false },
  { title: 'an absence of the limit', wall: LOCK_DELAY, running: LOCK_DELAY, due: true },
  { title: 'a device that slept, whose page stood still', wall: 8 * HOUR, running: SECOND, due: true },
  { title: 'a clock set back to hide a long absence', wall: SECOND, running: LOCK_DELAY, due: true },
  { title: 'a clock set back beyond the departure', wall: -SECOND, running: SECOND, due: true },
  { title: 'a clock set forward', wall: LOCK_DELAY, running: SECOND, due: true },
])('after $title, the lock is due: $due', ({ wall, running, due }) => {
  expect(isLockDue(left, after(wall, running))).toBe(due)
})
