import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import type { ContactForm } from '../../domain/people/contact.ts'
import { checkTransfer } from '../../domain/transfers/transfer.ts'
import { draft, now, profile } from '../../machines/testing/transferSituations.ts'
import { openUserDatabase } from '../cache/database.ts'
import { keepRecipient } from './keepRecipient.ts'

const { createContact, fetchContacts } = vi.hoisted(() => ({
  createContact: vi.fn(),
  fetchContacts: vi.fn(),
}))
vi.mock('../services/contacts.ts', () => ({ createContact, fetchContacts }))

const phone = '+224620000000'
const saved = (uid: string, form: ContactForm) => ({ id: `${uid}_1`, userId: uid, createdAt: now, ...form })

/** `known`: the name of the number. `contact`: the name of its contact on the server. */
async function keepAfterPayment(uid: string, typed: string, known: string | null, contact?: string) {
  const rows = await openUserDatabase(uid)
  const stored = contact ? [saved(uid, { name: contact, phone })] : []
  if (known) await rows.contacts.bulkPut(stored)
  fetchContacts.mockResolvedValue(stored)
  createContact.mockImplementation(async (owner: string, form: ContactForm) => saved(owner, form))
  const form = { ...draft, recipientName: typed }
  const recipient = { phone, name: known, nameQuestion: known === null ? 'optional' : 'none' } as const
  const checked = checkTransfer(form, { subscription: profile.subscription, now, recipient })
  if (!checked.ok) throw new Error('The form of this test is invalid')
  const attempt = { id: 'a1', draft: form, order: checked.value, begunAt: now, again: null }
  await keepRecipient(uid, attempt)
  return (await rows.contacts.toArray()).map(({ name }) => name)
}

test.each([
  ['typed for a new number', ' Mariama  Bah', null, undefined, ['Mariama Bah']],
  ['left out', '', null, undefined, []],
  ['that is only punctuation', '—', null, undefined, []],
  ['typed for an earlier number', 'Awa', 'Mariama', undefined, []],
  ['of a contact', '', 'Mariama', 'Mariama', ['Mariama']],
  ['typed before another device made a contact', 'Awa', null, 'Mariama', ['Mariama']],
])('a name %s makes a contact only if typed for this number', async (uid, typed, known, contact, names) => {
  expect(await keepAfterPayment(uid, typed, known, contact)).toEqual(names)
})
