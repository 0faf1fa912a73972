import { expect, test } from 'vitest'
import { checkRecipientName } from './recipientName.ts'

test.each([
  ['Mariama Bah', 'Mariama Bah'],
  ['  Mariama\n\u202eBah ', 'Mariama Bah'],
  [' \u200f', null],
  ['—', null],
  ['é'.repeat(150), 'é'.repeat(100)],
])('the recipient’s name %j is cleaned to %j', (text, name) => {
  expect(checkRecipientName(text, false)).toEqual({ ok: true, value: name })
})

test('a missing recipient’s name is a problem only where required', () => {
  expect(checkRecipientName(' ', true)).toEqual({ ok: false, error: { kind: 'recipientNameRequired' } })
  expect(checkRecipientName('Mariama', true)).toEqual({ ok: true, value: 'Mariama' })
})
