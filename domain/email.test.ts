import { expect, test } from 'vitest'
import { checkEmail, maskEmail } from './email.ts'
import { err, ok } from './result.ts'

test.each([
  ['aissatou@example.com', 'aissatou@example.com'],
  [' a.b+c@mail.example.co.uk ', 'a.b+c@mail.example.co.uk'],
  ['é@exämple.fr', 'é@exämple.fr'],
  [`${'a'.repeat(249)}@b.fr`, `${'a'.repeat(249)}@b.fr`],
])('%j looks like an email address @spec-email', (text, email) => {
  expect(checkEmail(text)).toEqual(ok(email))
})

test.each([
  'a',
  'a@',
  '@b.fr',
  'a@b',
  'a@b.',
  'a@.fr',
  'a@b..fr',
  'a b@c.fr',
  'a@b@c.fr',
  `${'a'.repeat(250)}@b.fr`,
])('%j does not', (text) => {
  expect(checkEmail(text)).toEqual(err({ kind: 'emailInvalid' }))
})

test.each(['', '  '])('%j is missing', (text) => {
  expect(checkEmail(text)).toEqual(err({ kind: 'emailRequired' }))
})

test.each([
  ['aissatou@example.com', 'a…@example.com'],
  ['a@example.com', 'a…@example.com'],
  ['"a@b"@example.com', '"…@example.com'],
  ['𝒜bc@example.com', '𝒜…@example.com'],
])('%j is told as %j to who has only had the address before it', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})
