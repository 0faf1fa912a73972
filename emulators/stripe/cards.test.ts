import { expect, test } from 'vitest'
import { hasValidCheckDigit, TEST_CARDS } from './cards.ts'

test('every test card has a valid check digit, and any other last digit is invalid', () => {
  for (const { number } of TEST_CARDS) {
    const valid = [...'0123456789'].filter((digit) => hasValidCheckDigit(number.slice(0, -1) + digit))
    expect(valid).toEqual([number.at(-1)])
  }
})

test('numbers and published payment methods are named once', () => {
  const numbers = TEST_CARDS.map(({ number }) => number)
  const methods = TEST_CARDS.flatMap(({ paymentMethod }) => paymentMethod ?? [])
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(new Set(methods).size).toBe(methods.length)
})
