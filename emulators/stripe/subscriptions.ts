import { getBillingTime } from './customers.ts'
import * as p from './form.ts'
import {
  type BillingReason,
  buildInvoice,
  buildInvoicePayment,
  buildSubscription,
  type CancellationReason,
  type Invoice,
  type InvoicePayment,
  type PaymentIntent,
  type Price,
  type Subscription,
} from './objects.ts'
import { cancelPaymentIntent, chargeSavedCard, createPaymentIntent } from './paymentIntents.ts'
import {
  failCard,
  failInvalidState,
  failMissingReference,
  failNotFound,
  findObject,
  type StripeError,
} from './refusals.ts'
import { buildHostedUrl, type Call, getUnixSeconds } from './state.ts'

const DAY = 86_400

const hasEnded = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired'

/** Stripe's default schedule. After the last attempt, the plan ends or is `unpaid`. */
const RETRY_AFTER_DAYS = [3, 5, 7]

const ACTION_REQUIRED = {
  code: 'invoice_payment_intent_requires_action',
  message:
    'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.',
}

const PAUSED_INVOICES = { keep_as_draft: 'draft', mark_uncollectible: 'uncollectible', void: 'void' } as const

export function createIncompleteSubscription(
  call: Call,
  customer: string,
  price: Price,
  paymentIntent: string,
  metadata: Record<string, string>,
): Subscription {
  const start = getBillingTime(call, customer)
  const { test_clock = '' } = call.state.customers.get(customer) ?? {}
  const payer = { id: customer, test_clock }
  const subscription = buildSubscription(start, addMonths(start, 1), payer, price, metadata)
  call.state.subscriptions.set(subscription.id, subscription)
  call.emit('customer.subscription.created', subscription)
  openPayment(call, bill(call, subscription, 'subscription_create'), paymentIntent)
  return subscription
}

/** The same card pays the following invoices. */
export function activateSubscription(call: Call, subscription: Subscription, paymentMethod: string): void {
  const invoice = call.state.invoices.get(subscription.latest_invoice ?? '')
  if (!invoice) return
  subscription.default_payment_method = paymentMethod
  completeInvoice(call, subscription, invoice)
}

export function expireSubscription(call: Call, subscription: Subscription): void {
  if (subscription.status !== 'incomplete') return
  const invoice = call.state.invoices.get(subscription.latest_invoice ?? '')
  if (invoice) invoice.status = 'void'
  subscription.status = 'incomplete_expired'
  subscription.ended_at = getBillingTime(call, subscription.customer)
  call.emit('customer.subscription.updated', subscription)
}

export function updateSubscription(call: Call, form: p.Form, id: string): Subscription {
  const params = p.parseParameters(form, {
    cancel_at_period_end: p.boolean,
    default_payment_method: p.text(),
    metadata: p.metadata,
  })
  const subscription = findObject(call.state.subscriptions, 'subscription', id)
  const { cancel_at_period_end: ends, default_payment_method: method } = params
  if (hasEnded(subscription))
    return failInvalidState({ message: 'A canceled subscription can only update its cancellation_details.' })
  if (method !== undefined && call.state.paymentMethods.get(method)?.customer !== subscription.customer)
    return failMissingReference('PaymentMethod', method, 'default_payment_method')
  if (method !== undefined) subscription.default_payment_method = method
  if (ends !== undefined && ends !== subscription.cancel_at_period_end) {
    subscription.cancel_at_period_end = ends
    subscription.cancel_at = ends ? subscription.items.data[0].current_period_end : null
    subscription.canceled_at = ends ? getBillingTime(call, subscription.customer) : null
    subscription.cancellation_details.reason = ends ? 'cancellation_requested' : null
  }
  subscription.metadata = p.mergeMetadata(subscription.metadata, params.metadata)
  call.emit('customer.subscription.updated', subscription)
  return subscription
}

export function cancelSubscription(call: Call, id: string): Subscription {
  const subscription = findObject(call.state.subscriptions, 'subscription', id)
  if (hasEnded(subscription)) return failNotFound('subscription', id)
  end(call, subscription, getBillingTime(call, subscription.customer), 'cancellation_requested')
  return subscription
}

export function cancelCustomerSubscriptions(call: Call, customer: string): void {
  for (const subscription of call.state.subscriptions.values())
    if (subscription.customer === customer && !hasEnded(subscription))
      end(call, subscription, getBillingTime(call, customer), 'cancellation_requested')
}

export function voidInvoice(call: Call, id: string): Invoice {
  const invoice = findObject(call.state.invoices, 'invoice', id)
  if (invoice.status !== 'open') return failInvalidState({ message: 'You can only void an open invoice.' })
  const intent = findInvoiceIntent(call, invoice)
  if (intent) cancelPaymentIntent(call, intent.id)
  invoice.status = 'void'
  invoice.next_payment_attempt = null
  return invoice
}

/** Charges the named card, or else the subscription's default card. */
export function payInvoice(call: Call, form: p.Form, id: string): Invoice {
  const params = p.parseParameters(form, { payment_method: p.text() })
  const invoice = findObject(call.state.invoices, 'invoice', id)
  if (invoice.status === 'paid')
    return failInvalidState({ code: 'invoice_already_paid', message: 'Invoice is already paid' })
  const { subscription: of } = invoice.parent.subscription_details
  const subscription = call.state.subscriptions.get(of)
  if (!subscription || hasEnded(subscription) || invoice.status !== 'open')
    return failInvalidState({ code: 'invoice_not_editable', message: 'This invoice can no longer be paid.' })
  const method = params.payment_method ?? subscription.default_payment_method
  if (call.state.paymentMethods.get(method ?? '')?.customer !== subscription.customer)
    return failMissingReference('PaymentMethod', method ?? '', 'payment_method')
  if (charge(call, subscription, invoice, method)) return invoice
  emitFailure(call, invoice)
  const intent = findInvoiceIntent(call, invoice)
  const refusal: Partial<StripeError> =
    intent?.status === 'requires_action' ? ACTION_REQUIRED : (intent?.last_payment_error ?? {})
  const { code = 'card_declined', message = 'Your card was declined.', decline_code } = refusal
  return failCard({ code, message, ...(decline_code && { decline_code }) })
}

/** Stripe first keeps a renewal's invoice open for changes for about an hour; here it is charged at once. */
export function billSubscriptions(call: Call): void {
  for (const subscription of call.state.subscriptions.values())
    while (billNext(call, subscription, getBillingTime(call, subscription.customer)));
}

/** `now`: in seconds. Returns false if nothing is due. */
function billNext(call: Call, subscription: Subscription, now: number): boolean {
  if (hasEnded(subscription) || ['incomplete', 'paused'].includes(subscription.status)) return false
  const [item] = subscription.items.data
  const open = call.state.invoices.get(subscription.latest_invoice ?? '')
  // The cardholder has confirmed the payment on the invoice's page.
  if (open?.status === 'open' && findInvoiceIntent(call, open)?.status === 'succeeded') {
    completeInvoice(call, subscription, open)
    return true
  }
  const retryAt = open?.status === 'open' ? open.next_payment_attempt : null
  if (open && retryAt !== null && retryAt <= Math.min(now, item.current_period_end)) {
    attempt(call, subscription, open, retryAt)
    return true
  }
  if (item.current_period_end > now) return false
  if (subscription.cancel_at_period_end) {
    end(call, subscription, item.current_period_end, 'cancellation_requested')
    return true
  }
  item.current_period_start = item.current_period_end
  item.current_period_end = computePeriodEnd(subscription.billing_cycle_anchor, item.current_period_start)
  // For an `unpaid` subscription, Stripe only creates draft invoices, which it never charges.
  if (subscription.status === 'unpaid') return true
  const invoice = bill(call, subscription, 'subscription_cycle')
  if (subscription.pause_collection) {
    invoice.status = PAUSED_INVOICES[subscription.pause_collection.behavior]
    invoice.auto_advance = false
  } else attempt(call, subscription, invoice, item.current_period_start)
  return true
}

function completeInvoice(call: Call, subscription: Subscription, invoice: Invoice): void {
  pay(call, invoice)
  subscription.status = 'active'
  call.emit('invoice.paid', invoice)
  call.emit('customer.subscription.updated', subscription)
}

/** `at`: in seconds. */
function attempt(call: Call, subscription: Subscription, invoice: Invoice, at: number): void {
  if (charge(call, subscription, invoice, subscription.default_payment_method)) return
  const wait = RETRY_AFTER_DAYS[invoice.attempt_count]
  invoice.attempt_count += 1
  invoice.next_payment_attempt = wait === undefined ? null : at + wait * DAY
  emitFailure(call, invoice)
  if (wait === undefined && call.afterRetries === 'cancel') {
    end(call, subscription, at, 'payment_failed')
    return
  }
  const status = wait === undefined ? 'unpaid' : 'past_due'
  if (subscription.status === status) return
  subscription.status = status
  call.emit('customer.subscription.updated', subscription)
}

/** A card that requires 3-D Secure requires it on the invoice's page. All attempts use one PaymentIntent. */
function charge(
  call: Call,
  subscription: Subscription,
  invoice: Invoice,
  paymentMethod: string | null,
): boolean {
  const method = call.state.paymentMethods.get(paymentMethod ?? '')
  const outcome = call.state.savedCards.get(paymentMethod ?? '')
  if (!method || !outcome) return false
  if (!findInvoicePayment(call, invoice)) {
    const renewal = createPaymentIntent(call, {
      amount: String(invoice.amount_due),
      currency: invoice.currency,
      description: 'Subscription update',
    })
    renewal.customer = invoice.customer
    openPayment(call, invoice, renewal.id)
  }
  const intent = findInvoiceIntent(call, invoice)
  if (!intent) return false
  chargeSavedCard(call, intent, method, outcome, invoice.hosted_invoice_url)
  if (intent.status !== 'succeeded') return false
  completeInvoice(call, subscription, invoice)
  return true
}

function emitFailure(call: Call, invoice: Invoice): void {
  call.emit('invoice.payment_failed', invoice)
  if (findInvoiceIntent(call, invoice)?.status === 'requires_action')
    call.emit('invoice.payment_action_required', invoice)
}

function end(call: Call, subscription: Subscription, at: number, reason: CancellationReason): void {
  subscription.status = 'canceled'
  subscription.ended_at = at
  subscription.canceled_at ??= at
  subscription.cancellation_details.reason = reason
  call.emit('customer.subscription.deleted', subscription)
}

function bill(call: Call, subscription: Subscription, reason: BillingReason): Invoice {
  const invoice = buildInvoice(subscription, reason, buildHostedUrl(call, 'invoice/'))
  call.state.invoices.set(invoice.id, invoice)
  subscription.latest_invoice = invoice.id
  call.emit('invoice.created', invoice)
  call.emit('invoice.finalized', invoice)
  return invoice
}

function openPayment(call: Call, invoice: Invoice, paymentIntent: string): void {
  const payment = buildInvoicePayment(getUnixSeconds(call.clock), invoice, paymentIntent)
  call.state.invoicePayments.set(payment.id, payment)
}

const findInvoicePayment = ({ state }: Call, invoice: Invoice): InvoicePayment | undefined =>
  [...state.invoicePayments.values()].find((one) => one.invoice === invoice.id)

export const findInvoiceIntent = (call: Call, invoice: Invoice): PaymentIntent | undefined =>
  call.state.paymentIntents.get(findInvoicePayment(call, invoice)?.payment.payment_intent ?? '')

function pay(call: Call, invoice: Invoice): void {
  invoice.attempt_count += 1
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.status = 'paid'
  const payment = findInvoicePayment(call, invoice)
  if (!payment) return
  payment.amount_paid = invoice.amount_due
  payment.status = 'paid'
}

function computePeriodEnd(anchor: number, start: number): number {
  let months = 1
  while (addMonths(anchor, months) <= start) months += 1
  return addMonths(anchor, months)
}

/** In seconds. A month that is too short ends with its last day. */
function addMonths(anchor: number, months: number): number {
  const date = new Date(anchor * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime() / 1000
}
