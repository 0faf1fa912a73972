import type { Subscription } from '../../domain/account/profileSchema.ts'
import type { Contact } from '../../domain/people/contact.ts'
import type { UnreadRow, UserDatabase } from './database.ts'

// The queries import only types from the database, whose chunk loads later than the screens.

export const findContact = async ({ contacts }: UserDatabase, phone: string): Promise<Contact | null> =>
  (await contacts.where('phone').equals(phone).last()) ?? null

/** Null if the device does not know the plan. */
export const readOwnSubscription = async (
  { profiles }: UserDatabase,
  uid: string,
): Promise<Subscription | null> => (await profiles.get(uid))?.subscription ?? null

/** This version of the app can't read these rows. */
export async function countUnread(database: UserDatabase, list: UnreadRow['list']): Promise<number> {
  const ids = await database.unread.where({ list }).primaryKeys()
  // A row that was stored before, such as a payment on this device, is shown.
  return ids.length - (await database[list].where('id').anyOf(ids).count())
}
