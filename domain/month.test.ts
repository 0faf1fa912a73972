import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { formatDay, monthOf, monthRange, nextMonthStart } from './month.ts'

// Where a local month ends hours after the one of UTC, so that a mix-up of the two shows.
beforeAll(() => {
  vi.stubEnv('TZ', 'America/Montreal')
})
afterAll(() => {
  vi.unstubAllEnvs()
})

test('the tests run where local time is not UTC', () => {
  expect(new Date('2026-11-01T01:00:00Z').getMonth()).toBe(9)
})

test.each([
  ['2026-01-31T23:59:59.999Z', '2026-01', '2026-02-01T00:00:00.000Z'],
  ['2026-02-01T00:00:00.000Z', '2026-02', '2026-03-01T00:00:00.000Z'],
  ['2028-02-29T23:59:59.999Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T00:00:00.000Z', '2027-01', '2027-02-01T00:00:00.000Z'],
  // Still the month before in Montreal, already the next one in Paris: the month is the one of UTC.
  ['2026-11-01T01:00:00.000Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-10-31T23:30:00.000Z', '2026-10', '2026-11-01T00:00:00.000Z'],
])('%s is in %s, which ends at %s', (instant, month, next) => {
  expect(monthOf(Date.parse(instant))).toBe(month)
  expect(new Date(nextMonthStart(Date.parse(instant))).toISOString()).toBe(next)
})

test('the range of a month', () => {
  expect(monthRange('2026-12')).toEqual({ start: Date.UTC(2026, 11, 1), end: Date.UTC(2027, 0, 1) })
})

test('every instant lies in the range of its month, and the edges belong to one month only @spec-month', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2100, 0) }), (ms) => {
      const { start, end } = monthRange(monthOf(ms))
      expect(start <= ms && ms < end).toBe(true)
      expect(nextMonthStart(ms)).toBe(end)
      expect([monthOf(start), monthOf(end - 1)]).toEqual([monthOf(ms), monthOf(ms)])
      expect([monthOf(start - 1), monthOf(end)]).not.toContain(monthOf(ms))
    }),
  )
})

test.each([
  ['2026-12-01T00:00:00Z', 'fr', '1er décembre 2026'],
  ['2026-12-01T00:00:00Z', 'en', '1 December 2026'],
  ['2026-12-11T23:59:59Z', 'fr', '11 décembre 2026'],
  ['2026-12-31T00:00:00Z', 'fr', '31 décembre 2026'],
] as const)('%s is in %s the day %s, wherever the device is', (at, language, expected) => {
  expect(formatDay(Date.parse(at), language)).toBe(expected)
})
