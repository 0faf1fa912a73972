import { beforeEach, describe, expect, test, vi } from 'vitest'
import { formatActivityDate } from './activityDate.ts'
import { DAY, HOUR, MINUTE } from './duration.ts'

const now = Date.UTC(2026, 10, 20, 12)

beforeEach(() => {
  vi.stubEnv('TZ', 'UTC')
})

describe.each([
  [0, { kind: 'justNow' }, { kind: 'justNow' }],
  [MINUTE - 1, { kind: 'justNow' }, { kind: 'justNow' }],
  [MINUTE, { kind: 'minutes', text: 'il y a 1 minute' }, { kind: 'minutes', text: '1 minute ago' }],
  [HOUR - 1, { kind: 'minutes', text: 'il y a 59 minutes' }, { kind: 'minutes', text: '59 minutes ago' }],
  [HOUR, { kind: 'hours', text: 'il y a 1 heure' }, { kind: 'hours', text: '1 hour ago' }],
  [DAY - 1, { kind: 'hours', text: 'il y a 23 heures' }, { kind: 'hours', text: '23 hours ago' }],
  [DAY, { kind: 'weekday', text: 'jeudi 12:00' }, { kind: 'weekday', text: 'Thursday 12:00' }],
  [7 * DAY - 1, { kind: 'weekday', text: 'vendredi 12:00' }, { kind: 'weekday', text: 'Friday 12:00' }],
  [7 * DAY, { kind: 'date', text: '13 novembre 2026' }, { kind: 'date', text: '13 November 2026' }],
  [400 * DAY, { kind: 'date', text: '16 octobre 2025' }, { kind: 'date', text: '16 October 2025' }],
  [-HOUR, { kind: 'justNow' }, { kind: 'justNow' }],
  [-HOUR - 1, { kind: 'date', text: '20 novembre 2026' }, { kind: 'date', text: '20 November 2026' }],
] as const)('an activity %i ms ago', (age, french, english) => {
  test('formats the date of an activity in French and English @spec-activity-dates', () => {
    expect(formatActivityDate(now - age, now, 'fr')).toEqual(french)
    expect(formatActivityDate(now - age, now, 'en')).toEqual(english)
  })
})

test('formats an activity’s date in the device’s present time zone @spec-time-zone', () => {
  const sent = Date.UTC(2026, 10, 16, 23, 30)
  expect(formatActivityDate(sent, now, 'fr')).toEqual({ kind: 'weekday', text: 'lundi 23:30' })
  vi.stubEnv('TZ', 'Europe/Paris')
  expect(formatActivityDate(sent, now, 'fr')).toEqual({ kind: 'weekday', text: 'mardi 00:30' })
  vi.stubEnv('TZ', 'America/Toronto')
  expect(formatActivityDate(sent, now, 'fr')).toEqual({ kind: 'weekday', text: 'lundi 18:30' })
  expect(formatActivityDate(sent - 30 * DAY, now, 'fr')).toEqual({ kind: 'date', text: '17 octobre 2026' })
})

test('formats an activity of today without support for relative times', async () => {
  vi.stubGlobal('Intl', { DateTimeFormat: Intl.DateTimeFormat })
  vi.resetModules()
  const { formatActivityDate } = await import('./activityDate.ts')
  const text = 'vendredi 11:30'
  expect(formatActivityDate(now - HOUR / 2, now, 'fr')).toEqual({ kind: 'weekday', text })
  expect(formatActivityDate(now, now, 'fr')).toEqual({ kind: 'justNow' })
})
