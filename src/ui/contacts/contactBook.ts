import type { Contact, ContactForm } from '../../../domain/people/contact.ts'
import { runSingleFlight } from '../../browser/singleFlight.ts'
import { mergeContacts } from '../../cache/contacts.ts'
import { type UserDatabase, withRows } from '../../cache/database.ts'
import { createContact, deleteContact, fetchContacts, renameContact } from '../../services/contacts.ts'

// A change fails only if its call fails: if the device can't store it, the next refresh brings the server's
// state.

export const refreshContacts = (uid: string): Promise<void> =>
  runSingleFlight(`contacts ${uid}`, () => mergeContacts(uid, () => fetchContacts(uid)))

export async function addContact(uid: string, form: ContactForm): Promise<Contact> {
  const contact = await createContact(uid, form)
  await storeOnDevice(uid, ({ contacts }) => contacts.put(contact))
  return contact
}

export async function setContactName(uid: string, id: string, name: string): Promise<void> {
  await renameContact(id, name)
  await storeOnDevice(uid, ({ contacts }) => contacts.update(id, { name }))
}

export async function removeContact(uid: string, id: string): Promise<void> {
  await deleteContact(id)
  await storeOnDevice(uid, ({ contacts }) => contacts.delete(id))
}

const storeOnDevice = (uid: string, write: (rows: UserDatabase) => Promise<unknown>) =>
  withRows(uid, write).catch(() => undefined)
