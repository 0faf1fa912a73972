import type { Table } from 'dexie'
import { hasArrived } from '../../domain/arrival.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { KeptTransaction, ReceiptRow, UserDatabase } from './database.ts'

/** Writes the server's rows over those that are here. What their receipts call the person stays, and what `besides` makes of both. */
export function keepReceipts<Row extends ReceiptRow & { readonly id: string }>(
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

/** The same of transfers: of one that has arrived since this device saw it last the person is to be told. */
export const keepTransfers = (database: UserDatabase, rows: readonly Transaction[]): Promise<void> =>
  keepReceipts<KeptTransaction>(database, database.transactions, rows, (row, known) =>
    hasArrived(known, row) ? { ...latestOf(row, known), arrivedSince: true } : latestOf(row, known),
  )

/** What has arrived stays so, and to be told: an answer that was asked for earlier may come later. */
export const latestOf = (row: KeptTransaction, known: KeptTransaction | undefined): KeptTransaction => ({
  ...row,
  ...(known?.delivery?.stage === 'delivered' && { delivery: known.delivery }),
  ...(known?.arrivedSince && { arrivedSince: true }),
})
