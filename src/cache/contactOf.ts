import type { Contact } from '../../domain/contact.ts'
import type { UserDatabase } from './database.ts'

/** Who of the contacts on this device has the number; null when nobody does. */
export const contactOf = async ({ contacts }: UserDatabase, phone: string): Promise<Contact | null> =>
  (await contacts.where('phone').equals(phone).last()) ?? null
