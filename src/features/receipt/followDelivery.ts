import { singleFlight } from '../../browser/singleFlight.ts'
import { type KeptTransaction, withRows } from '../../cache/database.ts'
import { keepReceipts, latestOf } from '../../cache/receipts.ts'
import { fetchTransaction } from '../../services/transactions.ts'

/** Brings a transfer on this device to the server's; its receipt is open, and tells that it has arrived. Fails with `fetchHistory`. */
export const followDelivery = (uid: string, id: string): Promise<void> =>
  singleFlight(`transfer ${uid} ${id}`, async () => {
    const found = await fetchTransaction(id)
    if (found)
      await withRows(uid, (database) =>
        keepReceipts<KeptTransaction>(database, database.transactions, [found], latestOf),
      )
  })
