import {
  checkInvoiceLookup,
  describeInvoice,
  getPaidAmount,
  type Invoice,
  type InvoiceLookup,
} from '../../domain/invoices/invoice.ts'
import {
  findBlockingPayment,
  type InvoiceState,
  readInvoiceState,
  writeInvoiceClaim,
} from '../../netlify/server/payments/invoiceState.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { CommandError } from './commandError.ts'
import { formatAmount, formatTime } from './format.ts'

export async function showInvoice(
  { db }: Context,
  supplier: string,
  reference: string,
): Promise<readonly string[]> {
  const lookup = parseInvoice(supplier, reference)
  const standing = await db.runTransaction((tx) => readInvoiceState(tx, db, lookup), { readOnly: true })
  const { invoice, payments, claim } = standing
  const asked = invoice
    ? `its supplier asks for ${formatAmount(invoice.amount)} by ${invoice.dueDate}.`
    : 'its supplier has no valid invoice with this reference now.'
  return [
    `${describeInvoice(lookup)}: ${asked}`,
    ...payments.map((payment) => {
      const { id, payerId, dueDate, settledAt } = payment
      return `The invoice due by ${dueDate} was paid at ${formatTime(settledAt)} by user ${payerId}: ${formatAmount(getPaidAmount(payment))}, ${id}.`
    }),
    ...claim.allowed.map(
      (dueDate) => `An operator has allowed the invoice due by ${dueDate} to be paid again.`,
    ),
    ...(invoice ? [verdict(invoice, standing)] : []),
  ]
}

function verdict(invoice: Invoice, standing: InvoiceState): string {
  const { supplier, reference, dueDate } = invoice
  if (standing.isPaidElsewhere)
    return 'It counts as paid: its supplier reports a payment made elsewhere, and only the supplier can change that.'
  switch (invoice.status) {
    case 'due':
      return 'It can be paid.'
    case 'paid':
      return `It counts as paid. To allow another payment: npm run ops -- invoice allow ${supplier} ${reference} ${dueDate}`
    case 'processing':
      return `The attempt ${standing.claim.heldBy} is paying it. If the attempt ends unpaid, at most 45 minutes after its start, it can be paid again.`
    case 'seemsPaid':
      return `It can't be paid, because it seems to be the invoice due by ${findBlockingPayment(dueDate, standing)?.dueDate} with a changed date. If its supplier says that it is another invoice: npm run ops -- invoice allow ${supplier} ${reference} ${dueDate}`
  }
}

/** @param dueDate the supplier's current due date, so that no other invoice is allowed by mistake */
export async function allowInvoice(context: Context, supplier: string, reference: string, dueDate: string) {
  const { db } = context
  const lookup = parseInvoice(supplier, reference)
  const refusal = await db.runTransaction(async (tx) => {
    const standing = await readInvoiceState(tx, db, lookup)
    const { claim } = standing
    if (standing.invoice?.dueDate !== dueDate) return "its supplier's invoice has another due date"
    if (standing.isPaidElsewhere || !findBlockingPayment(dueDate, standing))
      return 'no recorded payment prevents it from being paid'
    writeInvoiceClaim(tx, db, lookup, { ...claim, allowed: [...claim.allowed, dueDate] })
    return null
  })
  const answer = refusal ? `Nothing was changed: ${refusal}.` : 'Done: this invoice can be paid once.'
  return {
    lines: [answer, ...(await showInvoice(context, supplier, reference))],
    isBad: refusal !== null,
  }
}

function parseInvoice(supplier: string, reference: string): InvoiceLookup {
  const lookup = checkInvoiceLookup({ supplier, reference })
  if (!lookup.ok) throw new CommandError(`${reference} is not a valid invoice reference of ${supplier}.`)
  return lookup.value
}
