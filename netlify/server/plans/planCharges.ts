import type Stripe from 'stripe'
import { bookPlanPaid } from '../../../domain/journal/movements.ts'
import { fetchCharge } from '../payments/reversals.ts'
import type { Context } from '../platform/context.ts'
import { receivedRef, toStripeAmount, writeJournal } from '../platform/journal.ts'
import { customers } from '../platform/records.ts'

export interface PlanInvoices {
  /** With their latest invoices. */
  readonly own: readonly Stripe.Subscription[]
  /** IDs of the invoices that were the latest paid ones when the charges were booked. */
  readonly bookedInvoices: readonly string[]
}

/**
 * Books the paid invoices of a user's subscriptions. Stripe is asked only if the latest invoice of one is not
 * booked yet, about once a month, and then about all, because earlier ones may have been missed.
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function bookPlanCharges(
  context: Context,
  uid: string,
  { own, bookedInvoices }: PlanInvoices,
): Promise<void> {
  const latest = own.flatMap(({ latest_invoice: invoice }) =>
    invoice && typeof invoice === 'object' && invoice.status === 'paid' && invoice.id ? invoice.id : [],
  )
  if (latest.every((id) => bookedInvoices.includes(id))) return
  for (const { id } of own)
    for (const intent of await listPaidIntents(context, id)) await bookCharge(context, intent)
  await customers(context.db).doc(uid).update({ bookedInvoices: latest })
}

async function listPaidIntents({ stripe }: Context, subscription: string): Promise<Stripe.PaymentIntent[]> {
  const intents: Stripe.PaymentIntent[] = []
  for await (const { id: invoice } of stripe.invoices.list({ subscription, status: 'paid', limit: 100 })) {
    const params = { invoice, status: 'paid', limit: 100, expand: ['data.payment.payment_intent'] } as const
    for await (const { payment } of stripe.invoicePayments.list({ ...params, expand: [...params.expand] }))
      if (payment.payment_intent && typeof payment.payment_intent === 'object')
        intents.push(payment.payment_intent)
  }
  return intents
}

/** The document is the record of the charge: nothing else stores it. */
async function bookCharge(context: Context, intent: Stripe.PaymentIntent): Promise<void> {
  const { db } = context
  const ref = receivedRef(db, intent.id)
  if ((await ref.get()).exists) return
  const entries = bookPlanPaid(toStripeAmount(await fetchCharge(context, intent)))
  await db.runTransaction(async (tx) => {
    if (!(await tx.get(ref)).exists) writeJournal(context, tx, intent.id, 'received', entries)
  })
}
