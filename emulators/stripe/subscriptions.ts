import type { Outcome } from './cards.ts'
import { billingTime } from './customers.ts'
import {
  boolean,
  type Form,
  ignored,
  mergeMetadata,
  metadata,
  notHere,
  oneOf,
  readForm,
  text,
} from './form.ts'
import { finishPayment, openPayment, paymentOf } from './invoicePayments.ts'
import { type List, listPage, listParameters, requireKnown } from './lists.ts'
import { chargeSavedCard, createPaymentIntent } from './paymentIntents.ts'
import {
  documented,
  fail,
  impossible,
  missing,
  missingReference,
  ok,
  type Result,
  type StripeError,
} from './result.ts'
import { type Call, type Invoice, newId, type Price, type Subscription } from './state.ts'

const DAY = 86_400

const STATUSES = [
  ...(['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due'] as const),
  ...(['canceled', 'unpaid', 'paused'] as const),
]

const hasEnded = ({ status }: Subscription) => status === 'canceled' || status === 'incomplete_expired'

/** Days from one failed try to the next, as in Stripe's own schedule of retries; after the last the plan ends, or is `unpaid`. */
const RETRY_AFTER_DAYS = [3, 5, 7]

/** Begins a subscription, which is `incomplete` until its first invoice is paid. */
export function beginSubscription(
  call: Call,
  {
    customer,
    price,
    paymentIntent,
    metadata: given,
  }: {
    customer: string
    price: Price
    paymentIntent: string
    metadata: Record<string, string>
  },
): Subscription {
  const start = billingTime(call, customer)
  const id = newId('sub')
  const subscription: Subscription = {
    id,
    object: 'subscription',
    billing_cycle_anchor: start,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    created: start,
    currency: price.currency,
    customer,
    default_payment_method: null,
    ended_at: null,
    items: {
      object: 'list',
      data: [
        {
          id: newId('si'),
          object: 'subscription_item',
          created: start,
          current_period_end: monthsAfter(start, 1),
          current_period_start: start,
          metadata: {},
          price: structuredClone(price),
          quantity: 1,
          subscription: id,
        },
      ],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    metadata: given,
    start_date: start,
    status: 'incomplete',
    test_clock: call.state.customers.get(customer)?.test_clock ?? '',
  }
  call.state.subscriptions.set(id, subscription)
  call.emit('customer.subscription.created', subscription)
  openPayment(call, newInvoice(call, subscription, 'subscription_create'), paymentIntent)
  return subscription
}

/** Its first invoice was paid just now, with a card that pays the following ones too. */
export function activateSubscription(call: Call, subscription: Subscription, paymentMethod: string): void {
  const invoice = call.state.invoices.get(subscription.latest_invoice ?? '')
  if (!invoice) return
  subscription.default_payment_method = paymentMethod
  pay(call, invoice)
  subscription.status = 'active'
  call.emit('invoice.paid', invoice)
  call.emit('customer.subscription.updated', subscription)
}

/** Nobody pays its first invoice any more. */
export function expireSubscription(call: Call, subscription: Subscription): void {
  if (subscription.status !== 'incomplete') return
  const invoice = call.state.invoices.get(subscription.latest_invoice ?? '')
  if (invoice) invoice.status = 'void'
  subscription.status = 'incomplete_expired'
  subscription.ended_at = billingTime(call, subscription.customer)
  call.emit('customer.subscription.updated', subscription)
}

/** `GET /v1/subscriptions/:id` */
export function retrieveSubscription({ state }: Call, id: string): Result<Subscription> {
  const subscription = state.subscriptions.get(id)
  return subscription ? ok(subscription) : missing('subscription', id, 'id')
}

/** `GET /v1/subscriptions`: those that are not canceled, unless asked for. */
export function listSubscriptions(call: Call, form: Form): Result<List<Subscription>> {
  const read = readForm(form, {
    ...listParameters,
    customer: text(),
    price: text(),
    status: oneOf('all', 'ended', ...STATUSES),
  })
  if (!read.ok) return read
  const { customer, price, status } = read.value
  const known = requireKnown(
    ['customer', 'customer', customer, call.state.customers],
    ['price', 'price', price, call.state.prices],
  )
  if (!known.ok) return known
  const isWanted = (one: Subscription) => {
    if (status === 'all') return true
    if (status === undefined) return one.status !== 'canceled'
    return status === 'ended' ? hasEnded(one) : one.status === status
  }
  const matching = [...call.state.subscriptions.values()].filter(
    (one) =>
      isWanted(one) &&
      (customer === undefined || one.customer === customer) &&
      (price === undefined || one.items.data[0].price.id === price),
  )
  return listPage(matching, '/v1/subscriptions', 'subscription', read.value)
}

/** `POST /v1/subscriptions/:id` */
export function updateSubscription(call: Call, id: string, form: Form): Result<Subscription> {
  const read = readForm(form, {
    cancel_at_period_end: boolean,
    default_payment_method: text(),
    metadata,
    expand: ignored,
  })
  if (!read.ok) return read
  const found = retrieveSubscription(call, id)
  if (!found.ok) return found
  const subscription = found.value
  const { cancel_at_period_end: ends, default_payment_method: method } = read.value
  if (hasEnded(subscription))
    return impossible({ message: 'A canceled subscription can only update its cancellation_details.' })
  if (method !== undefined && call.state.paymentMethods.get(method)?.customer !== subscription.customer)
    return missingReference('PaymentMethod', method, 'default_payment_method')
  if (method !== undefined) subscription.default_payment_method = method
  if (ends !== undefined && ends !== subscription.cancel_at_period_end) {
    subscription.cancel_at_period_end = ends
    subscription.cancel_at = ends ? subscription.items.data[0].current_period_end : null
    subscription.canceled_at = ends ? billingTime(call, subscription.customer) : null
    subscription.cancellation_details.reason = ends ? 'cancellation_requested' : null
  }
  subscription.metadata = mergeMetadata(subscription.metadata, read.value.metadata)
  call.emit('customer.subscription.updated', subscription)
  return ok(subscription)
}

/** `DELETE /v1/subscriptions/:id`: ends it at once. */
export function cancelSubscription(call: Call, id: string, form: Form): Result<Subscription> {
  const read = readForm(form, { invoice_now: ignored, prorate: ignored, expand: ignored })
  if (!read.ok) return read
  const found = retrieveSubscription(call, id)
  if (!found.ok) return found
  if (hasEnded(found.value)) return missing('subscription', id, 'id')
  end(call, found.value, billingTime(call, found.value.customer), 'cancellation_requested')
  return ok(found.value)
}

/** `GET /v1/invoices/:id` */
export function retrieveInvoice({ state }: Call, id: string): Result<Invoice> {
  const invoice = state.invoices.get(id)
  return invoice ? ok(invoice) : missing('invoice', id, 'invoice')
}

/** `GET /v1/invoices` */
export function listInvoices({ state }: Call, form: Form): Result<List<Invoice>> {
  const read = readForm(form, {
    ...listParameters,
    customer: text(),
    subscription: text(),
    status: notHere(oneOf('open', 'paid', 'void', 'uncollectible'), (status) => status === 'draft'),
  })
  if (!read.ok) return read
  const { customer, subscription, status } = read.value
  const known = requireKnown(
    ['customer', 'customer', customer, state.customers],
    ['subscription', 'subscription', subscription, state.subscriptions],
  )
  if (!known.ok) return known
  const matching = [...state.invoices.values()].filter(
    (one) =>
      (customer === undefined || one.customer === customer) &&
      (subscription === undefined || one.parent.subscription_details.subscription === subscription) &&
      (status === undefined || one.status === status),
  )
  return listPage(matching, '/v1/invoices', 'invoice', read.value)
}

/** `POST /v1/invoices/:id/void`: nobody owes it any more. */
export function voidInvoice(call: Call, id: string): Result<Invoice> {
  const found = retrieveInvoice(call, id)
  if (!found.ok) return found
  if (found.value.status !== 'open') return impossible({ message: 'You can only void an open invoice.' })
  found.value.status = 'void'
  found.value.next_payment_attempt = null
  return found
}

/** `POST /v1/invoices/:id/pay`: charges it now, with the subscription's own card unless another one is named. */
export function payInvoice(call: Call, id: string, form: Form): Result<Invoice> {
  const read = readForm(form, { payment_method: text(), off_session: boolean, expand: ignored })
  if (!read.ok) return read
  const found = retrieveInvoice(call, id)
  if (!found.ok) return found
  const invoice = found.value
  if (invoice.status === 'paid')
    return impossible({ code: 'invoice_already_paid', message: 'Invoice is already paid' })
  const { subscription: of } = invoice.parent.subscription_details
  const subscription = call.state.subscriptions.get(of)
  if (!subscription || hasEnded(subscription) || invoice.status !== 'open')
    return impossible({ code: 'invoice_not_editable', message: 'This invoice can no longer be paid.' })
  const method = read.value.payment_method ?? subscription.default_payment_method
  if (call.state.paymentMethods.get(method ?? '')?.customer !== subscription.customer)
    return missingReference('PaymentMethod', method ?? '', 'payment_method')
  const answer = charge(call, subscription, invoice, method)
  if (answer?.kind === 'succeeds') return ok(invoice)
  call.emit('invoice.payment_failed', invoice)
  const { code = 'card_declined', message = 'Your card was declined.' } = answer ?? {}
  const declined = answer && { decline_code: answer.declineCode }
  const error: StripeError = documented({ type: 'card_error' as const, code, message, ...declined })
  return fail({ kind: 'refused', status: 402, began: true, error })
}

/**
 * Does what the passing of time does: renewals, their retries when the card is refused, and endings. A renewal is charged
 * when the period ends; Stripe leaves its invoice open for changes for about an hour before.
 */
export function billSubscriptions(call: Call): void {
  for (const subscription of call.state.subscriptions.values())
    while (billNext(call, subscription, billingTime(call, subscription.customer)));
}

/** Does the first thing that is due by `now`, in seconds; false when nothing is. */
function billNext(call: Call, subscription: Subscription, now: number): boolean {
  if (hasEnded(subscription) || subscription.status === 'incomplete') return false
  const [item] = subscription.items.data
  const open = call.state.invoices.get(subscription.latest_invoice ?? '')
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
  item.current_period_end = nextPeriodEnd(subscription.billing_cycle_anchor, item.current_period_start)
  // Stripe makes drafts of what falls due meanwhile, which nobody is charged for.
  if (subscription.status === 'unpaid') return true
  attempt(call, subscription, newInvoice(call, subscription, 'subscription_cycle'), item.current_period_start)
  return true
}

/** What the issuer of a saved card answers to a charge of an invoice; the invoice is paid when it agrees. */
function charge(call: Call, subscription: Subscription, invoice: Invoice, paymentMethod: string | null) {
  const outcome = call.state.savedCards.get(paymentMethod ?? '')
  // A cardholder who was asked by the bank when subscribing is not asked again for a renewal.
  const answer = outcome?.kind === 'authenticates' ? outcome.afterwards : outcome
  if (!answer || answer.kind === 'authenticates') return undefined
  if (hasPaid(call, invoice, paymentMethod, answer)) {
    pay(call, invoice)
    subscription.status = 'active'
    call.emit('invoice.paid', invoice)
    call.emit('customer.subscription.updated', subscription)
  }
  return answer
}

/** Charges an invoice at `at`, in seconds. */
function attempt(call: Call, subscription: Subscription, invoice: Invoice, at: number): void {
  if (charge(call, subscription, invoice, subscription.default_payment_method)?.kind === 'succeeds') return
  const wait = RETRY_AFTER_DAYS[invoice.attempt_count]
  invoice.attempt_count += 1
  invoice.attempted = true
  invoice.next_payment_attempt = wait === undefined ? null : at + wait * DAY
  call.emit('invoice.payment_failed', invoice)
  if (wait === undefined && call.afterRetries === 'cancel') {
    end(call, subscription, at, 'payment_failed')
    return
  }
  const status = wait === undefined ? 'unpaid' : 'past_due'
  if (subscription.status === status) return
  subscription.status = status
  call.emit('customer.subscription.updated', subscription)
}

/** Every try to charge an invoice is one of the same PaymentIntent. */
function hasPaid(call: Call, invoice: Invoice, paymentMethod: string | null, answer: Outcome): boolean {
  const { paymentIntents, paymentMethods } = call.state
  const method = paymentMethods.get(paymentMethod ?? '')
  if (!paymentOf(call, invoice)) {
    const made = createPaymentIntent(call, {
      amount: String(invoice.amount_due),
      currency: invoice.currency,
      description: 'Subscription update',
    })
    if (!made.ok) return false
    made.value.customer = invoice.customer
    openPayment(call, invoice, made.value.id)
  }
  const intent = paymentIntents.get(paymentOf(call, invoice)?.payment.payment_intent ?? '')
  if (!intent || !method) return false
  chargeSavedCard(call, intent, method, answer)
  return intent.status === 'succeeded'
}

function end(
  call: Call,
  subscription: Subscription,
  at: number,
  reason: 'cancellation_requested' | 'payment_failed',
): void {
  subscription.status = 'canceled'
  subscription.ended_at = at
  subscription.canceled_at ??= at
  subscription.cancellation_details.reason = reason
  call.emit('customer.subscription.deleted', subscription)
}

function newInvoice(call: Call, subscription: Subscription, reason: Invoice['billing_reason']): Invoice {
  const [{ price, current_period_start: created }] = subscription.items.data
  const invoice: Invoice = {
    id: newId('in'),
    object: 'invoice',
    amount_due: price.unit_amount,
    amount_paid: 0,
    amount_remaining: price.unit_amount,
    attempt_count: 0,
    attempted: false,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created,
    currency: subscription.currency,
    customer: subscription.customer,
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: created,
    period_start: created,
    status: 'open',
    total: price.unit_amount,
  }
  call.state.invoices.set(invoice.id, invoice)
  subscription.latest_invoice = invoice.id
  call.emit('invoice.created', invoice)
  call.emit('invoice.finalized', invoice)
  return invoice
}

function pay(call: Call, invoice: Invoice): void {
  invoice.attempt_count += 1
  invoice.attempted = true
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.status = 'paid'
  finishPayment(call, invoice)
}

function nextPeriodEnd(anchor: number, start: number): number {
  let months = 1
  while (monthsAfter(anchor, months) <= start) months += 1
  return monthsAfter(anchor, months)
}

/** The same day and time so many months later; the last day of a month that is too short for it. */
function monthsAfter(anchor: number, months: number): number {
  const date = new Date(anchor * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime() / 1000
}
