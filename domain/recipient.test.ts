import { expect, test } from 'vitest'
import { acquaintanceOf, namesByPhone } from './recipient.ts'

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
  ['a contact that was sent to', [contact(PHONE)], [sent(PHONE)], { kind: 'contact', name: 'Mariama' }],
  ['a number that was sent to', [], [sent(OTHER), sent(PHONE)], { kind: 'sentBefore' }],
  ['a number that is being sent to', [], [sent(PHONE, 'processing')], { kind: 'sentBefore' }],
  ['a number of a status that nobody knows', [], [sent(PHONE, 'held')], { kind: 'sentBefore' }],
  ['a number whose transfer failed', [], [sent(PHONE, 'declined')], { kind: 'firstTime' }],
  ['a number whose transfer was given up', [], [sent(PHONE, 'cancelled')], { kind: 'firstTime' }],
  [
    'a number with which money was received',
    [],
    [{ ...sent(PHONE), type: 'received' as const }],
    { kind: 'firstTime' },
  ],
  ['another number by one digit', [contact(OTHER)], [sent(OTHER)], { kind: 'firstTime' }],
  ['nobody known', [], [], { kind: 'firstTime' }],
])('%s', (_, contacts, transfers, expected) => {
  expect(acquaintanceOf(PHONE, contacts, transfers)).toEqual(expected)
})

test('names by number', () => {
  const names = namesByPhone([contact(PHONE)])
  expect(names.get(PHONE)).toBe('Mariama')
  expect(names.get(OTHER)).toBeUndefined()
})
