import { expect, test } from 'vitest'
import { hasValidCheckDigit, STRIPE_TEST_CARDS } from './cards.ts'

test('every test card has a valid check digit, and only that', () => {
  for (const { number } of STRIPE_TEST_CARDS) {
    const valid = [...'0123456789'].filter((digit) => hasValidCheckDigit(number.slice(0, -1) + digit))
    expect(valid).toEqual([number.at(-1)])
  }
})

test('no two test cards share a number or a payment method ID', () => {
  const numbers = STRIPE_TEST_CARDS.map(({ number }) => number)
  const methods = STRIPE_TEST_CARDS.flatMap(({ paymentMethod }) => paymentMethod ?? [])
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(new Set(methods).size).toBe(methods.length)
})
