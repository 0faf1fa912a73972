/**
 * Paying an invoice: the checkout with the rules of the invoice form. What the look-up found is part of the draft, so that it
 * can never be paid as another one. Specification, sections 2, 5 and 8.
 */
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
} from '../domain/invoice.ts'
import { createCheckout, endsAttempt } from './checkout.ts'
import type { Attempt, CheckoutParts, CheckoutProblem, CheckoutRules } from './checkoutTypes.ts'

export interface InvoicePayer {
  readonly uid: string
}

/** What the server may refuse of an invoice only. Nothing is reserved then. */
export type InvoiceRefusal =
  | { readonly kind: 'invoiceNotFound' }
  | { readonly kind: 'invoiceAlreadyPaid' }
  /** Its due date was changed after it was paid, as it seems: an operator has to look. */
  | { readonly kind: 'invoiceSeemsPaid' }
  /** Somebody's payment of it is under way. */
  | { readonly kind: 'invoiceUnderWay' }
  /** This person has begun to pay it several times without paying: others get a turn. */
  | { readonly kind: 'tooManyHolds'; readonly retryAfterSeconds: number }
  /** Its amount or its due date is another one than the screen showed. */
  | { readonly kind: 'invoiceChanged' }
  /** A card can't pay so little, or so much. */
  | { readonly kind: 'minimumPayment' }
  | { readonly kind: 'maximumPayment' }

/** What paying an invoice is made of. */
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
export type InvoiceAttempt = Attempt<InvoiceParts>

/** Whether a refusal says that nothing can come of this attempt any more. */
export const isInvoiceAttemptOver = endsAttempt<InvoiceParts>([
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
  stillWrong: (problems, patch) =>
    problems.filter(({ field }) => field !== 'invoice' && !(field in patch) && !('type' in patch)),
  restore: (draft) => draft,
  emptyLike: () => EMPTY_INVOICE_DRAFT,
  check: checkInvoiceDraft,
  isSameForm: isSameInvoice,
  isSameOrder: (one, other) =>
    isSameInvoice(one, other) && isSameMoney(one.amount, other.amount) && one.dueDate === other.dueDate,
  duplicates: null,
  prices: null,
  isAttemptOver: isInvoiceAttemptOver,
}

export const invoiceMachine = createCheckout(rules)
