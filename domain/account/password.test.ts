import { describe, expect, test } from 'vitest'
import { err, ok } from '../common/result.ts'
import {
  checkPassword,
  checkPasswordChange,
  PASSWORD_MIN_LENGTH,
  PASSWORD_RECOMMENDED_LENGTH,
} from './password.ts'

const tooShort = err({ kind: 'passwordTooShort', min: 6 })

test('requires only 6 characters of a password, and recommends 8 @spec-password', () => {
  expect(PASSWORD_MIN_LENGTH).toBe(6)
  expect(PASSWORD_RECOMMENDED_LENGTH).toBe(8)
  expect(checkPassword('abcdef')).toEqual(ok('abcdef'))
})

test.each([
  ['', err({ kind: 'passwordRequired' })],
  ['abcde', tooShort],
  ['😀😀😀', tooShort],
  ['abcdef', ok('abcdef')],
  ['      ', ok('      ')],
])('checking the password %j returns %j', (password, result) => {
  expect(checkPassword(password)).toEqual(result)
})

describe('checkPasswordChange', () => {
  test.each([
    [{ current: '', next: 'abcdef', confirmation: 'abcdef' }, err({ kind: 'passwordFieldsRequired' })],
    [{ current: 'old', next: '', confirmation: 'abcdef' }, err({ kind: 'passwordFieldsRequired' })],
    [{ current: 'old', next: 'abcdef', confirmation: '' }, err({ kind: 'passwordFieldsRequired' })],
    [{ current: 'old', next: 'abcde', confirmation: 'abcde' }, tooShort],
    [{ current: 'old', next: 'abcdef', confirmation: 'abcdeF' }, err({ kind: 'passwordMismatch' })],
    [{ current: 'old', next: 'abcdef', confirmation: 'abcdef' }, ok('abcdef')],
  ])('checking the password change %j returns %j', (fields, result) => {
    expect(checkPasswordChange(fields)).toEqual(result)
  })
})
