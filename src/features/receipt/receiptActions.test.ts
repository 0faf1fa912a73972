import { expect, test } from 'vitest'
import { listFurtherActions } from './receiptActions.ts'

test.each([
  ['a new transfer to an unknown number offers to save the contact', false, false, false, ['addContact']],
  ['a new transfer to a contact offers nothing further', true, false, false, []],
  ['an arrived transfer offers first to send again', false, true, true, ['sendAgain', 'addContact']],
  ['a transfer on its way offers first to save the contact', false, false, true, ['addContact', 'sendAgain']],
  ['an older transfer to a contact offers to send again', true, false, true, ['sendAgain']],
] as const)('%s', (_, isContact, isDelivered, canSendAgain, expected) => {
  expect(listFurtherActions({ isContact, isDelivered, canSendAgain })).toEqual(expected)
})
