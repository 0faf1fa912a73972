import { expect, test } from 'vitest'
import { getRecipientHistory, mapPhonesToNames } from './recipient.ts'

const PHONE = '+224620000000'
const OTHER = '+224620000001'
const contact = (phone: string) => ({ name: 'Mariama', phone })
const sent = (recipientPhone: string, status = 'completed') => ({
  type: 'sent' as const,
  recipientPhone,
  status,
})

test.each([
  ['a contact', [contact(PHONE)], [], { kind: 'contact', name: 'Mariama' }],
  ['a contact who was sent money', [contact(PHONE)], [sent(PHONE)], { kind: 'contact', name: 'Mariama' }],
  ['a number that was sent money', [], [sent(OTHER), sent(PHONE)], { kind: 'sentBefore' }],
  ['a number whose transfer is being paid', [], [sent(PHONE, 'processing')], { kind: 'sentBefore' }],
  ['a number whose transfer has an unknown status', [], [sent(PHONE, 'held')], { kind: 'sentBefore' }],
  ['a number whose transfer failed', [], [sent(PHONE, 'declined')], { kind: 'firstTime' }],
  ['a number whose transfer was canceled', [], [sent(PHONE, 'cancelled')], { kind: 'firstTime' }],
  [
    'a number from which money was received',
    [],
    [{ ...sent(PHONE), type: 'received' as const }],
    { kind: 'firstTime' },
  ],
  [
    'a number that differs from a known one by a digit',
    [contact(OTHER)],
    [sent(OTHER)],
    { kind: 'firstTime' },
  ],
  ['no contacts and no transfers', [], [], { kind: 'firstTime' }],
])('classifies a recipient’s number by what the device knows: %s', (_, contacts, transfers, expected) => {
  expect(getRecipientHistory(PHONE, contacts, transfers)).toEqual(expected)
})

test('maps the numbers of contacts to their names', () => {
  const names = mapPhonesToNames([contact(PHONE)])
  expect(names.get(PHONE)).toBe('Mariama')
  expect(names.get(OTHER)).toBeUndefined()
})
