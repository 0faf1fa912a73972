import { expect, test } from 'vitest'
import { pickTellingDigits } from './tellingDigits.ts'

test.each([
  ['+224620110000', [], '0000'],
  ['+224620110000', ['+224620110000', '+224664225678'], '0000'],
  ['+224620110000', ['+224620220000'], '1100'],
  ['+224620000000', ['+224664000000'], '2000'],
  ['+33612340000', ['+224620000000'], '3400'],
  ['+224620000000', ['+33620000000'], '0000'],
])('tells the number %j from %j by %j', (phone, others, digits) => {
  expect(pickTellingDigits(phone, others)).toBe(digits)
})
