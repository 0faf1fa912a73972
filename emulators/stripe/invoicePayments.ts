import { type Form, oneOf, readForm, text } from './form.ts'
import { type List, listPage, listParameters, requireKnown } from './lists.ts'
import type { Result } from './result.ts'
import { type Call, type Invoice, type InvoicePayment, newId, seconds } from './state.ts'

/** Writes down which PaymentIntent is to pay an invoice. */
export function openPayment(call: Call, invoice: Invoice, paymentIntent: string): void {
  const id = newId('inpay')
  call.state.invoicePayments.set(id, {
    id,
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: seconds(call.clock),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: paymentIntent },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
}

/** The payment of an invoice, once somebody has tried to charge it. */
export const paymentOf = ({ state }: Call, invoice: Invoice): InvoicePayment | undefined =>
  [...state.invoicePayments.values()].find((one) => one.invoice === invoice.id)

/** Its PaymentIntent has succeeded. */
export function finishPayment(call: Call, invoice: Invoice): void {
  const payment = paymentOf(call, invoice)
  if (!payment) return
  payment.amount_paid = invoice.amount_due
  payment.status = 'paid'
  payment.status_transitions.paid_at = seconds(call.clock)
}

/** `GET /v1/invoice_payments` */
export function listInvoicePayments({ state }: Call, form: Form): Result<List<InvoicePayment>> {
  const read = readForm(form, {
    ...listParameters,
    invoice: text(),
    status: oneOf('canceled', 'open', 'paid'),
  })
  if (!read.ok) return read
  const { invoice, status } = read.value
  const known = requireKnown(['invoice', 'invoice', invoice, state.invoices])
  if (!known.ok) return known
  const matching = [...state.invoicePayments.values()].filter(
    (one) =>
      (invoice === undefined || one.invoice === invoice) && (status === undefined || one.status === status),
  )
  return listPage(matching, '/v1/invoice_payments', 'invoice_payment', read.value)
}
