import { expect, test } from 'vitest'
import {
  buildRecipientFacts,
  getRecipientHistory,
  mapPhonesToNames,
  type RecipientHistory,
} from './recipient.ts'

const PHONE = '+224620000000'
const OTHER = '+224620000001'
const contact = (phone: string) => ({ name: 'Mariama', phone })
const sent = (
  recipientPhone: string,
  status = 'completed',
  recipientName: string | null = null,
  createdAt = 1,
) => ({ type: 'sent' as const, recipientPhone, recipientName, status, createdAt })
const SENT_BEFORE = { kind: 'sentBefore', name: null }

test.each([
  ['a contact', [contact(PHONE)], [], { kind: 'contact', name: 'Mariama' }],
  ['a contact who was sent money', [contact(PHONE)], [sent(PHONE)], { kind: 'contact', name: 'Mariama' }],
  ['a number that was sent money', [], [sent(OTHER), sent(PHONE)], SENT_BEFORE],
  ['a number whose transfer is being paid', [], [sent(PHONE, 'processing')], SENT_BEFORE],
  ['a number whose transfer has an unknown status', [], [sent(PHONE, 'held')], SENT_BEFORE],
  [
    'a number that was given names',
    [],
    [
      sent(PHONE, 'completed', 'Mariama', 1),
      sent(PHONE, 'completed', 'Mariama Bah', 3),
      sent(PHONE, 'completed', null, 4),
    ],
    { kind: 'sentBefore', name: 'Mariama Bah' },
  ],
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

test('a list prefers a contact’s name to its newest transfer’s name', () => {
  const names = mapPhonesToNames(
    [contact(PHONE)],
    [
      sent(OTHER),
      sent(OTHER, 'completed', 'Awa Sow'),
      sent(OTHER, 'completed', 'Awa'),
      sent(PHONE, 'completed', 'Mariama Bah'),
    ],
  )
  expect([...names].sort()).toEqual([
    [PHONE, 'Mariama'],
    [OTHER, 'Awa Sow'],
  ])
  expect(mapPhonesToNames([], [sent(PHONE)]).get(PHONE)).toBeUndefined()
})

test.each<[RecipientHistory, boolean, string | null, string]>([
  [{ kind: 'firstTime' }, false, null, 'optional'],
  [{ kind: 'firstTime' }, true, null, 'required'],
  [{ kind: 'sentBefore', name: null }, false, null, 'none'],
  [{ kind: 'sentBefore', name: null }, true, null, 'required'],
  [{ kind: 'sentBefore', name: 'Mariama' }, true, 'Mariama', 'none'],
  [{ kind: 'contact', name: 'Mariama' }, false, 'Mariama', 'none'],
  [{ kind: 'contact', name: 'Mariama' }, true, 'Mariama', 'none'],
])('for %j, name required: %s, the name is %j, question %s', (history, isRequired, name, nameQuestion) => {
  expect(buildRecipientFacts(PHONE, history, isRequired)).toEqual({ phone: PHONE, name, nameQuestion })
})
