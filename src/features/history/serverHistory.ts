import { runSingleFlight } from '../../browser/singleFlight.ts'
import { fetchOlderPage, findTransaction, refreshHistory } from './syncHistory.ts'

const loadServer = () => import('../../services/transactions.ts')

/** @throws a failure of the operation `fetchHistory`. */
export const refreshHistoryFromServer = (uid: string) =>
  runSingleFlight(`newest transfers ${uid}`, async () => refreshHistory(uid, await loadServer()))

/** Returns whether there may be more rows. @throws a failure of the operation `fetchHistory`. */
export const fetchOlderFromServer = (uid: string, most: number) =>
  runSingleFlight(`older transfers ${uid}`, async () => fetchOlderPage(uid, await loadServer(), most))

/**
 * Null if the user can't see such a transfer, `unreadable` if this version of the app can't. @throws a
 * failure of the operation `fetchHistory`.
 */
export const fetchLinkedTransfer = (uid: string, id: string) =>
  findTransaction(uid, id, async () => (await loadServer()).fetchTransaction(id))
