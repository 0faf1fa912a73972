import { DAY } from './duration.ts'
import { fromMajor, type Money, toMajor } from './money.ts'
import { err, ok, type Result } from './result.ts'
import type { InferOutput } from './schema.ts'
import type { invoicePaymentSchema, invoiceSchema } from './schemas/invoice.ts'
import { type InvoiceType, supplierById } from './suppliers.ts'

/** What names an invoice: the id of its supplier, and the number that the supplier gave it. */
export interface InvoiceLookup {
  readonly supplier: string
  readonly reference: string
}

/** The field of the form, and what is wrong with it. */
type InvoiceLookupProblem =
  | { readonly field: 'supplier' | 'reference'; readonly kind: 'invoiceFieldsRequired' }
  | { readonly field: 'supplier'; readonly kind: 'supplierUnknown' }
  | { readonly field: 'reference'; readonly kind: 'referenceInvalid' }

/** With what is wrong with what was found. */
export type InvoiceProblem =
  | InvoiceLookupProblem
  /** There is no invoice in sight yet, or none that could be paid. */
  | {
      readonly field: 'invoice'
      readonly kind: 'invoiceNotFound' | 'invoiceAlreadyPaid' | 'invoiceSeemsPaid' | 'invoiceUnderWay'
    }

/**
 * `processing`: somebody's payment of it is under way. `seemsPaid`: one with a due date so close to this one was paid that it is
 * taken for the same, until an operator has looked.
 */
export type InvoiceStatus = Invoice['status']

export type Invoice = InferOutput<typeof invoiceSchema>

/** The form as it is typed, and what was found with it. Plain data. */
export interface InvoiceDraft extends InvoiceLookup {
  readonly type: InvoiceType | null
  readonly invoice: Invoice | null
}

export const EMPTY_INVOICE_DRAFT: InvoiceDraft = { type: null, supplier: '', reference: '', invoice: null }

/**
 * Looking up an invoice takes a supplier and a reference number, read as people copy it from paper: capital and small letters
 * are the same, spaces count for nothing. Answers every problem at once. Specification, section 5.
 */
export function checkInvoiceLookup(
  lookup: InvoiceLookup,
): Result<InvoiceLookup, readonly InvoiceLookupProblem[]> {
  const supplier = lookup.supplier.trim()
  const reference = normaliseReference(lookup.reference)
  const problems: InvoiceLookupProblem[] = []
  if (!supplier) problems.push({ field: 'supplier', kind: 'invoiceFieldsRequired' })
  else if (!supplierById(supplier)) problems.push({ field: 'supplier', kind: 'supplierUnknown' })
  if (!reference) problems.push({ field: 'reference', kind: 'invoiceFieldsRequired' })
  else if (!REFERENCE.test(reference)) problems.push({ field: 'reference', kind: 'referenceInvalid' })
  return problems.length === 0 ? ok({ supplier, reference }) : err(problems)
}

/** Letters, digits and hyphens, 4 to 24 of them; a letter or digit at both ends. */
const REFERENCE = /^[A-Z0-9][A-Z0-9-]{2,22}[A-Z0-9]$/

// Word processors make other hyphens of the one on the keyboard.
const normaliseReference = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{C}]/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .toUpperCase()

/** The draft after a change. What was found belongs to the supplier and reference that it was found with. */
export function changeInvoiceDraft(draft: InvoiceDraft, patch: Partial<InvoiceDraft>): InvoiceDraft {
  const isOfOtherType = patch.type !== undefined && patch.type !== draft.type
  const next = { ...draft, ...(isOfOtherType && { supplier: '' }), ...patch }
  const lookup = checkInvoiceLookup(next)
  const isItsOwn = next.invoice && lookup.ok && isSameInvoice(next.invoice, lookup.value)
  return isItsOwn ? next : { ...next, invoice: null }
}

/** The invoice in sight, when it can be paid, or every problem. Specification, section 5. */
export function checkInvoiceDraft(draft: InvoiceDraft): Result<Invoice, readonly InvoiceProblem[]> {
  const lookup = checkInvoiceLookup(draft)
  if (!lookup.ok) return lookup
  const { invoice } = draft
  if (!invoice) return err([{ field: 'invoice', kind: 'invoiceNotFound' }])
  if (invoice.status === 'due') return ok(invoice)
  return err([{ field: 'invoice', kind: UNPAYABLE[invoice.status] }])
}

/** What is wrong with paying an invoice that is not due. */
export const UNPAYABLE = {
  paid: 'invoiceAlreadyPaid',
  seemsPaid: 'invoiceSeemsPaid',
  processing: 'invoiceUnderWay',
} as const satisfies Record<Exclude<InvoiceStatus, 'due'>, InvoiceProblem['kind']>

export function isSameInvoice(one: InvoiceLookup, other: InvoiceLookup): boolean {
  return one.supplier === other.supplier && one.reference === other.reference
}

export const isSameMoney = (one: Money, other: Money): boolean =>
  one.minor === other.minor && one.currency === other.currency

/** How an invoice stands at `now` (UTC ms): one that is due is overdue from the day after its date, in UTC. */
export function situationOf({ status, dueDate }: Invoice, now: number): InvoiceStatus | 'overdue' {
  return status === 'due' && dueDate < new Date(now).toISOString().slice(0, 10) ? 'overdue' : status
}

/** The instant (UTC ms) at which the day of a due date begins. */
export const dayOf = (dueDate: string): number => Date.parse(`${dueDate}T00:00:00Z`)

/**
 * Two due dates of one reference that are closer than this, in milliseconds, are taken for one invoice whose date was changed:
 * suppliers bill once a month at the most, and a weekend moves a date by days, not by a week.
 */
const BILLED_APART = 21 * DAY

/**
 * The payment because of which an invoice with this due date can't be paid, among those of its supplier and reference: the one
 * of this very date, or else the one of the closest date, if that is too close to be another invoice. Null when there is none.
 */
export function paymentOfSame<P extends Pick<InvoicePayment, 'dueDate'>>(
  dueDate: string,
  payments: readonly P[],
): P | null {
  const apart = (payment: P) => Math.abs(dayOf(payment.dueDate) - dayOf(dueDate))
  const [closest] = payments.toSorted((one, other) => apart(one) - apart(other))
  return closest && apart(closest) < BILLED_APART ? closest : null
}

export type InvoicePayment = InferOutput<ReturnType<typeof invoicePaymentSchema>>

/** The record of an invoice whose card payment succeeded; instants in UTC ms. */
export function invoicePaymentOf(
  { supplier, reference, type, amount, dueDate }: Invoice,
  of: Pick<InvoicePayment, 'id' | 'payerId' | 'createdAt' | 'settledAt'>,
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
    description: invoiceDescription({ supplier, reference }),
    paymentMethod: 'card',
  }
}

/** What the payment is called at the provider and in the record. */
export function invoiceDescription({ supplier, reference }: InvoiceLookup): string {
  return `Invoice ${reference} of ${supplierById(supplier)?.name ?? supplier}`
}

/** What was paid, as money. */
export const paidAmountOf = ({ amount, currency }: InvoicePayment): Money => fromMajor(amount, currency)
