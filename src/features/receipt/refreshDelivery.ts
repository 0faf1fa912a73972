import { runSingleFlight } from '../../browser/singleFlight.ts'
import { type StoredTransaction, withRows } from '../../cache/database.ts'
import { mergeTransaction, replaceReceiptRows } from '../../cache/receipts.ts'
import { fetchTransaction } from '../../services/transactions.ts'

/**
 * Updates a transfer on this device from the server while its receipt is open. It doesn't mark an arrival as
 * new, because the receipt shows it.
 *
 * @throws a failure of the operation `fetchHistory`.
 */
export const refreshDelivery = (uid: string, id: string): Promise<void> =>
  runSingleFlight(`transfer ${uid} ${id}`, async () => {
    const found = await fetchTransaction(id)
    if (found)
      await withRows(uid, (database) =>
        replaceReceiptRows<StoredTransaction>(database, database.transactions, [found], mergeTransaction),
      )
  })
