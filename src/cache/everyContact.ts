import type { Contact } from '../domain/contact.ts'
import type { UserDatabase } from './database.ts'

/** The contacts on this device. Apart from what else is done with them, so that the home screen does not fetch that. */
export const everyContact = ({ contacts }: UserDatabase): Promise<Contact[]> => contacts.toArray()
