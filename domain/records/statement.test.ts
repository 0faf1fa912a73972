import { expect, test } from 'vitest'
import { SAMPLE_INVOICE_PAYMENT } from '../../print/receipt.samples.ts'
import { toLocalMonth } from '../common/localFields.ts'
import { ARRIVED_DELIVERY, SENT_TRANSFER } from '../transfers/transaction.samples.ts'
import {
  buildStatement,
  getLocalMonthRange,
  getStatementCoverage,
  type KnownPayments,
  listMonths,
} from './statement.ts'

const MONTH = '2026-11'
const { start, end } = getLocalMonthRange(MONTH)
const at = (createdAt: number, change: object = {}) => ({
  ...SENT_TRANSFER,
  amount: 97,
  fees: 3,
  createdAt,
  ...change,
})

test('a month excludes the next month’s first instant in the device’s zone', () => {
  expect(new Date(start)).toEqual(new Date(2026, 10, 1))
  expect([toLocalMonth(start - 1), toLocalMonth(start), toLocalMonth(end - 1), toLocalMonth(end)]).toEqual([
    '2026-10',
    '2026-11',
    '2026-11',
    '2026-12',
  ])
  const { entries } = buildStatement(MONTH, [at(end), at(end - 1), at(start), at(start - 1)], [])
  expect(entries.map((entry) => entry.at)).toEqual([start, end - 1])
})

test('the months of a statement run over a new year, newest first', () => {
  expect(listMonths(new Date(2025, 10, 30).getTime(), new Date(2026, 1, 1).getTime())).toEqual([
    '2026-02',
    '2026-01',
    '2025-12',
    '2025-11',
  ])
})

test('a statement sums each currency, and leaves out what was not paid', () => {
  const inDollars = { sourceCurrency: 'CAD' as const, amount: 48.5, fees: 1.5 }
  const { totals } = buildStatement(
    MONTH,
    [
      at(start),
      at(start, { amount: 0.1, fees: 0.2 }),
      at(start, inDollars),
      at(start, { status: 'failed' }),
      at(start, { status: 'pending' }),
      at(start, { status: 'canceled' }),
      at(start, { status: 'of a newer server' }),
      at(start, { type: 'received', convertedAmount: 1_000_000 }),
      at(start, { status: 'failed', delivery: { ...ARRIVED_DELIVERY, stage: 'paidBack' } }),
      at(start, { status: 'canceled', delivery: { ...ARRIVED_DELIVERY, stage: 'canceled' } }),
    ],
    [
      { ...SAMPLE_INVOICE_PAYMENT, createdAt: start },
      { ...SAMPLE_INVOICE_PAYMENT, createdAt: start, amount: 84.5, currency: 'EUR' },
      { ...SAMPLE_INVOICE_PAYMENT, createdAt: start, status: 'failed' },
    ],
  )
  const all = (currency: string, sums: object) =>
    Object.fromEntries(Object.entries(sums).map(([name, minor]) => [name, { minor, currency }]))
  expect(totals).toEqual([
    all('CAD', { transfers: 5000, fees: 150, invoices: 0, refunds: 0, received: 0 }),
    all('EUR', { transfers: 30_030, fees: 920, invoices: 8450, refunds: 20_000, received: 0 }),
    all('GNF', { transfers: 0, fees: 0, invoices: 450_000, refunds: 0, received: 1_000_000 }),
  ])
})

test('received money shows neither the sender nor what they paid', () => {
  const [entry] = buildStatement(MONTH, [at(start, { type: 'received' })], []).entries
  expect(entry).toMatchObject({ name: null, reference: '', paid: null, fee: null, status: 'received' })
})

const place = (ms: number) => ({ seconds: Math.floor(ms / 1000), nanoseconds: 0, id: 'pi_1' })
const whole: KnownPayments = { history: { newest: null, gaps: [], asOf: end }, invoicesAsOf: end, unread: 0 }
const withGap = (after: number | null, until: number | null): KnownPayments => ({
  ...whole,
  history: {
    newest: null,
    asOf: end,
    gaps: [{ after: after === null ? null : place(after), until: until === null ? null : place(until) }],
  },
})

test.each<[string, KnownPayments, object]>([
  ['a whole history', whole, { kind: 'known', asOf: end }],
  ['no answer of the server', { ...whole, history: undefined }, { kind: 'missing' }],
  ['no list of invoices', { ...whole, invoicesAsOf: undefined }, { kind: 'missing' }],
  ['a refresh before the month', { ...whole, invoicesAsOf: start - 1 }, { kind: 'missing' }],
  ['a refresh within the month', { ...whole, invoicesAsOf: start + 1 }, { kind: 'known', asOf: start + 1 }],
  ['unread rows', { ...whole, unread: 1 }, { kind: 'unreadable' }],
  ['a gap from within the month', withGap(start + 1000, null), { kind: 'missing' }],
  ['a gap from the start of the month', withGap(start, null), { kind: 'missing' }],
  ['a gap before the month', withGap(start - 1000, null), { kind: 'known', asOf: end }],
  ['a gap above the newest row of the month', withGap(null, end - 1000), { kind: 'missing' }],
  ['a gap after the month', withGap(null, end), { kind: 'known', asOf: end }],
  ['a gap over the month', withGap(end, start - 1000), { kind: 'missing' }],
])('with %s, the coverage of a month is known or missing', (_, known, coverage) => {
  expect(getStatementCoverage(known, MONTH)).toEqual(coverage)
})
