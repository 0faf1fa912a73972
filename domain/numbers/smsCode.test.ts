import { expect, test } from 'vitest'
import { err, ok } from '../common/result.ts'
import { checkSmsCode } from './smsCode.ts'

test.each([
  ['123456', ok('123456')],
  [' 123 456 ', ok('123456')],
  ['123-456', ok('123456')],
  ['123\u2013456', ok('123456')],
  ['123 · 456', ok('123456')],
  ['1 2 3 4 5 6', ok('123456')],
  ['12-34-56', ok('123456')],
  ['\u200e123456', ok('123456')],
  ['123\u200b456\u202c', ok('123456')],
  ['١٢٣٤٥٦', ok('123456')],
  ['१२३ ४५६', ok('123456')],
  ['１２３４５６', ok('123456')],
  ['\t123\r\n456\n', ok('123456')],
  ['123456 is your verification code for passerelle.example.', ok('123456')],
  ['Votre code de validation Passerelle est 123\u202f456. Il expire dans 10 minutes.', ok('123456')],
  ['G-123456 est votre code', ok('123456')],
  ['Votre code est\n123-456', ok('123456')],
  ['Votre code : 12 34 56, valable 10 minutes', ok('123456')],
  ['Votre code : 1 2 3 4 5 6.', ok('123456')],
  // The service refuses invalid codes.
  ['12345', ok('12345')],
  ['1234567', ok('1234567')],
  ['ABC', ok('ABC')],
  ['---', err({ kind: 'codeRequired' })],
  ['', err({ kind: 'codeRequired' })],
  ['  ', err({ kind: 'codeRequired' })],
])('checking the SMS code %j returns %j', (text, result) => {
  expect(checkSmsCode(text)).toEqual(result)
})
