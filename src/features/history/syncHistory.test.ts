import { DAY } from '../../../domain/duration.ts'
import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../../../domain/plans.ts'
import type { DeliveryStage } from '../../../domain/schemas/delivery.ts'
import { HANDED_OVER, SENT } from '../../../domain/transaction.samples.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import { databaseOf, forgetUser, withRows } from '../../cache/database.ts'
import { welcomeUser } from '../../cache/signedOutUsers.ts'
import {
  fetchOlder,
  findTransaction,
  type HistoryServer,
  NEWEST,
  PAGE,
  refreshHistory,
} from './syncHistory.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 32)

/** A server with rows, the newest first; every read is counted. */
function createServer() {
  let rows: Transaction[] = []
  const reads = { rows: 0, calls: 0 }
  const answer = <T>(found: T): Promise<T> => {
    reads.calls += 1
    return Promise.resolve(found)
  }
  const placeOf = ({ createdAt, id }: Transaction) => ({
    seconds: Math.floor(createdAt / 1000),
    nanoseconds: (createdAt % 1000) * 1_000_000,
    id,
  })
  const server: HistoryServer = {
    fetchHistory(_uid, after, most) {
      const from = after === null ? 0 : rows.findIndex(({ id }) => id === after.id) + 1
      const transactions = rows.slice(from, from + most)
      reads.rows += transactions.length
      const [first] = transactions
      const last = transactions.at(-1)
      return answer({
        transactions,
        stretch: {
          after,
          newest: first ? placeOf(first) : null,
          oldest: last && transactions.length === most ? placeOf(last) : null,
        },
      })
    },
    fetchTransaction: (id) => answer(rows.find((row) => row.id === id) ?? null),
  }
  return {
    server,
    reads,
    add(count: number, change: Partial<Transaction> = {}) {
      for (let added = 0; added < count; added += 1) {
        const number = rows.length
        // Some share their instant.
        const createdAt = SENT.createdAt + Math.floor(number / 2) * 1000
        const row = { ...SENT, id: `pi_${String(number).padStart(5, '0')}`, createdAt, ...change }
        rows = [row, ...rows]
      }
    },
    change(id: string, change: Partial<Transaction>) {
      rows = rows.map((row) => (row.id === id ? { ...row, ...change } : row))
    },
    /** The same server, behind a network that goes after some calls. */
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
const somebody = () => {
  people += 1
  return `person-${people}`
}

const kept = (uid: string) =>
  withRows(uid, ({ transactions }) => transactions.orderBy('createdAt').reverse().toArray())
const stateOf = (uid: string) => withRows(uid, ({ sync }) => sync.get('history'))

async function fetchAll(uid: string, server: HistoryServer) {
  while (await fetchOlder(uid, server)) {}
}

test('the newest rows come first, the older ones when they are asked for @spec-history-order', async () => {
  const uid = somebody()
  const { server, add, all } = createServer()
  add(NEWEST + PAGE + 5)
  await refreshHistory(uid, server, NOW)
  expect(await kept(uid)).toEqual(all().slice(0, NEWEST))
  expect(await stateOf(uid)).toMatchObject({
    asOf: NOW,
    gaps: [{ after: { id: all()[NEWEST - 1]?.id }, until: null }],
  })
  expect(await fetchOlder(uid, server)).toBe(true)
  expect(await fetchOlder(uid, server)).toBe(false)
  expect(await fetchOlder(uid, server)).toBe(false)
  expect(await kept(uid)).toEqual(all())
  expect(await stateOf(uid)).toMatchObject({ gaps: [] })
})

test('a refresh costs what is new, however long the history is', async () => {
  const uid = somebody()
  const { server, add, reads, all } = createServer()
  add(1000)
  await refreshHistory(uid, server, NOW)
  await fetchAll(uid, server)
  expect(await kept(uid)).toEqual(all())
  Object.assign(reads, { rows: 0, calls: 0 })
  await refreshHistory(uid, server, NOW + 1)
  expect(reads).toEqual({ rows: NEWEST, calls: 1 })
  add(NEWEST + 10)
  Object.assign(reads, { rows: 0, calls: 0 })
  await refreshHistory(uid, server, NOW + 2)
  expect(reads).toEqual({ rows: NEWEST + PAGE, calls: 2 })
  expect(await kept(uid)).toEqual(all())
})

test('a row that is put on the device by itself hides none that came before it', async () => {
  const uid = somebody()
  const { server, add, all } = createServer()
  add(5)
  await refreshHistory(uid, server, NOW)
  add(NEWEST + 1)
  const [paidHere] = all()
  if (paidHere) await withRows(uid, ({ transactions }) => transactions.put(paidHere))
  await refreshHistory(uid, server, NOW)
  expect(await kept(uid)).toEqual(all())
})

test('what is on its way is followed up, however many came after it', async () => {
  const uid = somebody()
  const { server, add, change, all } = createServer()
  add(1, { status: 'processing' })
  add(NEWEST)
  await refreshHistory(uid, server, NOW)
  await fetchAll(uid, server)
  change('pi_00000', { status: 'completed' })
  await refreshHistory(uid, server, NOW)
  expect(await kept(uid)).toEqual(all())
})

describe('a delivery that is under way', () => {
  const delivery = (stage: DeliveryStage) => ({ ...HANDED_OVER, stage })

  test.each([
    ['ordered', 'handedOver'],
    ['handedOver', 'delivered'],
    ['failed', 'paidBack'],
  ] as const)('is followed up, however many came after it: %s, then %s', async (before, after) => {
    const uid = somebody()
    const { server, add, change, all } = createServer()
    add(1, { delivery: delivery(before) })
    add(NEWEST)
    await refreshHistory(uid, server, NOW)
    await fetchAll(uid, server)
    const status = after === 'paidBack' ? 'failed' : 'completed'
    change('pi_00000', { delivery: delivery(after), status })
    await refreshHistory(uid, server, NOW)
    expect((await kept(uid)).map(({ arrivedSince: _, ...row }) => row)).toEqual(all())
  })

  test('is told of when it has arrived since, until the person was told', async () => {
    const uid = somebody()
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

  test('stays, although an answer of before comes later', async () => {
    const uid = somebody()
    const { server, add, change } = createServer()
    add(1, { delivery: delivery('delivered') })
    await refreshHistory(uid, server, NOW)
    change('pi_00000', { delivery: delivery('handedOver') })
    await refreshHistory(uid, server, NOW)
    expect((await kept(uid))[0]?.delivery).toEqual(delivery('delivered'))
  })

  test.each(['delivered', 'paidBack'] as const)('is asked about no more once it is %s', async (stage) => {
    const uid = somebody()
    const { server, add, reads } = createServer()
    add(1, { delivery: delivery(stage) })
    add(NEWEST)
    await refreshHistory(uid, server, NOW)
    await fetchAll(uid, server)
    reads.calls = 0
    await refreshHistory(uid, server, NOW)
    expect(reads.calls).toBe(1)
  })

  test('is asked about for thirty days', async () => {
    const uid = somebody()
    const { server, add, reads } = createServer()
    add(1, { delivery: delivery('handedOver') })
    add(NEWEST)
    await refreshHistory(uid, server, NOW)
    await fetchAll(uid, server)
    reads.calls = 0
    await refreshHistory(uid, server, SENT.createdAt + 30 * DAY - 1)
    expect(reads.calls).toBe(2)
    await refreshHistory(uid, server, SENT.createdAt + 30 * DAY)
    expect(reads.calls).toBe(3)
  })

  test('is one of ten at most that are asked about at once, the newest first', async () => {
    const uid = somebody()
    const { server, add, change, reads, all } = createServer()
    add(12, { delivery: delivery('handedOver') })
    add(NEWEST)
    await refreshHistory(uid, server, NOW)
    await fetchAll(uid, server)
    reads.calls = 0
    for (const { id } of all().slice(NEWEST)) change(id, { delivery: delivery('delivered') })
    await refreshHistory(uid, server, NOW)
    expect(reads.calls).toBe(11)
    const open = (await kept(uid)).filter((row) => row.delivery?.stage === 'handedOver')
    expect(open.map(({ id }) => id)).toEqual(['pi_00001', 'pi_00000'])
    // They are asked about the next time.
    await refreshHistory(uid, server, NOW)
    expect((await kept(uid)).map(({ arrivedSince: _, ...row }) => row)).toEqual(all())
  })
})

test('a receipt keeps the name that the sender had', async () => {
  const uid = somebody()
  const { server, add } = createServer()
  const rename = async (name: string) =>
    (await databaseOf(uid)).profiles.put({
      uid,
      email: null,
      name,
      phone: null,
      subscription: EMPTY_SUBSCRIPTION,
    })
  const names = async () => (await kept(uid)).map(({ senderName }) => senderName)
  add(1)
  await refreshHistory(uid, server, NOW)
  expect(await names()).toEqual([undefined])
  await rename('Awa Ba')
  await refreshHistory(uid, server, NOW)
  await rename('Awa Sow')
  add(1)
  await refreshHistory(uid, server, NOW)
  expect(await names()).toEqual(['Awa Sow', 'Awa Ba'])
})

test('a single transfer is found here, then at the server, and kept', async () => {
  const uid = somebody()
  const { server, add, reads } = createServer()
  add(3)
  const find = (id: string) => findTransaction(uid, id, () => server.fetchTransaction(id))
  expect(await find('pi_00001')).toMatchObject({ id: 'pi_00001' })
  expect(await find('pi_00001')).toMatchObject({ id: 'pi_00001' })
  expect(await find('pi_none')).toBe(null)
  expect(reads.calls).toBe(2)
})

test('a late answer for somebody who left is dropped', async () => {
  const uid = somebody()
  const { server, add } = createServer()
  add(3)
  const late: HistoryServer = {
    ...server,
    async fetchHistory(...args) {
      await forgetUser(uid)
      return server.fetchHistory(...args)
    },
  }
  await expect(refreshHistory(uid, late, NOW)).rejects.toThrow('left the device')
  welcomeUser(uid)
  expect(await kept(uid)).toEqual([])
})

test('whatever is cut and whatever comes in between, once it is quiet the device holds what the server does', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 120 }) }),
    fc.record({ kind: fc.constant('refresh' as const), calls: fc.integer({ min: 0, max: 4 }) }),
    fc.record({ kind: fc.constant('older' as const), calls: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ kind: fc.constant('both' as const), calls: fc.integer({ min: 0, max: 4 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const uid = somebody()
      const { server, add, cutAfter, all } = createServer()
      const quietly = (work: Promise<unknown>) => work.catch(() => undefined)
      for (const does of steps) {
        if (does.kind === 'add') add(does.count)
        else {
          const cut = cutAfter(does.calls)
          // Two tabs, or two parts of a page, at the same time.
          await Promise.all([
            does.kind !== 'older' && quietly(refreshHistory(uid, cut, NOW)),
            does.kind !== 'refresh' && quietly(fetchOlder(uid, cut)),
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
