import { mapPhonesToNames } from '../../../domain/recipient.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'

const NEWEST = 6

const readRecentTransfers = async ({ transactions, contacts }: UserDatabase) => ({
  rows: await transactions.orderBy('createdAt').reverse().limit(NEWEST).toArray(),
  names: mapPhonesToNames(await contacts.toArray()),
})

/** Returns the newest transfers on this device and the contacts' names; undefined until they are read. */
export const useRecentTransfers = (uid: string) => useLiveQuery(uid, readRecentTransfers)
