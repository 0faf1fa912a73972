import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { type InvoicePayment, invoicePaymentOf } from '../../../domain/invoice.ts'
import { money } from '../../../domain/money.ts'
import { EMPTY_SUBSCRIPTION } from '../../../domain/plans.ts'
import { withRows } from '../../cache/database.ts'
import type { InvoicePage } from '../../services/invoices.ts'
import { PAGE, refreshInvoices } from './syncInvoices.ts'

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
    return invoicePaymentOf(invoice, { id: `pi_${at}`, payerId: 'u', createdAt: at, settledAt: at })
  }).reverse()

/** A server that holds these, newest first, and knows what it was asked. */
function serverOf(rows: readonly InvoicePayment[]) {
  const asked: (string | null)[] = []
  return {
    asked,
    async fetchInvoicePayments(_uid: string, after: InvoicePage['next'], most: number) {
      asked.push(after?.id ?? null)
      const start = after ? rows.findIndex(({ id }) => id === after.id) + 1 : 0
      const payments = rows.slice(start, start + most)
      return { payments, next: (payments.length === most && payments.at(-1)) || null }
    },
  }
}

const kept = (uid: string) =>
  withRows(uid, async ({ invoicePayments, fetched }) => ({
    ids: (await invoicePayments.orderBy('createdAt').reverse().toArray()).map(({ id }) => id),
    asOf: (await fetched.get('invoicePayments'))?.asOf,
  }))
const idsOf = (rows: readonly InvoicePayment[]) => rows.map(({ id }) => id)

test('all are fetched the first time, page by page, and only what is new later', async () => {
  const rows = payments(0, 2 * PAGE + 20)
  const first = serverOf(rows)
  await refreshInvoices('all', first, 1000)
  expect(await kept('all')).toEqual({ ids: idsOf(rows), asOf: 1000 })
  expect(first.asked).toHaveLength(3)

  const more = [...payments(2 * PAGE + 20, 2 * PAGE + 25), ...rows]
  const second = serverOf(more)
  await refreshInvoices('all', second, 2000)
  expect(await kept('all')).toEqual({ ids: idsOf(more), asOf: 2000 })
  expect(second.asked).toEqual([null])
})

test('a first time that was cut is made whole by the next, although a row was paid here meanwhile', async () => {
  const rows = payments(0, PAGE + 10)
  const whole = serverOf(rows)
  let calls = 0
  const cut = {
    fetchInvoicePayments: (uid: string, after: InvoicePage['next'], most: number) => {
      calls += 1
      return calls > 1 ? Promise.reject(new Error('cut')) : whole.fetchInvoicePayments(uid, after, most)
    },
  }
  await expect(refreshInvoices('cut', cut, 1000)).rejects.toThrow('cut')
  expect(await kept('cut')).toEqual({ ids: idsOf(rows).slice(0, PAGE), asOf: undefined })
  await refreshInvoices('cut', whole, 2000)
  expect(await kept('cut')).toEqual({ ids: idsOf(rows), asOf: 2000 })
})

test('nobody who paid nothing is asked for twice', async () => {
  const none = serverOf([])
  await refreshInvoices('none', none, 1000)
  expect([await kept('none'), none.asked]).toEqual([{ ids: [], asOf: 1000 }, [null]])
})

test('a receipt keeps the name that the payer had', async () => {
  const rename = (name: string) =>
    withRows('named', ({ profiles }) =>
      profiles.put({ uid: 'named', email: null, name, phone: null, subscription: EMPTY_SUBSCRIPTION }),
    )
  const names = () =>
    withRows('named', async ({ invoicePayments }) =>
      (await invoicePayments.orderBy('createdAt').toArray()).map(({ senderName }) => senderName),
    )
  await rename('Awa Ba')
  await refreshInvoices('named', serverOf(payments(0, 1)), 1000)
  await rename('Awa Sow')
  await refreshInvoices('named', serverOf(payments(0, 2)), 2000)
  expect(await names()).toEqual(['Awa Ba', 'Awa Sow'])
})
