import { hasArrived } from '../../domain/transfers/arrival.ts'
import type { Transaction } from '../../domain/transfers/transaction.ts'
import type { StoredTransaction, UserDatabase } from './database.ts'

export const saveTransfers = ({ transactions }: UserDatabase, rows: readonly Transaction[]): Promise<void> =>
  transactions.db.transaction('rw', transactions, async () => {
    const known = await transactions.bulkGet(rows.map(({ id }) => id))
    await transactions.bulkPut(rows.map((row, index) => mergeTransaction(row, known[index])))
  })

/** A known arrival and a cancellation are kept, because responses may arrive out of order. */
const mergeTransaction = (row: Transaction, known: StoredTransaction | undefined): StoredTransaction => ({
  ...row,
  // The link proves its delivery.
  ...(known?.delivery?.stage === 'delivered' && {
    delivery: known.delivery,
    recipientLink: known.recipientLink,
  }),
  ...(typeof known?.delivery?.canceledAt === 'number' && !row.delivery?.canceledAt && known),
  ...((known?.arrivedSince || hasArrived(known, row)) && { arrivedSince: true }),
})
