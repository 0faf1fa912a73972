import type { Contact, ContactForm } from '../../../domain/contact.ts'
import { singleFlight } from '../../browser/singleFlight.ts'
import { mergeContacts } from '../../cache/contacts.ts'
import { type UserDatabase, withRows } from '../../cache/database.ts'
import { createContact, deleteContact, fetchContacts, renameContact } from '../../services/contacts.ts'

// Each change goes to the server first and then to this device, so nothing waits here to be sent later. A change fails as its call does,
// and never because of the device: what the server has done comes with the next refresh.

/** Brings the contacts on this device to the server's. */
export const refreshContacts = (uid: string): Promise<void> =>
  singleFlight(`contacts ${uid}`, () => mergeContacts(uid, () => fetchContacts(uid)))

export async function addContact(uid: string, form: ContactForm): Promise<Contact> {
  const contact = await createContact(uid, form)
  await keep(uid, ({ contacts }) => contacts.put(contact))
  return contact
}

export async function giveName(uid: string, id: string, name: string): Promise<void> {
  await renameContact(id, name)
  await keep(uid, ({ contacts }) => contacts.update(id, { name }))
}

export async function removeContact(uid: string, id: string): Promise<void> {
  await deleteContact(id)
  await keep(uid, ({ contacts }) => contacts.delete(id))
}

const keep = (uid: string, write: (rows: UserDatabase) => Promise<unknown>) =>
  withRows(uid, write).catch(() => undefined)
