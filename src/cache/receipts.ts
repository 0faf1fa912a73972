import type { Table } from 'dexie'
import { hasArrived } from '../../domain/arrival.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { ReceiptFields, StoredTransaction, UserDatabase } from './database.ts'

/**
 * Stores the server's rows, each merged with the known row by `besides`. The sender's name on a receipt stays
 * as it was first stored.
 */
export function replaceReceiptRows<Row extends ReceiptFields & { readonly id: string }>(
  { profiles }: UserDatabase,
  kept: Table<Row, string>,
  rows: readonly Row[],
  besides: (row: Row, known: Row | undefined) => Row = (row) => row,
): Promise<void> {
  return kept.db.transaction('rw', kept, profiles, async () => {
    const known = await kept.bulkGet(rows.map(({ id }) => id))
    const profile = await profiles.toCollection().first()
    await kept.bulkPut(
      rows.map((row, index) => {
        const senderName = known[index]?.senderName ?? profile?.name
        const own = besides(row, known[index])
        return senderName === undefined ? own : { ...own, senderName }
      }),
    )
  })
}

/** Stores transfers, and marks those that have arrived since they were last stored. */
export const saveTransfers = (database: UserDatabase, rows: readonly Transaction[]): Promise<void> =>
  replaceReceiptRows<StoredTransaction>(database, database.transactions, rows, (row, known) =>
    hasArrived(known, row)
      ? { ...mergeTransaction(row, known), arrivedSince: true }
      : mergeTransaction(row, known),
  )

/**
 * Merges a fetched transfer with the known row. An arrival and its mark are kept, and so is a cancellation,
 * because responses may arrive out of order.
 */
export const mergeTransaction = (
  row: StoredTransaction,
  known: StoredTransaction | undefined,
): StoredTransaction => ({
  ...row,
  ...(known?.delivery?.stage === 'delivered' && { delivery: known.delivery }),
  ...(typeof known?.delivery?.canceledAt === 'number' && !row.delivery?.canceledAt && known),
  ...(known?.arrivedSince && { arrivedSince: true }),
})
