import { runSingleFlight } from '../../browser/singleFlight.ts'
import { withRows } from '../../cache/database.ts'
import { saveTransfers } from '../../cache/receipts.ts'
import { fetchTransaction } from '../../services/transactions.ts'

/**
 * A new arrival stays marked until the user sees the receipt, which the app lock may cover. @throws a failure
 * of the operation `fetchHistory`.
 */
export const refreshDelivery = (uid: string, id: string): Promise<void> =>
  runSingleFlight(`transfer ${uid} ${id}`, async () => {
    const transaction = await fetchTransaction(id)
    if (transaction && transaction !== 'unreadable')
      await withRows(uid, (database) => saveTransfers(database, [transaction]))
  })
