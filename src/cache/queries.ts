import type { Contact } from '../../domain/contact.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import type { Subscription } from '../../domain/schemas/profile.ts'
import type { UserDatabase } from './database.ts'

// What more than one screen asks of the rows on this device. The code of the database comes later than the screens: only its
// types are imported here.

/** Who of the contacts on this device has the number; null when nobody does. */
export const contactOf = async ({ contacts }: UserDatabase, phone: string): Promise<Contact | null> =>
  (await contacts.where('phone').equals(phone).last()) ?? null

/** The person's plan, as this device knows it. */
export const ownSubscription = async ({ profiles }: UserDatabase, uid: string): Promise<Subscription> =>
  (await profiles.get(uid))?.subscription ?? EMPTY_SUBSCRIPTION
