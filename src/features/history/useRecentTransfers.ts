import { mapPhonesToNames } from '../../../domain/recipient.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'

const NEWEST = 6

async function readRecentTransfers({ transactions, contacts }: UserDatabase) {
  const rows = await transactions.orderBy('createdAt').reverse().limit(NEWEST).toArray()
  return { rows, names: mapPhonesToNames(await contacts.toArray(), rows) }
}

/** Returns the newest transfers on this device and the recipients' names; undefined until they are read. */
export const useRecentTransfers = (uid: string) => useLiveQuery(uid, readRecentTransfers)
