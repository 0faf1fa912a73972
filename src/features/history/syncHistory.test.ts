import { DAY } from '../../../domain/common/duration.ts'
import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { DeliveryStage } from '../../../domain/transfers/deliverySchema.ts'
import { HANDED_OVER_DELIVERY, SENT_TRANSFER } from '../../../domain/transfers/transaction.samples.ts'
import type { Transaction } from '../../../domain/transfers/transaction.ts'
import { forgetUser, withRows } from '../../cache/database.ts'
import { countUnread } from '../../cache/queries.ts'
import { unmarkSignedOut } from '../../cache/signedOutUsers.ts'
import {
  fetchOlderPage,
  findTransaction,
  HISTORY_PAGE_SIZE,
  type HistoryServer,
  NEWEST_COUNT,
  refreshHistory,
} from './syncHistory.ts'

const app = vi.hoisted(() => ({ build: 'first' }))
vi.mock('../../browser/build.ts', () => ({ getBuild: () => app.build }))

const NOW = Date.UTC(2026, 10, 20, 14, 32)

function createServer() {
  let rows: Transaction[] = []
  let unreadIds: readonly string[] = []
  const isUnread = ({ id }: { id: string }) => unreadIds.includes(id)
  const reads = { rows: 0, calls: 0 }
  const answer = <T>(found: T): Promise<T> => {
    reads.calls += 1
    return Promise.resolve(found)
  }
  const buildPlace = ({ createdAt, id }: Transaction) => ({
    seconds: Math.floor(createdAt / 1000),
    nanoseconds: (createdAt % 1000) * 1_000_000,
    id,
  })
  const server: HistoryServer = {
    fetchHistory(_uid, after, most) {
      const from = after === null ? 0 : rows.findIndex(({ id }) => id === after.id) + 1
      const found = rows.slice(from, from + most)
      reads.rows += found.length
      const [first] = found
      const last = found.at(-1)
      return answer({
        transactions: found.filter((row) => !isUnread(row)),
        unreadIds: found.filter(isUnread).map(({ id }) => id),
        stretch: {
          after,
          newest: first ? buildPlace(first) : null,
          oldest: last && found.length === most ? buildPlace(last) : null,
        },
      })
    },
    fetchTransaction(id) {
      const found = rows.find((row) => row.id === id) ?? null
      return answer(found && isUnread(found) ? 'unreadable' : found)
    },
  }
  return {
    server,
    reads,
    add(count: number, change: Partial<Transaction> = {}) {
      for (let added = 0; added < count; added += 1) {
        const number = rows.length
        // Two rows share each instant.
        const createdAt = SENT_TRANSFER.createdAt + Math.floor(number / 2) * 1000
        const row = { ...SENT_TRANSFER, id: `pi_${String(number).padStart(5, '0')}`, createdAt, ...change }
        rows = [row, ...rows]
      }
    },
    setUnread(...ids: readonly string[]) {
      unreadIds = ids
    },
    remove(id: string) {
      rows = rows.filter((row) => row.id !== id)
    },
    change(id: string, change: Partial<Transaction>) {
      rows = rows.map((row) => (row.id === id ? { ...row, ...change } : row))
    },
    cutAfter(calls: number) {
      const fetchHistory = server.fetchHistory
      let left = calls
      return {
        ...server,
        fetchHistory: (...args: Parameters<typeof fetchHistory>) => {
          left -= 1
          return left < 0 ? Promise.reject(new Error('cut')) : fetchHistory(...args)
        },
      } satisfies HistoryServer
    },
    all: () => rows,
  }
}

let people = 0
const createUserId = () => {
  people += 1
  return `person-${people}`
}

const kept = (uid: string) =>
  withRows(uid, ({ transactions }) => transactions.orderBy('createdAt').reverse().toArray())
const readState = (uid: string) => withRows(uid, ({ sync }) => sync.get('history'))

async function fetchAll(uid: string, server: HistoryServer) {
  while (await fetchOlderPage(uid, server)) {}
}

test('the newest rows are fetched first, and older pages on request @spec-history-order', async () => {
  const uid = createUserId()
  const { server, add, all } = createServer()
  add(NEWEST_COUNT + HISTORY_PAGE_SIZE + 5)
  await refreshHistory(uid, server, NOW)
  expect(await kept(uid)).toEqual(all().slice(0, NEWEST_COUNT))
  expect(await readState(uid)).toMatchObject({
    asOf: NOW,
    gaps: [{ after: { id: all()[NEWEST_COUNT - 1]?.id }, until: null }],
  })
  expect(await fetchOlderPage(uid, server)).toBe(true)
  expect(await fetchOlderPage(uid, server)).toBe(false)
  expect(await fetchOlderPage(uid, server)).toBe(false)
  expect(await kept(uid)).toEqual(all())
  expect(await readState(uid)).toMatchObject({ gaps: [] })
})

test('a refresh fetches only the newest page and pages with news', async () => {
  const uid = createUserId()
  const { server, add, reads, all } = createServer()
  add(1000)
  await refreshHistory(uid, server, NOW)
  await fetchAll(uid, server)
  expect(await kept(uid)).toEqual(all())
  Object.assign(reads, { rows: 0, calls: 0 })
  await refreshHistory(uid, server, NOW + 1)
  expect(reads).toEqual({ rows: NEWEST_COUNT, calls: 1 })
  add(NEWEST_COUNT + 10)
  Object.assign(reads, { rows: 0, calls: 0 })
  await refreshHistory(uid, server, NOW + 2)
  expect(reads).toEqual({ rows: NEWEST_COUNT + HISTORY_PAGE_SIZE, calls: 2 })
  expect(await kept(uid)).toEqual(all())
})

test('a refresh fetches missing rows below a transfer paid here', async () => {
  const uid = createUserId()
  const { server, add, all } = createServer()
  add(5)
  await refreshHistory(uid, server, NOW)
  add(NEWEST_COUNT + 1)
  const [paidHere] = all()
  if (paidHere) await withRows(uid, ({ transactions }) => transactions.put(paidHere))
  await refreshHistory(uid, server, NOW)
  expect(await kept(uid)).toEqual(all())
})

test('a refresh updates a pending transfer below the newest rows', async () => {
  const uid = createUserId()
  const { server, add, change, all } = createServer()
  add(1, { status: 'processing' })
  add(NEWEST_COUNT)
  await refreshHistory(uid, server, NOW)
  await fetchAll(uid, server)
  change('pi_00000', { status: 'completed' })
  await refreshHistory(uid, server, NOW)
  expect(await kept(uid)).toEqual(all())
})

describe('a refresh of deliveries', () => {
  const delivery = (stage: DeliveryStage) => ({ ...HANDED_OVER_DELIVERY, stage })

  test.each([
    ['ordered', 'handedOver'],
    ['handedOver', 'delivered'],
    ['failed', 'paidBack'],
    ['canceled', 'paidBack'],
  ] as const)('a refresh updates a delivery below the newest from %s to %s', async (before, after) => {
    const uid = createUserId()
    const { server, add, change, all } = createServer()
    add(1, { delivery: delivery(before) })
    add(NEWEST_COUNT)
    await refreshHistory(uid, server, NOW)
    await fetchAll(uid, server)
    const status = after === 'paidBack' ? 'failed' : 'completed'
    change('pi_00000', { delivery: delivery(after), status })
    await refreshHistory(uid, server, NOW)
    expect((await kept(uid)).map(({ arrivedSince: _, ...row }) => row)).toEqual(all())
  })

  test('a refresh marks a new arrival until the user has seen it', async () => {
    const uid = createUserId()
    const { server, add, change } = createServer()
    add(2, { delivery: delivery('handedOver') })
    add(1, { delivery: delivery('delivered') })
    const arrived = async () => (await kept(uid)).filter((row) => row.arrivedSince).map(({ id }) => id)
    await refreshHistory(uid, server, NOW)
    expect(await arrived()).toEqual([])
    change('pi_00000', { delivery: delivery('delivered') })
    await refreshHistory(uid, server, NOW)
    expect(await arrived()).toEqual(['pi_00000'])
    await refreshHistory(uid, server, NOW)
    expect(await arrived()).toEqual(['pi_00000'])
    await withRows(uid, ({ transactions }) => transactions.update('pi_00000', { arrivedSince: false }))
    await refreshHistory(uid, server, NOW)
    expect(await arrived()).toEqual([])
  })

  test('a late response does not undo a stored arrival', async () => {
    const uid = createUserId()
    const { server, add, change } = createServer()
    add(1, { delivery: delivery('delivered') })
    await refreshHistory(uid, server, NOW)
    change('pi_00000', { delivery: delivery('handedOver') })
    await refreshHistory(uid, server, NOW)
    expect((await kept(uid))[0]?.delivery).toEqual(delivery('delivered'))
  })

  test('a late response does not undo a stored cancellation', async () => {
    const uid = createUserId()
    const { server, add, change } = createServer()
    const canceled = { status: 'canceled', delivery: { ...delivery('canceled'), canceledAt: NOW } }
    add(1, canceled)
    await refreshHistory(uid, server, NOW)
    change('pi_00000', { status: 'completed', delivery: delivery('ordered') })
    await refreshHistory(uid, server, NOW)
    expect((await kept(uid))[0]).toMatchObject(canceled)
    const refunded = { status: 'canceled', delivery: { ...delivery('paidBack'), canceledAt: NOW } }
    change('pi_00000', refunded)
    await refreshHistory(uid, server, NOW)
    expect((await kept(uid))[0]).toMatchObject(refunded)
  })

  test.each(['delivered', 'paidBack'] as const)(
    'a refresh does not request a delivery that is %s',
    async (stage) => {
      const uid = createUserId()
      const { server, add, reads } = createServer()
      add(1, { delivery: delivery(stage) })
      add(NEWEST_COUNT)
      await refreshHistory(uid, server, NOW)
      await fetchAll(uid, server)
      reads.calls = 0
      await refreshHistory(uid, server, NOW)
      expect(reads.calls).toBe(1)
    },
  )

  test('a refresh requests a pending delivery for thirty days', async () => {
    const uid = createUserId()
    const { server, add, reads } = createServer()
    add(1, { delivery: delivery('handedOver') })
    add(NEWEST_COUNT)
    await refreshHistory(uid, server, NOW)
    await fetchAll(uid, server)
    reads.calls = 0
    await refreshHistory(uid, server, SENT_TRANSFER.createdAt + 30 * DAY - 1)
    expect(reads.calls).toBe(2)
    await refreshHistory(uid, server, SENT_TRANSFER.createdAt + 30 * DAY)
    expect(reads.calls).toBe(3)
  })

  test('a refresh requests at most ten pending deliveries, the newest first', async () => {
    const uid = createUserId()
    const { server, add, change, reads, all } = createServer()
    add(12, { delivery: delivery('handedOver') })
    add(NEWEST_COUNT)
    await refreshHistory(uid, server, NOW)
    await fetchAll(uid, server)
    reads.calls = 0
    for (const { id } of all().slice(NEWEST_COUNT)) change(id, { delivery: delivery('delivered') })
    await refreshHistory(uid, server, NOW)
    expect(reads.calls).toBe(11)
    const open = (await kept(uid)).filter((row) => row.delivery?.stage === 'handedOver')
    expect(open.map(({ id }) => id)).toEqual(['pi_00001', 'pi_00000'])
    await refreshHistory(uid, server, NOW)
    expect((await kept(uid)).map(({ arrivedSince: _, ...row }) => row)).toEqual(all())
  })
})

describe('a transfer that a version of the app can’t read', () => {
  const unread = (uid: string) => withRows(uid, (database) => countUnread(database, 'transactions'))
  async function syncAll(uid: string, server: HistoryServer, build: string) {
    app.build = build
    await refreshHistory(uid, server, NOW)
    await fetchAll(uid, server)
  }

  test('an unreadable transfer is counted, and stored by the next version', async () => {
    const uid = createUserId()
    const { server, add, setUnread, all } = createServer()
    add(NEWEST_COUNT + 20)
    setUnread('pi_00005', 'pi_00030')
    await syncAll(uid, server, 'first')
    expect(await kept(uid)).toHaveLength(NEWEST_COUNT + 18)
    expect(await unread(uid)).toBe(2)
    setUnread()
    await syncAll(uid, server, 'second')
    expect(await kept(uid)).toEqual(all())
    expect(await unread(uid)).toBe(0)
  })

  test('one version requests an unread transfer by itself only once', async () => {
    const uid = createUserId()
    const { server, add, setUnread, reads } = createServer()
    add(NEWEST_COUNT + 20)
    setUnread('pi_00005')
    await syncAll(uid, server, 'first')
    reads.calls = 0
    await syncAll(uid, server, 'first')
    expect(reads.calls).toBe(1)
    await syncAll(uid, server, 'second')
    expect(reads.calls).toBe(3)
    await syncAll(uid, server, 'second')
    expect(reads.calls).toBe(4)
    expect(await unread(uid)).toBe(1)
  })

  test('one version stores an unread transfer that arrives readable', async () => {
    const uid = createUserId()
    const { server, add, setUnread, reads, all } = createServer()
    add(5)
    setUnread('pi_00002')
    await syncAll(uid, server, 'first')
    setUnread()
    reads.calls = 0
    await syncAll(uid, server, 'first')
    expect(reads.calls).toBe(1)
    expect(await kept(uid)).toEqual(all())
    expect(await unread(uid)).toBe(0)
  })

  test('an unread transfer is forgotten once the server no longer has it', async () => {
    const uid = createUserId()
    const { server, add, setUnread, remove } = createServer()
    add(NEWEST_COUNT + 20)
    setUnread('pi_00005')
    await syncAll(uid, server, 'first')
    remove('pi_00005')
    await syncAll(uid, server, 'second')
    expect(await unread(uid)).toBe(0)
  })

  test('an unreadable transfer already stored here does not count as unread', async () => {
    const uid = createUserId()
    const { server, add, setUnread, all } = createServer()
    add(1)
    setUnread('pi_00000')
    await withRows(uid, ({ transactions }) => transactions.bulkPut([...all()]))
    await syncAll(uid, server, 'first')
    expect(await unread(uid)).toBe(0)
  })

  test('each refresh of the next version requests at most ten unread transfers', async () => {
    const uid = createUserId()
    const { server, add, setUnread, reads, all } = createServer()
    add(12)
    add(NEWEST_COUNT)
    setUnread(
      ...all()
        .slice(NEWEST_COUNT)
        .map(({ id }) => id),
    )
    await syncAll(uid, server, 'first')
    setUnread()
    reads.calls = 0
    await syncAll(uid, server, 'second')
    expect(reads.calls).toBe(11)
    await syncAll(uid, server, 'second')
    expect(await kept(uid)).toEqual(all())
  })
})

test('findTransaction falls back to the server and stores the result', async () => {
  const uid = createUserId()
  const { server, add, setUnread, reads } = createServer()
  add(3)
  const find = (id: string) => findTransaction(uid, id, () => server.fetchTransaction(id))
  expect(await find('pi_00001')).toMatchObject({ id: 'pi_00001' })
  expect(await find('pi_00001')).toMatchObject({ id: 'pi_00001' })
  expect(await find('pi_none')).toBe(null)
  expect(reads.calls).toBe(2)
  setUnread('pi_00002')
  expect(await find('pi_00002')).toBe('unreadable')
})

test('a refresh discards a response for a user who has signed out', async () => {
  const uid = createUserId()
  const { server, add } = createServer()
  add(3)
  const late: HistoryServer = {
    ...server,
    async fetchHistory(...args) {
      await forgetUser(uid)
      return server.fetchHistory(...args)
    },
  }
  await expect(refreshHistory(uid, late, NOW)).rejects.toThrow('signed out of this device')
  unmarkSignedOut(uid)
  expect(await kept(uid)).toEqual([])
})

test('the history equals the server’s after any interrupted or concurrent fetches', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 120 }) }),
    fc.record({ kind: fc.constant('refresh' as const), calls: fc.integer({ min: 0, max: 4 }) }),
    fc.record({ kind: fc.constant('older' as const), calls: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ kind: fc.constant('both' as const), calls: fc.integer({ min: 0, max: 4 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const uid = createUserId()
      const { server, add, cutAfter, all } = createServer()
      const quietly = (work: Promise<unknown>) => work.catch(() => undefined)
      for (const does of steps) {
        if (does.kind === 'add') add(does.count)
        else {
          const cut = cutAfter(does.calls)
          await Promise.all([
            does.kind !== 'older' && quietly(refreshHistory(uid, cut, NOW)),
            does.kind !== 'refresh' && quietly(fetchOlderPage(uid, cut)),
          ])
        }
      }
      await refreshHistory(uid, server, NOW)
      await fetchAll(uid, server)
      expect((await kept(uid)).map(({ id }) => id)).toEqual(all().map(({ id }) => id))
      await forgetUser(uid)
    }),
    { numRuns: 60 },
  )
})
