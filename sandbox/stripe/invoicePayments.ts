import { type Form, oneOf, readForm, text } from './form.ts'
import { type List, listPage, listParameters } from './lists.ts'
import type { Result } from './result.ts'
import { type Call, type Invoice, type InvoicePayment, newId, seconds } from './state.ts'

/** Writes down which PaymentIntent has paid an invoice. */
export function recordPayment(call: Call, invoice: Invoice, paymentIntent: string): void {
  const { id: paid, amount_paid: amount, currency } = invoice
  const id = newId('inpay')
  const at = seconds(call.clock)
  call.state.invoicePayments.set(id, {
    id,
    object: 'invoice_payment',
    amount_paid: amount,
    amount_requested: amount,
    created: at,
    currency,
    invoice: paid,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: paymentIntent },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: at },
  })
}

/** `GET /v1/invoice_payments`. Renewals have none here: the stand-in charges them without a PaymentIntent. */
export function listInvoicePayments({ state }: Call, form: Form): Result<List<InvoicePayment>> {
  const read = readForm(form, {
    ...listParameters,
    invoice: text(),
    status: oneOf('canceled', 'open', 'paid'),
  })
  if (!read.ok) return read
  const { invoice, status } = read.value
  const matching = [...state.invoicePayments.values()].filter(
    (one) =>
      (invoice === undefined || one.invoice === invoice) && (status === undefined || one.status === status),
  )
  return listPage(matching, '/v1/invoice_payments', 'invoice_payment', read.value)
}
