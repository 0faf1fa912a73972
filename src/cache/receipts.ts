import { hasArrived } from '../../domain/transfers/arrival.ts'
import type { Transaction } from '../../domain/transfers/transaction.ts'
import type { StoredTransaction, UserDatabase } from './database.ts'

/** Stores the server's transfers, each merged with the known row. */
export const saveTransfers = ({ transactions }: UserDatabase, rows: readonly Transaction[]): Promise<void> =>
  transactions.db.transaction('rw', transactions, async () => {
    const known = await transactions.bulkGet(rows.map(({ id }) => id))
    await transactions.bulkPut(rows.map((row, index) => mergeTransaction(row, known[index])))
  })

/**
 * Merges a fetched transfer with the known row, and marks an arrival as new. A known arrival and its mark are
 * kept, and so is a cancellation, because responses may arrive out of order.
 */
const mergeTransaction = (row: Transaction, known: StoredTransaction | undefined): StoredTransaction => ({
  ...row,
  ...(known?.delivery?.stage === 'delivered' && { delivery: known.delivery }),
  ...(typeof known?.delivery?.canceledAt === 'number' && !row.delivery?.canceledAt && known),
  ...((known?.arrivedSince || hasArrived(known, row)) && { arrivedSince: true }),
})
