import {
  extendHistoryCoverage,
  type HistoryCursor,
  NO_COVERAGE,
} from '../../../domain/records/historyCoverage.ts'
import { OPEN_STAGES, shouldPollDelivery } from '../../../domain/transfers/delivery.ts'
import { RAW_STATUSES } from '../../../domain/transfers/status.ts'
import { serverNow } from '../../browser/serverTime.ts'
import {
  type HistoryState,
  type StoredTransaction,
  type UserDatabase,
  withRows,
} from '../../cache/database.ts'
import { saveTransfers } from '../../cache/receipts.ts'
import { listUntriedRows, rememberUnread } from '../../cache/unread.ts'
import type { FetchedTransaction, HistoryPart } from '../../services/transactions.ts'

/** Each call throws a failure of the operation `fetchHistory`. */
export interface HistoryServer {
  readonly fetchHistory: (uid: string, after: HistoryCursor | null, most: number) => Promise<HistoryPart>
  readonly fetchTransaction: (id: string) => Promise<FetchedTransaction | null>
}

export const NEWEST_COUNT = 20
export const HISTORY_PAGE_SIZE = 50

/** The refresh fetches each of these transfers individually. */
const MAX_PENDING_FETCHED = 10

const MAX_RETRIED = 10

/**
 * Also fills gaps left by an interrupted refresh or by a version of the app that could not read some rows.
 * The cost depends on the number of new rows only.
 */
export async function refreshHistory(uid: string, server: HistoryServer, now = serverNow()): Promise<void> {
  const newest = await server.fetchHistory(uid, null, NEWEST_COUNT)
  let state = await storePart(uid, newest)
  for (let gap = state.gaps[0]; gap?.until; gap = state.gaps[0])
    state = await storePart(uid, await server.fetchHistory(uid, gap.after, HISTORY_PAGE_SIZE))
  await refreshPendingTransfers(uid, server, newest, now)
  await retryUnreadTransfers(uid, server)
  await withRows(uid, ({ sync }) => sync.update('history', { asOf: now }))
}

export async function fetchOlderPage(
  uid: string,
  server: HistoryServer,
  most = HISTORY_PAGE_SIZE,
): Promise<boolean> {
  const state = await withRows(uid, readHistoryState)
  const gap = state.gaps[0]
  if (!gap) return false
  const { gaps } = await storePart(uid, await server.fetchHistory(uid, gap.after, most))
  return gaps.length > 0
}

/** A crash leaves both rows and range, or neither. */
function storePart(uid: string, { transactions, unreadIds, stretch }: HistoryPart): Promise<HistoryState> {
  return withRows(uid, (database) =>
    database.transaction('rw', [database.transactions, database.sync, database.unread], async () => {
      await saveTransfers(database, transactions)
      const readIds = transactions.map(({ id }) => id)
      await rememberUnread(database, 'transactions', { readIds, unreadIds })
      const before = await readHistoryState(database)
      const state: HistoryState = { ...before, ...extendHistoryCoverage(before, stretch) }
      await database.sync.put(state)
      return state
    }),
  )
}

/** Newest first. */
async function refreshPendingTransfers(
  uid: string,
  server: HistoryServer,
  { transactions: fresh }: HistoryPart,
  now: number,
) {
  const candidates = await withRows(uid, async ({ transactions }) => {
    const [unpaid, underWay] = await Promise.all([
      transactions.where('status').anyOf(RAW_STATUSES.pending).toArray(),
      transactions.where('delivery.stage').anyOf(OPEN_STAGES).toArray(),
    ])
    return [...unpaid, ...underWay.filter((row) => shouldPollDelivery(row, now))]
  })
  const freshIds = new Set(fresh.map(({ id }) => id))
  const pending = candidates
    .filter(({ id }) => !freshIds.has(id))
    .sort((one, other) => other.createdAt - one.createdAt)
    .slice(0, MAX_PENDING_FETCHED)
  const answers = await Promise.all(pending.map(({ id }) => server.fetchTransaction(id)))
  const rows = answers.filter((row) => row !== null && row !== 'unreadable')
  if (rows.length > 0) await withRows(uid, (database) => saveTransfers(database, rows))
}

async function retryUnreadTransfers(uid: string, server: HistoryServer) {
  const ids = await withRows(uid, (database) => listUntriedRows(database, 'transactions', MAX_RETRIED))
  if (ids.length === 0) return
  const answers = await Promise.all(ids.map((id) => server.fetchTransaction(id)))
  const unreadIds = ids.filter((_, index) => answers[index] === 'unreadable')
  const rows = answers.filter((row) => row !== null && row !== 'unreadable')
  await withRows(uid, (database) =>
    database.transaction('rw', [database.transactions, database.unread], async () => {
      await saveTransfers(database, rows)
      await rememberUnread(database, 'transactions', { readIds: ids, unreadIds })
    }),
  )
}

/** Null if the user can't see such a transfer, `unreadable` if this version of the app can't. */
export async function findTransaction(
  uid: string,
  id: string,
  fetchIt: () => Promise<FetchedTransaction | null>,
): Promise<StoredTransaction | 'unreadable' | null> {
  const lookUp = () => withRows(uid, ({ transactions }) => transactions.get(id))
  const row = await lookUp()
  if (row) return row
  const answer = await fetchIt()
  if (!answer || answer === 'unreadable') return answer
  await withRows(uid, (database) => saveTransfers(database, [answer]))
  return (await lookUp()) ?? answer
}

const readHistoryState = async ({ sync }: UserDatabase): Promise<HistoryState> =>
  (await sync.get('history')) ?? { id: 'history', asOf: null, ...NO_COVERAGE }
