import { mapPhonesToNames } from '../../../domain/transfers/recipient.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { countUnread } from '../../cache/queries.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'

const NEWEST = 6

async function readRecentTransfers(database: UserDatabase) {
  const { transactions, contacts } = database
  const rows = await transactions.orderBy('createdAt').reverse().limit(NEWEST).toArray()
  const names = mapPhonesToNames(await contacts.toArray(), rows)
  return { rows, names, unread: await countUnread(database, 'transactions') }
}

/**
 * Returns the newest transfers on this device, the recipients' names, and the number of transfers that can't
 * be shown; undefined until they are read.
 */
export const useRecentTransfers = (uid: string) => useLiveQuery(uid, readRecentTransfers)
