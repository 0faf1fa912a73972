import { expect, test } from 'vitest'
import { formatWait } from './wait.ts'

test.each([
  [1, '1 seconde', '1 second'],
  [90, '90 secondes', '90 seconds'],
  [91, '2 minutes', '2 minutes'],
  [600, '10 minutes', '10 minutes'],
  [5400, '90 minutes', '90 minutes'],
  [5401, '2 heures', '2 hours'],
  [86_400, '24 heures', '24 hours'],
])('formats %i seconds as %j in French and %j in English', (seconds, french, english) => {
  expect(formatWait(seconds, 'fr').replace(/\s/g, ' ')).toBe(french)
  expect(formatWait(seconds, 'en')).toBe(english)
})

test.each([
  [41, '41 s', '41 secs'],
  [600, '10 min', '10 mins'],
])('shortens %i seconds to %j in French and %j in English', (seconds, french, english) => {
  expect(formatWait(seconds, 'fr', 'short').replace(/\s/g, ' ')).toBe(french)
  expect(formatWait(seconds, 'en', 'short')).toBe(english)
})
