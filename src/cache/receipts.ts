import type { Table } from 'dexie'
import type { ReceiptRow, UserDatabase } from './database.ts'

/** Writes the server's rows over those that are here. What their receipts call the person stays. */
export function keepReceipts<Row extends ReceiptRow & { readonly id: string }>(
  { profiles }: UserDatabase,
  kept: Table<Row, string>,
  rows: readonly Row[],
): Promise<void> {
  return kept.db.transaction('rw', kept, profiles, async () => {
    const known = await kept.bulkGet(rows.map(({ id }) => id))
    const profile = await profiles.toCollection().first()
    await kept.bulkPut(
      rows.map((row, index) => {
        const senderName = known[index]?.senderName ?? profile?.name
        return senderName === undefined ? row : { ...row, senderName }
      }),
    )
  })
}
