import { expect, test } from 'vitest'
import { selectPersonColour } from './personColour.ts'

test('a number has the same colour each time', () => {
  expect(selectPersonColour('+224620000000')).toBe(selectPersonColour('+224620000000'))
})

test('numbers that differ in their last digit get every colour', () => {
  const numbers = Array.from({ length: 10 }, (_, digit) => `+22462000000${digit}`)
  expect(new Set(numbers.map(selectPersonColour))).toEqual(new Set([1, 2, 3, 4, 5]))
})
