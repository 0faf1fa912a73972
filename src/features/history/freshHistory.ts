import { fetchOlder, findTransaction, refreshHistory } from './syncHistory.ts'

// What the screens ask for, of the real server. One after another: two parts of a page that ask at once ask once.
const loadServer = () => import('../../services/transactions.ts')
const running = new Map<string, Promise<unknown>>()

function once<T>(name: string, work: () => Promise<T>): Promise<T> {
  const known = running.get(name)
  if (known) return known as Promise<T>
  const begun = work().finally(() => running.delete(name))
  running.set(name, begun)
  return begun
}

/** Brings the newest rows on this device to the server's. Fails with `fetchHistory`. */
export const refresh = (uid: string) =>
  once(`newest ${uid}`, async () => refreshHistory(uid, await loadServer()))

/** Fetches the next `most` older rows; tells whether there may be more. Fails with `fetchHistory`. */
export const older = (uid: string, most: number) =>
  once(`older ${uid}`, async () => fetchOlder(uid, await loadServer(), most))

/** The transfer of a link; null when there is none that the person may see. Fails with `fetchHistory`. */
export const linked = (uid: string, id: string) =>
  findTransaction(uid, id, async () => (await loadServer()).fetchTransaction(id))
