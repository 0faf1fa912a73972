import { expect, test } from 'vitest'
import { checkBugs } from './moneyBugs.ts'

test('the mistakes that the money test has to catch fit the present sources', () => {
  expect(checkBugs).not.toThrow()
})
