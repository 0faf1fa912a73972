import {
  checkInvoiceLookup,
  type Invoice,
  type InvoiceLookup,
  invoiceDescription,
  paidAmountOf,
} from '../../domain/invoice.ts'
import {
  paymentInTheWay,
  readStanding,
  type Standing,
  writeClaim,
} from '../../netlify/server/payments/invoiceStanding.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { CommandError } from './commandError.ts'
import { formatAmount, formatTime } from './format.ts'

/** Shows what an invoice's supplier asks for, what was paid with its reference, and whether it can be paid. */
export async function showInvoice(
  { db }: Context,
  supplier: string,
  reference: string,
): Promise<readonly string[]> {
  const lookup = parseInvoice(supplier, reference)
  const standing = await db.runTransaction((tx) => readStanding(tx, db, lookup), { readOnly: true })
  const { invoice, payments, claim } = standing
  const asked = invoice
    ? `its supplier asks for ${formatAmount(invoice.amount)} by ${invoice.dueDate}.`
    : 'its supplier has none now that can be read.'
  return [
    `${invoiceDescription(lookup)}: ${asked}`,
    ...payments.map((payment) => {
      const { id, payerId, dueDate, settledAt } = payment
      return `The one due by ${dueDate} was paid at ${formatTime(settledAt)} by user ${payerId}: ${formatAmount(paidAmountOf(payment))}, ${id}.`
    }),
    ...claim.allowed.map((dueDate) => `An operator lets the one due by ${dueDate} be paid once more.`),
    ...(invoice ? [verdict(invoice, standing)] : []),
  ]
}

function verdict(invoice: Invoice, standing: Standing): string {
  const { supplier, reference, dueDate } = invoice
  if (standing.isPaidElsewhere)
    return 'It counts as paid: its supplier says that it was paid in another way, and only its supplier can change that.'
  switch (invoice.status) {
    case 'due':
      return 'It can be paid.'
    case 'paid':
      return `It counts as paid. To let it be paid once more: npm run ops -- invoice allow ${supplier} ${reference} ${dueDate}`
    case 'processing':
      return `It is being paid by the attempt ${standing.claim.heldBy}, and is free again when that ends unpaid: 45 minutes after it began at the latest.`
    case 'seemsPaid':
      return `It seems to be the one due by ${paymentInTheWay(dueDate, standing)?.dueDate}, with its date changed, so nobody can pay it. If its supplier says that it is another one: npm run ops -- invoice allow ${supplier} ${reference} ${dueDate}`
  }
}

/**
 * Allows an invoice to be paid once although it is paid or seems to be.
 *
 * @param dueDate the one that its supplier asks for now, so that no other invoice is allowed by mistake.
 */
export async function allowInvoice(
  context: Context,
  supplier: string,
  reference: string,
  dueDate: string,
): Promise<readonly string[]> {
  const { db } = context
  const lookup = parseInvoice(supplier, reference)
  const result = await db.runTransaction(async (tx) => {
    const standing = await readStanding(tx, db, lookup)
    const { claim } = standing
    if (standing.invoice?.dueDate !== dueDate)
      return 'Nothing is changed: its supplier asks for no such due date.'
    if (standing.isPaidElsewhere || !paymentInTheWay(dueDate, standing))
      return 'Nothing is changed: it is not a payment here that is in the way.'
    writeClaim(tx, db, lookup, { ...claim, allowed: [...claim.allowed, dueDate] })
    return 'Done: it can be paid once.'
  })
  return [result, ...(await showInvoice(context, supplier, reference))]
}

function parseInvoice(supplier: string, reference: string): InvoiceLookup {
  const lookup = checkInvoiceLookup({ supplier, reference })
  if (!lookup.ok) throw new CommandError(`There can't be an invoice ${reference} of ${supplier}.`)
  return lookup.value
}
