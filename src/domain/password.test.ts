import { describe, expect, test } from 'vitest'
import { checkPassword, checkPasswordChange, PASSWORD_MIN_LENGTH, passwordHints } from './password.ts'
import { err, ok } from './result.ts'

const tooShort = err({ kind: 'passwordTooShort', min: 6 })

test('the minimum is 6', () => {
  expect(PASSWORD_MIN_LENGTH).toBe(6)
})

test.each([
  ['', err({ kind: 'passwordRequired' })],
  ['abcde', tooShort],
  ['😀😀😀', tooShort],
  ['abcdef', ok('abcdef')],
  ['      ', ok('      ')],
])('the password %j', (password, result) => {
  expect(checkPassword(password)).toEqual(result)
})

describe('a change', () => {
  test.each([
    [{ current: '', next: 'abcdef', confirmation: 'abcdef' }, err({ kind: 'passwordFieldsRequired' })],
    [{ current: 'old', next: '', confirmation: 'abcdef' }, err({ kind: 'passwordFieldsRequired' })],
    [{ current: 'old', next: 'abcdef', confirmation: '' }, err({ kind: 'passwordFieldsRequired' })],
    [{ current: 'old', next: 'abcde', confirmation: 'abcde' }, tooShort],
    [{ current: 'old', next: 'abcdef', confirmation: 'abcdeF' }, err({ kind: 'passwordMismatch' })],
    [{ current: 'old', next: 'abcdef', confirmation: 'abcdef' }, ok('abcdef')],
  ])('%j', (fields, result) => {
    expect(checkPasswordChange(fields)).toEqual(result)
  })
})

test.each([
  ['abcdef', { long: false, capital: false, digit: false }],
  ['abcdefgh', { long: true, capital: false, digit: false }],
  ['Éa1', { long: false, capital: true, digit: true }],
])('the hints for %j', (password, hints) => {
  expect(passwordHints(password)).toEqual(hints)
})
