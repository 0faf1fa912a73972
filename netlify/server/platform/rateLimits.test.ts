import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countRateLimitUse, type RateLimit } from './rateLimits.ts'

const LIMIT: RateLimit = { name: 'test', most: 3, windowMs: 1000 }

function answers(limit: RateLimit, times: readonly number[]) {
  let stored: Parameters<typeof countRateLimitUse>[0]
  return times.map((at) => {
    const use = countRateLimitUse(stored, limit, at)
    if (use.ok) stored = use.value
    return use.ok ? use.value.at : use.error.waitMs
  })
}

describe('a rate limit', () => {
  test.each<[string, number[], (number | number[])[]]>([
    ['admits as many uses as it allows', [0, 1, 2], [[0], [0, 1], [0, 1, 2]]],
    ['returns how long to wait', [0, 400, 500, 999], [[0], [0, 400], [0, 400, 500], 1]],
    [
      'admits again when the first use has left the window',
      [0, 1, 2, 1000],
      [[0], [0, 1], [0, 1, 2], [1, 2, 1000]],
    ],
    ['does not count refused uses', [0, 1, 2, 998, 999, 1000], [[0], [0, 1], [0, 1, 2], 2, 1, [1, 2, 1000]]],
    ['forgets uses that have left the window', [0, 1, 2, 5000], [[0], [0, 1], [0, 1, 2], [5000]]],
    [
      'stores uses in order when a clock is behind',
      [100, 90, 95, 100],
      [[100], [90, 100], [90, 95, 100], 990],
    ],
  ])('a rate limit %s', (_, times, expected) => {
    expect(answers(LIMIT, times)).toEqual(expected)
  })

  test('a rate limit expires when its latest use has left the window', () => {
    expect(countRateLimitUse({ at: [700], endsAt: 1700 }, LIMIT, 600)).toEqual({
      ok: true,
      value: { at: [600, 700], endsAt: 1700 },
    })
  })

  test('a stricter limit waits for all surplus uses to expire', () => {
    const stored = { at: [0, 10, 20], endsAt: 1020 }
    expect(countRateLimitUse(stored, { ...LIMIT, most: 1 }, 500)).toEqual({
      ok: false,
      error: { waitMs: 520 },
    })
  })

  test('a limit admits no surplus, and returns the shortest wait', () => {
    const limits = fc.record({
      name: fc.constant('test'),
      most: fc.integer({ min: 1, max: 6 }),
      windowMs: fc.integer({ min: 1, max: 1000 }),
    })
    fc.assert(
      fc.property(limits, fc.array(fc.nat(300), { maxLength: 60 }), (limit, gaps) => {
        let at = 0
        let stored: Parameters<typeof countRateLimitUse>[0]
        const admitted: number[] = []
        for (const gap of gaps) {
          at += gap
          const use = countRateLimitUse(stored, limit, at)
          if (use.ok) {
            admitted.push(at)
            stored = use.value
          } else {
            expect(countRateLimitUse(stored, limit, at + use.error.waitMs - 1).ok).toBe(false)
            expect(countRateLimitUse(stored, limit, at + use.error.waitMs).ok).toBe(true)
          }
          const now = at
          expect(admitted.filter((time) => time > now - limit.windowMs).length).toBeLessThanOrEqual(
            limit.most,
          )
          expect(stored?.at.length).toBeLessThanOrEqual(limit.most)
        }
      }),
    )
  })
})
