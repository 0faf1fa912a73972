import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR } from './duration.ts'
import { getSupportHours } from './supportHours.ts'

/** Paris is at +01:00 in winter and +02:00 in summer; the clocks change on 29 March and 25 October. */
test.each([
  ['a Monday before nine', '2026-11-16T08:59:59.999+01:00', false, '2026-11-16T09:00+01:00'],
  ['a Monday at nine', '2026-11-16T09:00+01:00', true, '2026-11-16T19:00+01:00'],
  ['a Wednesday at noon', '2026-11-18T12:00+01:00', true, '2026-11-18T19:00+01:00'],
  ['the last instant before closing', '2026-11-18T18:59:59.999+01:00', true, '2026-11-18T19:00+01:00'],
  ['a Wednesday at seven in the evening', '2026-11-18T19:00+01:00', false, '2026-11-19T09:00+01:00'],
  ['just after midnight', '2026-11-19T00:00+01:00', false, '2026-11-19T09:00+01:00'],
  ['a Friday evening', '2026-11-20T19:30+01:00', false, '2026-11-23T09:00+01:00'],
  ['a Saturday at noon', '2026-11-21T12:00+01:00', false, '2026-11-23T09:00+01:00'],
  ['a Sunday at noon', '2026-11-22T12:00+01:00', false, '2026-11-23T09:00+01:00'],
  ['a summer day', '2026-07-15T10:00+02:00', true, '2026-07-15T19:00+02:00'],
  ['a summer morning that is nine in winter', '2026-07-15T08:30+02:00', false, '2026-07-15T09:00+02:00'],
  ['the weekend into summer', '2026-03-27T20:00+01:00', false, '2026-03-30T09:00+02:00'],
  ['the weekend into winter', '2026-10-23T20:00+02:00', false, '2026-10-26T09:00+01:00'],
  ['the night of the change itself', '2026-10-25T02:30+01:00', false, '2026-10-26T09:00+01:00'],
  ['the turn of the year', '2026-12-31T19:00+01:00', false, '2027-01-01T09:00+01:00'],
  ['a caller in Montréal', '2026-11-18T07:00-05:00', true, '2026-11-18T13:00-05:00'],
  ['a caller in Conakry', '2026-11-18T08:30Z', true, '2026-11-18T18:00Z'],
])(
  'tells whether the support desk is open: %s, %s: %s until %s @spec-support-hours',
  (_, now, isOpen, until) => {
    expect(getSupportHours(Date.parse(now))).toEqual({ isOpen, until: Date.parse(until) })
  },
)

test('the support desk changes exactly at the reported time @spec-support-hours', () => {
  const years = { min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }
  fc.assert(
    fc.property(fc.integer(years), (now) => {
      const { isOpen, until } = getSupportHours(now)
      expect(until).toBeGreaterThan(now)
      expect(until - now).toBeLessThanOrEqual(isOpen ? 10 * HOUR : 63 * HOUR)
      expect(getSupportHours(until - 1)).toEqual({ isOpen, until })
      expect(getSupportHours(until).isOpen).toBe(!isOpen)
    }),
  )
})
