import { singleFlight } from '../../browser/singleFlight.ts'
import { fetchOlder, findTransaction, refreshHistory } from './syncHistory.ts'

// What the screens ask of the real server. The rules of it are in syncHistory.ts.
const loadServer = () => import('../../services/transactions.ts')

/** Brings the newest rows on this device to the server's. Fails with `fetchHistory`. */
export const refresh = (uid: string) =>
  singleFlight(`newest transfers ${uid}`, async () => refreshHistory(uid, await loadServer()))

/** Fetches the next `most` older rows; tells whether there may be more. Fails with `fetchHistory`. */
export const older = (uid: string, most: number) =>
  singleFlight(`older transfers ${uid}`, async () => fetchOlder(uid, await loadServer(), most))

/** The transfer of a link; null when there is none that the person may see. Fails with `fetchHistory`. */
export const linked = (uid: string, id: string) =>
  findTransaction(uid, id, async () => (await loadServer()).fetchTransaction(id))
