import fc from 'fast-check'
import { expect, test } from 'vitest'
import { err, ok } from '../common/result.ts'
import { type Currency, money } from '../money/money.ts'
import {
  buildInvoicePayment,
  changeInvoiceDraft,
  checkInvoiceDraft,
  checkInvoiceLookup,
  deriveInvoiceStatus,
  describeInvoice,
  EMPTY_INVOICE_DRAFT,
  estimateEuros,
  findMatchingPayment,
  getPaidAmount,
  type Invoice,
  type InvoiceDraft,
  isSameMoney,
} from './invoice.ts'
import { findSupplier, getSuppliers, INVOICE_TYPES, SUPPLIERS } from './suppliers.ts'

const supplierMissing = { field: 'supplier', kind: 'invoiceFieldsRequired' }
const referenceMissing = { field: 'reference', kind: 'invoiceFieldsRequired' }
const referenceInvalid = { field: 'reference', kind: 'referenceInvalid' }

test.each([
  [{ supplier: 'edg', reference: ' edg-2026-0417 ' }, ok({ supplier: 'edg', reference: 'EDG-2026-0417' })],
  [{ supplier: 'edg', reference: 'EDG 2026 0417' }, ok({ supplier: 'edg', reference: 'EDG20260417' })],
  [
    { supplier: 'edf', reference: '6012\u2013345\u00a0678' },
    ok({ supplier: 'edf', reference: '6012-345678' }),
  ],
  [{ supplier: 'edg', reference: '\u202eEDG1' }, ok({ supplier: 'edg', reference: 'EDG1' })],
  [{ supplier: '', reference: 'F-1042' }, err([supplierMissing])],
  [{ supplier: 'edg', reference: '  ' }, err([referenceMissing])],
  [{ supplier: ' ', reference: '' }, err([supplierMissing, referenceMissing])],
  [{ supplier: 'nobody', reference: 'F-1042' }, err([{ field: 'supplier', kind: 'supplierUnknown' }])],
  [{ supplier: 'edg', reference: 'F-1' }, err([referenceInvalid])],
  [{ supplier: 'edg', reference: '-F1042' }, err([referenceInvalid])],
  [{ supplier: 'edg', reference: '../edf_1' }, err([referenceInvalid])],
  [{ supplier: 'edg', reference: 'A'.repeat(24) }, ok({ supplier: 'edg', reference: 'A'.repeat(24) })],
  [{ supplier: 'edg', reference: 'A'.repeat(25) }, err([referenceInvalid])],
])('checking the invoice lookup %j returns %j', (lookup, result) => {
  expect(checkInvoiceLookup(lookup)).toEqual(result)
})

test('normalizing an invoice reference twice is the same as normalizing it once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (reference) => {
      const read = checkInvoiceLookup({ supplier: 'edg', reference })
      if (read.ok) expect(checkInvoiceLookup(read.value)).toEqual(read)
    }),
  )
})

test('each supplier has a unique ID, known type and valid example', () => {
  expect(new Set(SUPPLIERS.map(({ id }) => id)).size).toBe(SUPPLIERS.length)
  expect(INVOICE_TYPES.flatMap(getSuppliers)).toHaveLength(SUPPLIERS.length)
  for (const type of INVOICE_TYPES) expect(getSuppliers(type).length).toBeGreaterThan(0)
  for (const { id, example } of SUPPLIERS) {
    expect(checkInvoiceLookup({ supplier: id, reference: example })).toEqual(
      ok({ supplier: id, reference: example }),
    )
    // Document names separate the ID from the reference by an underscore.
    expect(id).toMatch(/^[a-z-]+$/)
  }
  expect(findSupplier('nobody')).toBeNull()
})

const invoice: Invoice = {
  supplier: 'edg',
  reference: 'EDG-1001',
  type: 'electricity',
  amount: money(450_000, 'GNF'),
  dueDate: '2026-11-30',
  status: 'due',
}
const withFound: InvoiceDraft = { type: 'electricity', supplier: 'edg', reference: 'edg-1001', invoice }

test.each<[string, Partial<InvoiceDraft>, Partial<InvoiceDraft>]>([
  ['the same reference written differently', { reference: ' EDG-1001' }, {}],
  ['another reference', { reference: 'edg-1002' }, { invoice: null }],
  ['an invalid reference', { reference: 'e' }, { invoice: null }],
  ['another supplier', { supplier: 'edf' }, { invoice: null }],
  ['another type', { type: 'water' }, { supplier: '', invoice: null }],
  ['the same type', { type: 'electricity' }, {}],
  ['the invoice of another lookup', { invoice: { ...invoice, reference: 'EDG-1002' } }, { invoice: null }],
  ['a newer state of the invoice', { invoice: { ...invoice, status: 'paid' } }, {}],
])('keeps or discards the invoice found after %s', (_, patch, also) => {
  expect(changeInvoiceDraft(withFound, patch)).toEqual({ ...withFound, ...patch, ...also })
})

test.each<[string, InvoiceDraft, unknown]>([
  ['an empty form', EMPTY_INVOICE_DRAFT, err([supplierMissing, referenceMissing])],
  [
    'an invoice that was not looked up',
    { ...withFound, invoice: null },
    err([{ field: 'invoice', kind: 'invoiceNotFound' }]),
  ],
  ['an invoice that is due', withFound, ok(invoice)],
  [
    'an invoice that is paid',
    { ...withFound, invoice: { ...invoice, status: 'paid' } },
    err([{ field: 'invoice', kind: 'invoiceAlreadyPaid' }]),
  ],
  [
    'an invoice that seems to be paid',
    { ...withFound, invoice: { ...invoice, status: 'seemsPaid' } },
    err([{ field: 'invoice', kind: 'invoiceSeemsPaid' }]),
  ],
  [
    'an invoice that is being paid',
    { ...withFound, invoice: { ...invoice, status: 'processing' } },
    err([{ field: 'invoice', kind: 'invoiceUnderWay' }]),
  ],
])('an invoice draft is payable only if its invoice is due: %s', (_, draft, result) => {
  expect(checkInvoiceDraft(draft)).toEqual(result)
})

test.each([
  ['none was paid', [], null],
  ['the same one was paid', ['2026-10-30', '2026-11-30'], '2026-11-30'],
  ['last month was paid', ['2026-10-30'], null],
  ['the shortest month was paid, and a weekend moved both dates', ['2026-11-05'], null],
  ['three weeks lie between them', ['2026-11-09'], null],
  ['a day less lies between them', ['2026-11-10'], '2026-11-10'],
  ['it was paid with a later date', ['2026-12-20'], '2026-12-20'],
  ['two were paid, with an earlier and a later date', ['2026-11-12', '2026-12-15'], '2026-12-15'],
])('finds the payment that blocks an invoice due on 30 November: %s', (_, dates, blocking) => {
  const payments = dates.map((dueDate) => ({ dueDate }))
  expect(findMatchingPayment('2026-11-30', payments)?.dueDate ?? null).toBe(blocking)
})

test.each([
  ['2026-11-30T23:59:59.999Z', 'due', 'due'],
  ['2026-12-01T00:00:00Z', 'due', 'overdue'],
  ['2027-01-01T00:00:00Z', 'paid', 'paid'],
  ['2027-01-01T00:00:00Z', 'processing', 'processing'],
] as const)('derives the status at %s of an invoice that is %s: %s', (at, status, situation) => {
  expect(deriveInvoiceStatus({ ...invoice, status }, Date.parse(at))).toBe(situation)
})

test('records an invoice payment with all its fields @spec-invoice-record', () => {
  const of = { id: 'pi_1', payerId: 'ana', payerName: 'Ana', createdAt: 1, settledAt: 2 }
  expect(buildInvoicePayment(invoice, of)).toEqual({
    ...of,
    supplier: 'edg',
    reference: 'EDG-1001',
    type: 'electricity',
    amount: 450_000,
    currency: 'GNF',
    dueDate: '2026-11-30',
    status: 'completed',
    description: 'Invoice EDG-1001 of Électricité de Guinée (EDG)',
    paymentMethod: 'card',
  })
  expect(describeInvoice({ supplier: 'gone', reference: 'A-100' })).toBe('Invoice A-100 of gone')
})

test('the record of an invoice payment contains the paid amount exactly', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.constantFrom<Currency>('EUR', 'CAD', 'GNF'),
      (minor, currency) => {
        const amount = money(minor, currency)
        const of = { id: 'pi_1', payerId: 'ana', payerName: 'Ana', createdAt: 1, settledAt: 2 }
        expect(getPaidAmount(buildInvoicePayment({ ...invoice, amount }, of))).toEqual(amount)
      },
    ),
  )
})

test('two amounts of money are the same only in the same currency', () => {
  const one = money(1_000, 'EUR')
  expect(isSameMoney(one, money(1_000, 'EUR'))).toBe(true)
  expect(isSameMoney(one, money(1_001, 'EUR'))).toBe(false)
  expect(isSameMoney(one, money(1_000, 'CAD'))).toBe(false)
})

test('only an invoice in francs is estimated in euros', () => {
  expect(estimateEuros(money(450_000, 'GNF'))).toEqual(money(42_45, 'EUR'))
  expect(estimateEuros(money(84_50, 'EUR'))).toBeNull()
  expect(estimateEuros(money(63_20, 'CAD'))).toBeNull()
})
