import { cleanCode } from '../common/clean.ts'
import { DAY } from '../common/duration.ts'
import { err, ok, type Result } from '../common/result.ts'
import type { Output } from '../common/schema.ts'
import { divideHalfUp, fromMajor, type Money, money, toMajor } from '../money/money.ts'
import { getRate } from '../money/rates.ts'
import type { buildInvoicePaymentSchema, invoiceDraftSchema, invoiceSchema } from './invoiceSchema.ts'
import { findSupplier } from './suppliers.ts'

export interface InvoiceLookup {
  readonly supplier: string
  readonly reference: string
}

type InvoiceLookupProblem =
  | { readonly field: 'supplier' | 'reference'; readonly kind: 'invoiceFieldsRequired' }
  | { readonly field: 'supplier'; readonly kind: 'supplierUnknown' }
  | { readonly field: 'reference'; readonly kind: 'referenceInvalid' }

export type InvoiceProblem =
  | InvoiceLookupProblem
  | {
      readonly field: 'invoice'
      readonly kind: 'invoiceNotFound' | 'invoiceAlreadyPaid' | 'invoiceSeemsPaid' | 'invoiceUnderWay'
    }

/** `seemsPaid`: an invoice with a close due date was paid; an operator must check. */
export type InvoiceStatus = Invoice['status']

export type Invoice = Output<typeof invoiceSchema>

export type InvoiceDraft = Output<typeof invoiceDraftSchema>

export const EMPTY_INVOICE_DRAFT: InvoiceDraft = { type: null, supplier: '', reference: '', invoice: null }

/** Ignores case and spaces: users copy from paper. Returns every problem. Specification, section 5. */
export function checkInvoiceLookup(
  lookup: InvoiceLookup,
): Result<InvoiceLookup, readonly InvoiceLookupProblem[]> {
  const supplier = cleanCode(lookup.supplier)
  const reference = cleanCode(lookup.reference).toUpperCase()
  const problems: InvoiceLookupProblem[] = []
  if (!supplier) problems.push({ field: 'supplier', kind: 'invoiceFieldsRequired' })
  else if (!findSupplier(supplier)) problems.push({ field: 'supplier', kind: 'supplierUnknown' })
  if (!reference) problems.push({ field: 'reference', kind: 'invoiceFieldsRequired' })
  else if (!REFERENCE.test(reference)) problems.push({ field: 'reference', kind: 'referenceInvalid' })
  return problems.length === 0 ? ok({ supplier, reference }) : err(problems)
}

const REFERENCE = /^[A-Z0-9][A-Z0-9-]{2,22}[A-Z0-9]$/

/** Changing the supplier or reference discards the invoice found. */
export function changeInvoiceDraft(draft: InvoiceDraft, patch: Partial<InvoiceDraft>): InvoiceDraft {
  const isOfOtherType = patch.type !== undefined && patch.type !== draft.type
  const next = { ...draft, ...(isOfOtherType && { supplier: '' }), ...patch }
  const lookup = checkInvoiceLookup(next)
  const isItsOwn = next.invoice && lookup.ok && isSameInvoice(next.invoice, lookup.value)
  return isItsOwn ? next : { ...next, invoice: null }
}

/** Returns the invoice if it can be paid, or else every problem. Specification, section 5. */
export function checkInvoiceDraft(draft: InvoiceDraft): Result<Invoice, readonly InvoiceProblem[]> {
  const lookup = checkInvoiceLookup(draft)
  if (!lookup.ok) return lookup
  const { invoice } = draft
  if (!invoice) return err([{ field: 'invoice', kind: 'invoiceNotFound' }])
  if (invoice.status === 'due') return ok(invoice)
  return err([{ field: 'invoice', kind: INVOICE_STATUS_PROBLEMS[invoice.status] }])
}

export const INVOICE_STATUS_PROBLEMS = {
  paid: 'invoiceAlreadyPaid',
  seemsPaid: 'invoiceSeemsPaid',
  processing: 'invoiceUnderWay',
} as const satisfies Record<Exclude<InvoiceStatus, 'due'>, InvoiceProblem['kind']>

export function isSameInvoice(one: InvoiceLookup, other: InvoiceLookup): boolean {
  return one.supplier === other.supplier && one.reference === other.reference
}

export const isSameMoney = (one: Money, other: Money): boolean =>
  one.minor === other.minor && one.currency === other.currency

/** At `now` (UTC ms); a due invoice is overdue from the day after its date, in UTC. */
export function deriveInvoiceStatus({ status, dueDate }: Invoice, now: number): InvoiceStatus | 'overdue' {
  return status === 'due' && dueDate < new Date(now).toISOString().slice(0, 10) ? 'overdue' : status
}

/** UTC ms. */
export const parseDueDay = (dueDate: string): number => Date.parse(`${dueDate}T00:00:00Z`)

/** Closer due dates (milliseconds) count as one invoice with a new date: suppliers bill at most monthly. */
const BILLED_APART = 21 * DAY

/** Finds the payment that blocks this due date: the closest one, unless it is too far to be the same. */
export function findMatchingPayment<P extends Pick<InvoicePayment, 'dueDate'>>(
  dueDate: string,
  payments: readonly P[],
): P | null {
  const apart = (payment: P) => Math.abs(parseDueDay(payment.dueDate) - parseDueDay(dueDate))
  const [closest] = [...payments].sort((one, other) => apart(one) - apart(other))
  return closest && apart(closest) < BILLED_APART ? closest : null
}

/** The amount that a bank debits for an invoice in francs. Null for a currency of cards. */
export function estimateEuros({ minor, currency }: Money): Money<'EUR'> | null {
  if (currency !== 'GNF') return null
  const { numerator, denominator } = getRate('EUR', 'GNF')
  return money(divideHalfUp(minor * denominator * 100, numerator), 'EUR')
}

export type InvoicePayment = Output<ReturnType<typeof buildInvoicePaymentSchema>>

export function buildInvoicePayment(
  { supplier, reference, type, amount, dueDate }: Invoice,
  of: Pick<InvoicePayment, 'id' | 'payerId' | 'payerName' | 'createdAt' | 'settledAt'>,
): InvoicePayment {
  return {
    ...of,
    supplier,
    reference,
    type,
    amount: toMajor(amount),
    currency: amount.currency,
    dueDate,
    status: 'completed',
    description: describeInvoice({ supplier, reference }),
    paymentMethod: 'card',
  }
}

export function describeInvoice({ supplier, reference }: InvoiceLookup): string {
  return `Invoice ${reference} of ${findSupplier(supplier)?.name ?? supplier}`
}

export const getPaidAmount = ({ amount, currency }: InvoicePayment): Money => fromMajor(amount, currency)
