import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { formatActivityDate } from './activityDate.ts'
import { DAY, HOUR, MINUTE } from './duration.ts'

const now = Date.UTC(2026, 10, 20, 12)

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
    expect(formatActivityDate(now - age, now, 'fr', 'UTC')).toEqual(french)
    expect(formatActivityDate(now - age, now, 'en', 'UTC')).toEqual(english)
  })
})

test('formats an activity’s date by weekday and time in the given zone', () => {
  const sent = Date.UTC(2026, 10, 16, 23, 30)
  expect(formatActivityDate(sent, now, 'fr', 'UTC')).toEqual({ kind: 'weekday', text: 'lundi 23:30' })
  expect(formatActivityDate(sent, now, 'fr', 'Europe/Paris')).toEqual({
    kind: 'weekday',
    text: 'mardi 00:30',
  })
})

test('formats an activity of today without support for relative times', () => {
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  vi.stubGlobal('Intl', { DateTimeFormat: Intl.DateTimeFormat })
  const text = 'vendredi 11:30'
  expect(formatActivityDate(now - HOUR / 2, now, 'fr', 'Africa/Conakry')).toEqual({ kind: 'weekday', text })
  expect(formatActivityDate(now, now, 'fr', 'Africa/Conakry')).toEqual({ kind: 'justNow' })
})
