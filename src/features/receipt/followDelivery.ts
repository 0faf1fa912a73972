import { singleFlight } from '../../browser/singleFlight.ts'
import { withRows } from '../../cache/database.ts'
import { keepReceipts } from '../../cache/receipts.ts'
import { fetchTransaction } from '../../services/transactions.ts'

/** Brings a transfer on this device to the server's. Fails with `fetchHistory`. */
export const followDelivery = (uid: string, id: string): Promise<void> =>
  singleFlight(`transfer ${uid} ${id}`, async () => {
    const found = await fetchTransaction(id)
    if (found) await withRows(uid, (database) => keepReceipts(database, database.transactions, [found]))
  })
