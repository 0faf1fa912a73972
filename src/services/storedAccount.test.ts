import { expect, test } from 'vitest'
import { describeEndedSession } from './storedAccount.ts'

const SIGNED_IN_AT = Date.UTC(2026, 10, 30, 12) / 1000

test.each([
  ['two seconds later', 2000, SIGNED_IN_AT],
  ['within the second of its sign-in', 999, null],
  // The app knows the server's time to the second.
  ['within the next second', 1999, null],
])('a session that ends %s is remembered if its time is unique', (_, after, remembered) => {
  expect(describeEndedSession(SIGNED_IN_AT, SIGNED_IN_AT * 1000 + after)).toBe(remembered)
})

test('a session whose sign-in time can’t be read has no name', () => {
  expect(describeEndedSession(null, SIGNED_IN_AT * 1000)).toBeNull()
})
