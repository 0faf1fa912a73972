import { beforeEach, expect, test, vi } from 'vitest'
import { formatLocalDay, formatLocalMinute } from './localDay.ts'

beforeEach(() => {
  vi.stubEnv('TZ', 'America/Montreal')
})

test.each([
  ['2026-12-06T01:30:00Z', 'fr', '5 décembre 2026'],
  ['2026-12-06T01:30:00Z', 'en', '5 December 2026'],
  ['2026-12-06T05:00:00Z', 'fr', '6 décembre 2026'],
  ['2026-12-02T04:59:59Z', 'fr', '1er décembre 2026'],
  ['2027-01-01T04:59:59Z', 'en', '31 December 2026'],
] as const)('formats the instant %s in %s as the day %s in Montréal', (at, language, expected) => {
  expect(formatLocalDay(Date.parse(at), language)).toBe(expected)
})

test.each([
  ['2026-12-02T04:29:00.001Z', 'fr', '1er décembre 2026 à 23:30'],
  ['2026-12-02T04:30:00Z', 'en', '1 December 2026 at 23:30'],
  ['2026-12-02T04:59:01Z', 'fr', '2 décembre 2026 à 00:00'],
] as const)('formats the instant %s in %s as the minute %s in Montréal', (at, language, expected) => {
  expect(formatLocalMinute(Date.parse(at), language)).toBe(expected)
})
