import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changeInvoiceDraft,
  checkInvoiceDraft,
  checkInvoiceLookup,
  EMPTY_INVOICE_DRAFT,
  type Invoice,
  type InvoiceDraft,
  invoiceDescription,
  invoicePaymentOf,
  isSameMoney,
  paidAmountOf,
  paymentOfSame,
  situationOf,
} from './invoice.ts'
import { type Currency, money } from './money.ts'
import { err, ok } from './result.ts'
import { INVOICE_TYPES, SUPPLIERS, supplierById, suppliersOf } from './suppliers.ts'

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
])('looking up %j', (lookup, result) => {
  expect(checkInvoiceLookup(lookup)).toEqual(result)
})

test('a reference that was read once reads the same again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (reference) => {
      const read = checkInvoiceLookup({ supplier: 'edg', reference })
      if (read.ok) expect(checkInvoiceLookup(read.value)).toEqual(read)
    }),
  )
})

test('each supplier has an id of its own, a type with its name, and an example that can be looked up', () => {
  expect(new Set(SUPPLIERS.map(({ id }) => id)).size).toBe(SUPPLIERS.length)
  expect(INVOICE_TYPES.flatMap(suppliersOf)).toHaveLength(SUPPLIERS.length)
  for (const type of INVOICE_TYPES) expect(suppliersOf(type).length).toBeGreaterThan(0)
  for (const { id, example } of SUPPLIERS) {
    expect(checkInvoiceLookup({ supplier: id, reference: example })).toEqual(
      ok({ supplier: id, reference: example }),
    )
    // The id is part of a document's name, in front of an underscore.
    expect(id).toMatch(/^[a-z-]+$/)
  }
  expect(supplierById('nobody')).toBeNull()
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
  ['the same reference in other words', { reference: ' EDG-1001' }, {}],
  ['another reference', { reference: 'edg-1002' }, { invoice: null }],
  ['a reference that is none', { reference: 'e' }, { invoice: null }],
  ['another supplier', { supplier: 'edf' }, { invoice: null }],
  ['another type', { type: 'water' }, { supplier: '', invoice: null }],
  ['the same type', { type: 'electricity' }, {}],
  ['the answer to another question', { invoice: { ...invoice, reference: 'EDG-1002' } }, { invoice: null }],
  ['a newer answer', { invoice: { ...invoice, status: 'paid' } }, {}],
])('after %s, what was found is what was asked for', (_, patch, also) => {
  expect(changeInvoiceDraft(withFound, patch)).toEqual({ ...withFound, ...patch, ...also })
})

test.each<[string, InvoiceDraft, unknown]>([
  ['an empty form', EMPTY_INVOICE_DRAFT, err([supplierMissing, referenceMissing])],
  [
    'one that was not looked up',
    { ...withFound, invoice: null },
    err([{ field: 'invoice', kind: 'invoiceNotFound' }]),
  ],
  ['one that is due', withFound, ok(invoice)],
  [
    'one that is paid',
    { ...withFound, invoice: { ...invoice, status: 'paid' } },
    err([{ field: 'invoice', kind: 'invoiceAlreadyPaid' }]),
  ],
  [
    'one that seems to be paid',
    { ...withFound, invoice: { ...invoice, status: 'seemsPaid' } },
    err([{ field: 'invoice', kind: 'invoiceSeemsPaid' }]),
  ],
  [
    'one that is being paid',
    { ...withFound, invoice: { ...invoice, status: 'processing' } },
    err([{ field: 'invoice', kind: 'invoiceUnderWay' }]),
  ],
])('paying %s', (_, draft, result) => {
  expect(checkInvoiceDraft(draft)).toEqual(result)
})

test.each([
  ['none was paid', [], null],
  ['this very one was paid', ['2026-10-30', '2026-11-30'], '2026-11-30'],
  ['last month was paid', ['2026-10-30'], null],
  ['the shortest month was paid, and a weekend moved both dates', ['2026-11-05'], null],
  ['three weeks lie between them', ['2026-11-09'], null],
  ['a day less lies between them', ['2026-11-10'], '2026-11-10'],
  ['it was paid with a later date', ['2026-12-20'], '2026-12-20'],
  ['it lies between two that were paid', ['2026-11-12', '2026-12-15'], '2026-12-15'],
])('whether an invoice that is due on 30 November was paid before, when %s', (_, dates, blocking) => {
  const payments = dates.map((dueDate) => ({ dueDate }))
  expect(paymentOfSame('2026-11-30', payments)?.dueDate ?? null).toBe(blocking)
})

test.each([
  ['2026-11-30T23:59:59.999Z', 'due', 'due'],
  ['2026-12-01T00:00:00Z', 'due', 'overdue'],
  ['2027-01-01T00:00:00Z', 'paid', 'paid'],
  ['2027-01-01T00:00:00Z', 'processing', 'processing'],
] as const)('at %s one that is %s is %s', (at, status, situation) => {
  expect(situationOf({ ...invoice, status }, Date.parse(at))).toBe(situation)
})

test('the record of a payment @spec-invoice-record', () => {
  const of = { id: 'pi_1', payerId: 'ana', createdAt: 1, settledAt: 2 }
  expect(invoicePaymentOf(invoice, of)).toEqual({
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
  expect(invoiceDescription({ supplier: 'gone', reference: 'A-100' })).toBe('Invoice A-100 of gone')
})

test('what is stored of an amount is the amount', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.constantFrom<Currency>('EUR', 'CAD', 'GNF'),
      (minor, currency) => {
        const amount = money(minor, currency)
        const of = { id: 'pi_1', payerId: 'ana', createdAt: 1, settledAt: 2 }
        expect(paidAmountOf(invoicePaymentOf({ ...invoice, amount }, of))).toEqual(amount)
      },
    ),
  )
})

test('money is the same by its amount and its currency', () => {
  const one = money(1_000, 'EUR')
  expect(isSameMoney(one, money(1_000, 'EUR'))).toBe(true)
  expect(isSameMoney(one, money(1_001, 'EUR'))).toBe(false)
  expect(isSameMoney(one, money(1_000, 'CAD'))).toBe(false)
})
