import { runSingleFlight } from '../../browser/singleFlight.ts'
import { withRows } from '../../cache/database.ts'
import { mergeTransfers } from '../../cache/receipts.ts'
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
    if (found && found !== 'unreadable') await withRows(uid, (database) => mergeTransfers(database, [found]))
  })
