import type Stripe from 'stripe'
import { bookPlanPaid } from '../../../domain/journal/movements.ts'
import { syncDebt } from '../payments/refunds.ts'
import { fetchCharge, findReversal } from '../payments/reversals.ts'
import { requireCustomer } from '../platform/documents.ts'
import { receivedRef, toStripeAmount, writeJournal } from '../platform/journal.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { customers } from '../platform/records.ts'

export interface PlanInvoices {
  /** With their latest invoices. */
  readonly own: readonly Stripe.Subscription[]
  /** IDs of the paid invoices that the journal has. */
  readonly bookedInvoices: readonly string[]
  /** When the plan is checked next (UTC ms), once its charges are booked. */
  readonly checkAt: number | null
  /** As stored until then (UTC ms). */
  readonly storedCheckAt: number | null
}

/** The latest invoices tell it without another call. */
export const areInvoicesBooked = ({
  own,
  bookedInvoices,
}: Pick<PlanInvoices, 'own' | 'bookedInvoices'>): boolean =>
  own.every(({ latest_invoice: invoice }) => {
    if (!invoice || typeof invoice !== 'object' || invoice.status !== 'paid' || !invoice.id) return true
    return bookedInvoices.includes(invoice.id)
  })

/**
 * Books the paid invoices of a user's subscriptions that the journal lacks. `paid`: an invoice that may be
 * older than the latest. @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function bookPlanCharges(
  context: PaymentContext,
  uid: string,
  { checkAt, storedCheckAt, ...invoices }: PlanInvoices,
  paid?: string,
): Promise<void> {
  const { own, bookedInvoices } = invoices
  if (areInvoicesBooked(invoices) && (paid === undefined || bookedInvoices.includes(paid))) return
  const booked = new Set(bookedInvoices)
  for (const { id: subscription } of own)
    for await (const { id } of context.stripe.invoices.list({ subscription, status: 'paid', limit: 100 }))
      if (id && !booked.has(id) && (await bookInvoice(context, id))) booked.add(id)
  const isBooked = areInvoicesBooked({ own, bookedInvoices: [...booked] })
  const ref = customers(context.db).doc(uid)
  await context.db.runTransaction(async (tx) => {
    const stored = requireCustomer(await tx.get(ref))
    // A checkout that began in the meantime has requested a check of its own.
    const isUnchanged = stored.checkAt === storedCheckAt
    tx.update(ref, {
      bookedInvoices: [...new Set([...(stored.bookedInvoices ?? []), ...booked])],
      ...(isBooked && isUnchanged && { checkAt }),
    })
  })
}

/** False if Stripe does not know its fee yet. */
async function bookInvoice(context: PaymentContext, invoice: string): Promise<boolean> {
  const expand = ['data.payment.payment_intent']
  const payments = context.stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100, expand })
  for await (const { payment } of payments) {
    const { payment_intent: intent } = payment
    if (intent && typeof intent === 'object' && !(await bookCharge(context, intent))) return false
  }
  return true
}

/** The document is the record of the charge: nothing else stores it. */
async function bookCharge(context: PaymentContext, intent: Stripe.PaymentIntent): Promise<boolean> {
  const { db } = context
  const charge = await fetchCharge(context, intent)
  if (charge.balance_transaction === null) return false
  const ref = receivedRef(db, intent.id)
  const entries = bookPlanPaid(toStripeAmount(charge))
  await db.runTransaction(async (tx) => {
    if (!(await tx.get(ref)).exists) writeJournal(context, tx, intent.id, 'received', entries)
  })
  // Its event may have come before the charge was booked.
  if (findReversal(charge)) await syncDebt(context, intent.id)
  return true
}
