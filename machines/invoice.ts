/**
 * Pays an invoice: the checkout with the rules of the invoice form. The invoice found is part of the draft,
 * so a different invoice can never be paid instead. Specification, sections 2, 5 and 8.
 */
import type { RefusalProblem } from '../domain/errors/refusals.ts'
import {
  changeInvoiceDraft,
  checkInvoiceDraft,
  EMPTY_INVOICE_DRAFT,
  type Invoice,
  type InvoiceDraft,
  type InvoicePayment,
  type InvoiceProblem,
  isSameInvoice,
  isSameMoney,
} from '../domain/invoices/invoice.ts'
import { createAttemptOverCheck, createCheckoutMachine } from './checkout.ts'
import type { CheckoutParts, CheckoutProblem, CheckoutRules } from './checkoutTypes.ts'

export interface InvoicePayer {
  readonly uid: string
}

/**
 * Refusals that the user reads as they are; nothing is reserved. `invoiceSeemsPaid`: the due date seems to
 * have changed after the payment, so an operator must check. `tooManyHolds`: reserved several times without
 * paying, so other payers get a turn.
 */
export const INVOICE_REFUSALS = [
  ...(['invoiceNotFound', 'invoiceAlreadyPaid', 'invoiceSeemsPaid', 'invoiceUnderWay'] as const),
  ...(['tooManyHolds', 'minimumPayment', 'maximumPayment'] as const),
] as const

export type InvoiceRefusal =
  | RefusalProblem<(typeof INVOICE_REFUSALS)[number]>
  /** Another amount or due date than on the screen. */
  | { readonly kind: 'invoiceChanged' }

export interface InvoiceParts extends CheckoutParts {
  readonly payer: InvoicePayer
  readonly draft: InvoiceDraft
  readonly order: Invoice
  readonly problem: InvoiceProblem
  readonly refusal: InvoiceRefusal
  readonly receipt: InvoicePayment
  /** The server refuses to have an invoice paid twice. */
  readonly duplicate: never
}

export type InvoiceCheckoutProblem = CheckoutProblem<InvoiceParts>

export const isInvoiceAttemptOver = createAttemptOverCheck<InvoiceParts>([
  'invoiceNotFound',
  'invoiceAlreadyPaid',
  'invoiceSeemsPaid',
  'invoiceUnderWay',
  'tooManyHolds',
  'invoiceChanged',
  'minimumPayment',
  'maximumPayment',
])

const rules: CheckoutRules<InvoiceParts> = {
  id: 'invoice',
  emptyDraft: EMPTY_INVOICE_DRAFT,
  isEmpty: ({ supplier, reference }) => supplier === '' && reference === '',
  change: changeInvoiceDraft,
  filterProblems: (problems, patch) =>
    problems.filter(({ field }) => field !== 'invoice' && !(field in patch) && !('type' in patch)),
  restore: (draft) => draft,
  createEmptyDraft: () => EMPTY_INVOICE_DRAFT,
  check: checkInvoiceDraft,
  isSameForm: isSameInvoice,
  isSameOrder: (one, other) =>
    isSameInvoice(one, other) && isSameMoney(one.amount, other.amount) && one.dueDate === other.dueDate,
  duplicates: null,
  prices: null,
  isAttemptOver: isInvoiceAttemptOver,
}

export const invoiceMachine = createCheckoutMachine(rules)
