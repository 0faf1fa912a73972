const FETCHED = 20

/** Writes the newest transfers into the rows on this device; screens follow by themselves. */
export async function syncRecent(uid: string): Promise<void> {
  const { fetchTransactions } = await import('../../services/transactions.ts')
  const { databaseOf } = await import('../../cache/database.ts')
  const newest = await fetchTransactions(uid, FETCHED)
  await databaseOf(uid).transactions.bulkPut(newest)
}
