import type { Subscription } from '../../domain/account/profileSchema.ts'
import type { Contact } from '../../domain/people/contact.ts'
import type { UnreadRow, UserDatabase } from './database.ts'

// Queries that several screens share. They import only types from the database, whose chunk loads later than
// the screens.

/** Finds the contact with this number on the device, or null. */
export const findContact = async ({ contacts }: UserDatabase, phone: string): Promise<Contact | null> =>
  (await contacts.where('phone').equals(phone).last()) ?? null

/** Returns the user's plan as stored on this device; null if the device does not know it. */
export const readOwnSubscription = async (
  { profiles }: UserDatabase,
  uid: string,
): Promise<Subscription | null> => (await profiles.get(uid))?.subscription ?? null

/** Counts the rows of a list that can't be shown, because this version of the app can't read them. */
export async function countUnread(database: UserDatabase, list: UnreadRow['list']): Promise<number> {
  const ids = await database.unread.where({ list }).primaryKeys()
  // A row that was stored before, such as a payment on this device, is shown.
  return ids.length - (await database[list].where('id').anyOf(ids).count())
}
