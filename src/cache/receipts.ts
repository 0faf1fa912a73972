import { hasArrived } from '../../domain/arrival.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { StoredTransaction, UserDatabase } from './database.ts'

/** Stores transfers, and marks those that have arrived since they were last stored. */
export const saveTransfers = (database: UserDatabase, rows: readonly Transaction[]): Promise<void> =>
  mergeTransfers(database, rows, (row, known) =>
    hasArrived(known, row)
      ? { ...mergeTransaction(row, known), arrivedSince: true }
      : mergeTransaction(row, known),
  )

/** Stores the server's transfers, each merged with the known row. */
export const mergeTransfers = (
  { transactions }: UserDatabase,
  rows: readonly Transaction[],
  merge = mergeTransaction,
): Promise<void> =>
  transactions.db.transaction('rw', transactions, async () => {
    const known = await transactions.bulkGet(rows.map(({ id }) => id))
    await transactions.bulkPut(rows.map((row, index) => merge(row, known[index])))
  })

/**
 * Merges a fetched transfer with the known row. An arrival and its mark are kept, and so is a cancellation,
 * because responses may arrive out of order.
 */
const mergeTransaction = (row: Transaction, known: StoredTransaction | undefined): StoredTransaction => ({
  ...row,
  ...(known?.delivery?.stage === 'delivered' && { delivery: known.delivery }),
  ...(typeof known?.delivery?.canceledAt === 'number' && !row.delivery?.canceledAt && known),
  ...(known?.arrivedSince && { arrivedSince: true }),
})
