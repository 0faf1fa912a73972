import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { buildInvoicePayment, type InvoicePayment } from '../../../domain/invoices/invoice.ts'
import { money } from '../../../domain/money/money.ts'
import { withRows } from '../../cache/database.ts'
import { countUnread } from '../../cache/queries.ts'
import type { InvoicePage } from '../../services/invoices.ts'
import { INVOICE_PAGE_SIZE, refreshInvoicePayments } from './syncInvoices.ts'

const app = vi.hoisted(() => ({ build: 'first' }))
vi.mock('../../browser/build.ts', () => ({ getBuild: () => app.build }))

const invoice = {
  supplier: 'edf',
  reference: '6012-1001',
  type: 'electricity',
  amount: money(8450, 'EUR'),
  dueDate: '2026-11-30',
  status: 'paid',
} as const

const payments = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => {
    const at = from + index
    return buildInvoicePayment(invoice, {
      id: `pi_${at}`,
      payerId: 'u',
      payerName: 'Awa Ba',
      createdAt: at,
      settledAt: at,
    })
  }).reverse()

/** `unread`: the ID of the row that the running version of the app can't read. */
function createServer(rows: readonly InvoicePayment[], unread = '') {
  const asked: (string | null)[] = []
  return {
    asked,
    async fetchInvoicePayments(_uid: string, after: InvoicePage['next'], most: number) {
      asked.push(after?.id ?? null)
      const start = after ? rows.findIndex(({ id }) => id === after.id) + 1 : 0
      const found = rows.slice(start, start + most)
      return {
        payments: found.filter(({ id }) => id !== unread),
        unreadIds: found.flatMap(({ id }) => (id === unread ? id : [])),
        next: (found.length === most && found.at(-1)) || null,
      }
    },
  }
}

const kept = (uid: string) =>
  withRows(uid, async ({ invoicePayments, fetched }) => ({
    ids: (await invoicePayments.orderBy('createdAt').reverse().toArray()).map(({ id }) => id),
    asOf: (await fetched.get('invoicePayments'))?.asOf,
  }))
const collectIds = (rows: readonly InvoicePayment[]) => rows.map(({ id }) => id)

test('a first refresh fetches all pages, and a later one the newest', async () => {
  const rows = payments(0, 2 * INVOICE_PAGE_SIZE + 20)
  const first = createServer(rows)
  await refreshInvoicePayments('all', first, 1000)
  expect(await kept('all')).toEqual({ ids: collectIds(rows), asOf: 1000 })
  expect(first.asked).toHaveLength(3)

  const more = [...payments(2 * INVOICE_PAGE_SIZE + 20, 2 * INVOICE_PAGE_SIZE + 25), ...rows]
  const second = createServer(more)
  await refreshInvoicePayments('all', second, 2000)
  expect(await kept('all')).toEqual({ ids: collectIds(more), asOf: 2000 })
  expect(second.asked).toEqual([null])
})

test('the next refresh completes an interrupted first fetch', async () => {
  const rows = payments(0, INVOICE_PAGE_SIZE + 10)
  const whole = createServer(rows)
  let calls = 0
  const cut = {
    fetchInvoicePayments: (uid: string, after: InvoicePage['next'], most: number) => {
      calls += 1
      return calls > 1 ? Promise.reject(new Error('cut')) : whole.fetchInvoicePayments(uid, after, most)
    },
  }
  await expect(refreshInvoicePayments('cut', cut, 1000)).rejects.toThrow('cut')
  expect(await kept('cut')).toEqual({ ids: collectIds(rows).slice(0, INVOICE_PAGE_SIZE), asOf: undefined })
  await refreshInvoicePayments('cut', whole, 2000)
  expect(await kept('cut')).toEqual({ ids: collectIds(rows), asOf: 2000 })
})

test('refreshing an empty list makes one request and stores its time', async () => {
  const none = createServer([])
  await refreshInvoicePayments('none', none, 1000)
  expect([await kept('none'), none.asked]).toEqual([{ ids: [], asOf: 1000 }, [null]])
})

test('an unreadable payment is counted, and refetched by the next version', async () => {
  const uid = 'unread'
  const unread = () => withRows(uid, (database) => countUnread(database, 'invoicePayments'))
  const refresh = async (build: string, server: ReturnType<typeof createServer>) => {
    app.build = build
    await refreshInvoicePayments(uid, server)
    return server.asked.length
  }
  const rows = payments(0, 2 * INVOICE_PAGE_SIZE + 20)
  const id = rows[INVOICE_PAGE_SIZE - 1]?.id
  expect(await refresh('first', createServer(rows, id))).toBe(3)
  expect([(await kept(uid)).ids.length, await unread()]).toEqual([rows.length - 1, 1])
  expect(await refresh('first', createServer(rows, id))).toBe(1)

  expect(await refresh('second', createServer(rows))).toBe(3)
  expect([(await kept(uid)).ids, await unread()]).toEqual([collectIds(rows), 0])
  expect(await refresh('second', createServer(rows))).toBe(1)
})

test('an unread payment that the server no longer has is forgotten', async () => {
  const rows = payments(0, 2)
  app.build = 'first'
  await refreshInvoicePayments('gone', createServer(rows, 'pi_0'))
  app.build = 'second'
  await refreshInvoicePayments('gone', createServer(rows.slice(0, 1)))
  expect(await withRows('gone', (database) => countUnread(database, 'invoicePayments'))).toBe(0)
})
