import { runSingleFlight } from '../../browser/singleFlight.ts'
import { fetchOlderPage, findTransaction, refreshHistory } from './syncHistory.ts'

// Binds the rules of syncHistory.ts to the real server.
const loadServer = () => import('../../services/transactions.ts')

/**
 * Updates the newest rows on this device from the server. @throws a failure of the operation `fetchHistory`.
 */
export const refreshHistoryFromServer = (uid: string) =>
  runSingleFlight(`newest transfers ${uid}`, async () => refreshHistory(uid, await loadServer()))

/**
 * Fetches the next `most` older rows; returns whether there may be more. @throws a failure of the operation
 * `fetchHistory`.
 */
export const fetchOlderFromServer = (uid: string, most: number) =>
  runSingleFlight(`older transfers ${uid}`, async () => fetchOlderPage(uid, await loadServer(), most))

/**
 * Finds the transfer of a link; null if the user can't see such a transfer, `unreadable` if this version of
 * the app can't. @throws a failure of the operation `fetchHistory`.
 */
export const fetchLinkedTransfer = (uid: string, id: string) =>
  findTransaction(uid, id, async () => (await loadServer()).fetchTransaction(id))
