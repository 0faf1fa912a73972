import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '../common/duration.ts'
import { countSecondsLeft, getNextSecond, isCancellationOffered } from './cancellation.ts'

const UNTIL = Date.UTC(2026, 10, 20, 12)
const timed = { isCancelable: true, cancelableUntil: UNTIL }
const untimed = { isCancelable: true, cancelableUntil: null }
const over = { isCancelable: false, cancelableUntil: null }

describe('canceling', () => {
  test.each([
    [timed, -MINUTE, true],
    [timed, -1, true],
    [timed, 0, false],
    [untimed, MINUTE, true],
    [over, -MINUTE, false],
  ])('the offer %j is open %i ms after its end: %s', (delivery, after, expected) => {
    expect(isCancellationOffered(delivery, UNTIL + after)).toBe(expected)
  })

  test.each([
    [-MINUTE, 60, -MINUTE + 1000],
    [-MINUTE + 1, 60, -MINUTE + 1000],
    [-1000, 1, 0],
    [-1, 1, 0],
    [0, null, null],
  ])('the countdown %i ms before its end shows %s seconds, until %s', (after, seconds, next) => {
    expect(countSecondsLeft(timed, UNTIL + after)).toBe(seconds)
    expect(getNextSecond(timed, UNTIL + after)).toBe(next === null ? null : UNTIL + next)
  })

  test('an offer without a time limit has no countdown', () => {
    for (const delivery of [untimed, over]) {
      expect(countSecondsLeft(delivery, UNTIL)).toBe(null)
      expect(getNextSecond(delivery, UNTIL)).toBe(null)
    }
  })

  test('the countdown shows one second less at each instant that it names', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 * MINUTE }), (left) => {
        const now = UNTIL - left
        const next = getNextSecond(timed, now) ?? 0
        expect(next).toBeGreaterThan(now)
        expect(countSecondsLeft(timed, next) ?? 0).toBe((countSecondsLeft(timed, now) ?? 0) - 1)
      }),
    )
  })
})
