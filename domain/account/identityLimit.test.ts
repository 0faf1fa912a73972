import { expect, test } from 'vitest'
import { err } from '../common/result.ts'
import { checkIdentityApproved, isIdentityRequired, parseIdentityLimit } from './identityLimit.ts'

test.each<[string | undefined, number | null]>([
  [undefined, null],
  ['', null],
  ['0', 0],
  ['300', 30_000],
])('the setting %j is a limit of %j cents', (setting, limit) => {
  expect(parseIdentityLimit(setting)).toBe(limit)
})

test.each<[number, number | null, boolean]>([
  [30_000, 30_000, false],
  [30_001, 30_000, true],
  [30_001, null, false],
])('%i cents in a month against a limit of %j: required is %j', (month, limit, isRequired) => {
  expect(isIdentityRequired(month, limit)).toBe(isRequired)
})

test('a document that waits does not lift the limit', () => {
  expect(checkIdentityApproved({ kind: 'none' }, 30_000)).toEqual(
    err({ kind: 'identityRequired', limitCents: 30_000, document: 'none' }),
  )
})
