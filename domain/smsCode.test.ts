import { expect, test } from 'vitest'
import { err, ok } from './result.ts'
import { checkSmsCode } from './smsCode.ts'

test.each([
  ['123456', ok('123456')],
  [' 123 456 ', ok('123456')],
  ['', err({ kind: 'codeRequired' })],
  ['  ', err({ kind: 'codeRequired' })],
])('the code %j', (text, result) => {
  expect(checkSmsCode(text)).toEqual(result)
})
