import { expect, test } from 'vitest'
import { err, ok } from '../common/result.ts'
import { checkEmail, cleanEmail, isSameEmail, maskEmail } from './email.ts'

test.each([
  ['aissatou@example.com', 'aissatou@example.com'],
  [' a.b+c@mail.example.co.uk ', 'a.b+c@mail.example.co.uk'],
  ['é@exämple.fr', 'é@xn--exmple-cua.fr'],
  ['\u202aaissatou@example.com\u202c', 'aissatou@example.com'],
  ['aissatou\u200b@exam\u00adple.com\ufeff', 'aissatou@example.com'],
  ['aissatou@ example.com\n', 'aissatou@example.com'],
  ['ａｉｓｓａｔｏｕ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'aissatou@example.com'],
  ['awa٢٠@example.com', 'awa20@example.com'],
  ['awa\u2011bah@example.com', 'awa-bah@example.com'],
  ['mailto:aissatou@example.com', 'aissatou@example.com'],
  [`${'a'.repeat(249)}@b.fr`, `${'a'.repeat(249)}@b.fr`],
])('accepts the email address %j @spec-email', (text, email) => {
  expect(checkEmail(text)).toEqual(ok(email))
})

test.each(['a', 'a@', '@b.fr', 'a@b', 'a@b.', 'a@.fr', 'a@b..fr', 'a@b@c.fr', `${'a'.repeat(250)}@b.fr`])(
  'refuses the email address %j',
  (text) => {
    expect(checkEmail(text)).toEqual(err({ kind: 'emailInvalid' }))
  },
)

test.each(['', '  ', '\u200e'])('treats the email address %j as missing', (text) => {
  expect(checkEmail(text)).toEqual(err({ kind: 'emailRequired' }))
})

test.each([
  ['aissatou@example.com', 'a…@example.com'],
  ['a@example.com', 'a…@example.com'],
  ['"a@b"@example.com', '"…@example.com'],
  ['𝒜bc@example.com', '𝒜…@example.com'],
])('masks the email address %j as %j', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})

test.each([
  ['Fatou.Bah@Example.com', 'Fatou.Bah@Example.com'],
  ['fatou@bücher.example', 'fatou@xn--bcher-kva.example'],
  ['fatou@Ｂücher。example', 'fatou@xn--bcher-kva.example'],
  ['fatou@xn--bcher-kva.example', 'fatou@xn--bcher-kva.example'],
  ['aïssatou@example.com', 'aïssatou@example.com'],
  ['fatou@bü cher@x', 'fatou@bücher@x'],
  ['fatou@', 'fatou@'],
])('normalizes the email address %j to %j', (text, email) => {
  expect(cleanEmail(text)).toBe(email)
})

test('finds the account’s address whatever its capitals', () => {
  expect(isSameEmail('Fatou.Bah@example.com', 'fatou.bah@example.com')).toBe(true)
  expect(isSameEmail('fatou@example.com', null)).toBe(false)
})
