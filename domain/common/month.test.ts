import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { formatDay, formatNextReset, getMonthRange, getNextMonthStart, toMonth } from './month.ts'

// In this time zone a local month ends hours after the UTC month, so confusing them fails a test.
beforeEach(() => {
  vi.stubEnv('TZ', 'America/Montreal')
})

test('the tests of months run in a time zone other than UTC', () => {
  expect(new Date('2026-11-01T01:00:00Z').getMonth()).toBe(9)
})

test.each([
  ['2026-01-31T23:59:59.999Z', '2026-01', '2026-02-01T00:00:00.000Z'],
  ['2026-02-01T00:00:00.000Z', '2026-02', '2026-03-01T00:00:00.000Z'],
  ['2028-02-29T23:59:59.999Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T00:00:00.000Z', '2027-01', '2027-02-01T00:00:00.000Z'],
  // Still the previous month in Montréal, already the next one in Paris: UTC decides.
  ['2026-11-01T01:00:00.000Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ['2026-10-31T23:30:00.000Z', '2026-10', '2026-11-01T00:00:00.000Z'],
])('finds the UTC month of %s: %s, which ends at %s', (instant, month, next) => {
  expect(toMonth(Date.parse(instant))).toBe(month)
  expect(new Date(getNextMonthStart(Date.parse(instant))).toISOString()).toBe(next)
})

test('the range of a month ends where the next month begins', () => {
  expect(getMonthRange('2026-12')).toEqual({ start: Date.UTC(2026, 11, 1), end: Date.UTC(2027, 0, 1) })
})

test('puts every instant into exactly one month @spec-month', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2100, 0) }), (ms) => {
      const { start, end } = getMonthRange(toMonth(ms))
      expect(start <= ms && ms < end).toBe(true)
      expect(getNextMonthStart(ms)).toBe(end)
      expect([toMonth(start), toMonth(end - 1)]).toEqual([toMonth(ms), toMonth(ms)])
      expect([toMonth(start - 1), toMonth(end)]).not.toContain(toMonth(ms))
    }),
  )
})

test.each([
  ['2026-12-01T00:00:00Z', 'fr', '1er décembre 2026'],
  ['2026-12-01T00:00:00Z', 'en', '1 December 2026'],
  ['2026-12-11T23:59:59Z', 'fr', '11 décembre 2026'],
  ['2026-12-31T00:00:00Z', 'fr', '31 décembre 2026'],
] as const)('formats %s in %s as the UTC day %s in every zone', (at, language, expected) => {
  expect(formatDay(Date.parse(at), language)).toBe(expected)
})

test('the next reset is a day without its year', () => {
  expect(formatNextReset(Date.parse('2026-11-20T12:00:00Z'), 'fr')).toBe('1er décembre')
  expect(formatNextReset(Date.parse('2026-12-31T23:59:59Z'), 'en')).toBe('1 January')
})
