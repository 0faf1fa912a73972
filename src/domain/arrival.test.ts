import { expect, test } from 'vitest'
import { estimatedArrival } from './arrival.ts'

test('money is expected one hour after it was sent, over the end of a year too', () => {
  expect(estimatedArrival(Date.UTC(2026, 11, 31, 23, 30))).toBe(Date.UTC(2027, 0, 1, 0, 30))
})
