import { describe, expect, test } from 'vitest'
import {
  checkPassword,
  checkPasswordChange,
  PASSWORD_MIN_LENGTH,
  PASSWORD_RECOMMENDED_LENGTH,
} from './password.ts'
import { err, ok } from './result.ts'

const tooShort = err({ kind: 'passwordTooShort', min: 6 })

test('the minimum is 6; 8, a capital and a digit are recommended, and hinder nobody @spec-password', () => {
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
