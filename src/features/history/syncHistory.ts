import { isFollowed, OPEN_STAGES } from '../../../domain/delivery.ts'
import { covered, NOTHING, type Place } from '../../../domain/gaps.ts'
import { RAW_STATUSES } from '../../../domain/status.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { serverNow } from '../../browser/serverTime.ts'
import { type HistoryState, type KeptTransaction, type UserDatabase, withRows } from '../../cache/database.ts'
import { keepTransfers } from '../../cache/receipts.ts'
import type { HistoryPart } from '../../services/transactions.ts'

/** What the server is asked; each call fails with `fetchHistory`. */
export interface HistoryServer {
  readonly fetchHistory: (uid: string, after: Place | null, most: number) => Promise<HistoryPart>
  readonly fetchTransaction: (id: string) => Promise<Transaction | null>
}

/** How many rows one call asks for: to see what is new, and to fetch older ones. */
export const NEWEST = 20
export const PAGE = 50

/** A transfer on its way that lies further down is fetched by a call of its own. This is how many at most. */
const MOST_ON_THEIR_WAY = 10

/**
 * Brings the newest rows on this device to the server's, down to those that were here already; what an earlier try left
 * open is filled too. What it costs depends on what is new, not on the length of the history.
 */
export async function refreshHistory(uid: string, server: HistoryServer, now = serverNow()): Promise<void> {
  const newest = await server.fetchHistory(uid, null, NEWEST)
  let state = await keep(uid, newest)
  for (let gap = state.gaps[0]; gap?.until; gap = state.gaps[0])
    state = await keep(uid, await server.fetchHistory(uid, gap.after, PAGE))
  await followUp(uid, server, newest, now)
  await withRows(uid, ({ sync }) => sync.update('history', { asOf: now }))
}

/** Fetches the next older rows that this device lacks; tells whether there may be more. */
export async function fetchOlder(uid: string, server: HistoryServer, most = PAGE): Promise<boolean> {
  const state = await withRows(uid, stateOf)
  const gap = state.gaps[0]
  if (!gap) return false
  const { gaps } = await keep(uid, await server.fetchHistory(uid, gap.after, most))
  return gaps.length > 0
}

/** Puts the rows and what they prove on the device together, so that a crash leaves both or none. */
function keep(uid: string, { transactions, stretch }: HistoryPart): Promise<HistoryState> {
  return withRows(uid, (database) =>
    database.transaction('rw', [database.transactions, database.sync, database.profiles], async () => {
      await keepTransfers(database, transactions)
      const before = await stateOf(database)
      const state: HistoryState = { ...before, ...covered(before, stretch) }
      await database.sync.put(state)
      return state
    }),
  )
}

/** A transfer on its way ends some day, however many came after it. So each is asked about until it, and its delivery, has ended. */
async function followUp(
  uid: string,
  server: HistoryServer,
  { transactions: fresh }: HistoryPart,
  now: number,
) {
  const known = await withRows(uid, async ({ transactions }) => {
    const [unpaid, underWay] = await Promise.all([
      transactions.where('status').anyOf(RAW_STATUSES.pending).toArray(),
      transactions.where('delivery.stage').anyOf(OPEN_STAGES).toArray(),
    ])
    return [...unpaid, ...underWay.filter((row) => isFollowed(row, now))]
  })
  const seen = new Set(fresh.map(({ id }) => id))
  const asked = known
    .filter(({ id }) => !seen.has(id))
    .sort((one, other) => other.createdAt - one.createdAt)
    .slice(0, MOST_ON_THEIR_WAY)
  const found = await Promise.all(asked.map(({ id }) => server.fetchTransaction(id)))
  const rows = found.filter((row) => row !== null)
  if (rows.length > 0) await withRows(uid, (database) => keepTransfers(database, rows))
}

/** The transfer, from this device or else from the server; null when there is none that the person may see. */
export async function findTransaction(
  uid: string,
  id: string,
  fetchIt: () => Promise<Transaction | null>,
): Promise<KeptTransaction | null> {
  const lookUp = () => withRows(uid, ({ transactions }) => transactions.get(id))
  const known = await lookUp()
  if (known) return known
  const found = await fetchIt()
  if (!found) return null
  await withRows(uid, (database) => keepTransfers(database, [found]))
  return (await lookUp()) ?? found
}

const stateOf = async ({ sync }: UserDatabase): Promise<HistoryState> =>
  (await sync.get('history')) ?? { id: 'history', asOf: null, ...NOTHING }
