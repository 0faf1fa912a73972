import { expect, test } from 'vitest'
import { selectPersonHue } from './personHue.ts'

const compare = (one: string, other: string) => {
  const apart = Math.abs(selectPersonHue(one) - selectPersonHue(other))
  return Math.min(apart, 360 - apart)
}

test('a number has the same hue each time', () => {
  expect(selectPersonHue('+224620000000')).toBe(selectPersonHue('+224620000000'))
})

test.each<[what: string, numbers: string[]]>([
  ['that differ in their last digit', Array.from({ length: 10 }, (_, digit) => `+22462000000${digit}`)],
  ['of several countries', ['+224620000000', '+224664112233', '+33612345678', '+15145550123']],
])('numbers %s have hues that differ', (_, numbers) => {
  const pairs = numbers.flatMap((one, index) => numbers.slice(index + 1).map((other) => compare(one, other)))
  expect(Math.min(...pairs)).toBeGreaterThanOrEqual(20)
})
