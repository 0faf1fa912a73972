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

/** Undefined until the device has been read. */
export const useRecentTransfers = (uid: string) => useLiveQuery(uid, readRecentTransfers)
