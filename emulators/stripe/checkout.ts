import * as p from './form.ts'
import {
  buildCheckoutSession,
  buildSetupIntent,
  type CheckoutSession,
  type PaymentIntent,
  type Price,
} from './objects.ts'
import { confirmPaymentIntent, createPaymentIntent, getLaterOutcome } from './paymentIntents.ts'
import { savePaymentMethod } from './paymentMethods.ts'
import {
  failInvalidParameter,
  failInvalidState,
  failMissingReference,
  failUnsupported,
  findObject,
} from './refusals.ts'
import { completeSetupIntent } from './setupIntents.ts'
import { buildHostedUrl, type Call, getUnixSeconds } from './state.ts'
import { activateSubscription, createIncompleteSubscription, expireSubscription } from './subscriptions.ts'

const anySession = {
  mode: p.required(p.enumValue('subscription', 'setup')),
  customer: p.required(p.text()),
  success_url: p.required(p.text()),
  cancel_url: p.text(),
  client_reference_id: p.text(200),
  metadata: p.metadata,
  allowed_payment_method_types: p.textList,
  locale: p.enumValue('auto', 'fr', 'en'),
}

/** For a subscription paid by card, or to save a card. */
export function createCheckoutSession(call: Call, form: p.Form): CheckoutSession {
  return form.mode === 'setup' ? createCardSession(call, form) : createPlanSession(call, form)
}

function createPlanSession(call: Call, form: p.Form): CheckoutSession {
  const params = p.parseParameters(form, {
    ...anySession,
    line_items: parseLineItems,
    subscription_data: p.group({ metadata: p.metadata }),
  })
  const priceId = params.line_items
  const price = call.state.prices.get(priceId)
  if (!price) return failMissingReference('price', priceId, 'line_items[0][price]')
  if (!price.active)
    return failInvalidParameter(
      'The price specified is inactive. This field only accepts active prices.',
      'line_items[0][price]',
    )
  const session = openSession(call, params, price.currency, price)
  call.state.checkouts.set(session.id, {
    price: price.id,
    subscriptionMetadata: p.mergeMetadata({}, params.subscription_data?.metadata),
    paymentIntent: null,
    subscription: null,
  })
  return session
}

function createCardSession(call: Call, form: p.Form): CheckoutSession {
  const params = p.parseParameters(form, {
    ...anySession,
    currency: p.required(p.text()),
    setup_intent_data: p.group({ metadata: p.metadata }),
  })
  const session = openSession(call, params, params.currency, null)
  const intent = buildSetupIntent(
    getUnixSeconds(call.clock),
    params.customer,
    p.mergeMetadata({}, params.setup_intent_data?.metadata),
  )
  call.state.setupIntents.set(intent.id, intent)
  session.setup_intent = intent.id
  return session
}

type Wanted = p.Parameters<typeof anySession>

function openSession(call: Call, wanted: Wanted, currency: string, price: Price | null): CheckoutSession {
  const { customer, success_url: successUrl, cancel_url: cancelUrl } = wanted
  if (!call.state.customers.has(customer)) return failMissingReference('customer', customer, 'customer')
  const address = [successUrl, cancelUrl].find((url) => url !== undefined && !URL.canParse(url))
  if (address !== undefined) return failInvalidParameter('Not a valid URL', 'success_url', 'url_invalid')
  if (wanted.allowed_payment_method_types.some((type) => type !== 'card'))
    return failUnsupported('parameter allowed_payment_method_types')
  const session = buildCheckoutSession(getUnixSeconds(call.clock), customer, successUrl, currency, price)
  session.cancel_url = cancelUrl ?? null
  session.client_reference_id = wanted.client_reference_id ?? null
  session.locale = wanted.locale ?? null
  session.metadata = p.mergeMetadata({}, wanted.metadata)
  session.url = buildHostedUrl(call, `checkout/${session.id}`)
  call.state.sessions.set(session.id, session)
  return session
}

export function expireOpenCheckoutSession(call: Call, id: string): CheckoutSession {
  const session = findObject(call.state.sessions, 'checkout.session', id)
  if (session.status !== 'open')
    return failInvalidState({
      message: `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    })
  expire(call, session)
  return session
}

/** Completes paid sessions whose customer never returned to the page. */
export function settleCheckoutSessions(call: Call): void {
  for (const session of call.state.sessions.values()) {
    if (session.status !== 'open') continue
    if (findSessionPayment(call, session)?.status === 'succeeded') completePlan(call, session)
    else if (call.state.setupIntents.get(session.setup_intent ?? '')?.status === 'succeeded')
      complete(call, session)
    else if (session.expires_at <= getUnixSeconds(call.clock)) expire(call, session)
  }
}

interface TypedCard {
  readonly number: string
  readonly exp_month: string
  readonly exp_year: string
  readonly cvc: string
}

/** The PaymentIntent may still require 3-D Secure. */
export function payCheckoutSession(
  call: Call,
  session: CheckoutSession,
  card: TypedCard,
  returnUrl: string,
): void {
  const intent = findSessionPayment(call, session) ?? createSessionPayment(call, session)
  const confirmation = { return_url: returnUrl, payment_method_data: { type: 'card', card: { ...card } } }
  try {
    confirmPaymentIntent(call, confirmation, intent.id)
  } finally {
    // No subscription is created for an invalid card number.
    if (intent.payment_method !== null || intent.latest_charge !== null) beginPlan(call, session, intent.id)
  }
  settleCheckoutSessions(call)
}

export function saveCardForSession(call: Call, session: CheckoutSession, card: TypedCard): void {
  const intent = findObject(call.state.setupIntents, 'setupintent', session.setup_intent ?? '')
  const { exp_month: month, exp_year: year, ...rest } = card
  const expiry = { exp_month: Number(month), exp_year: Number(year) }
  completeSetupIntent(call, intent, { ...rest, ...expiry })
  settleCheckoutSessions(call)
}

/** Null until the customer has tried to pay. */
export function findSessionPayment({ state }: Call, session: CheckoutSession): PaymentIntent | null {
  return state.paymentIntents.get(state.checkouts.get(session.id)?.paymentIntent ?? '') ?? null
}

const findSessionSubscription = ({ state }: Call, session: CheckoutSession) =>
  state.subscriptions.get(state.checkouts.get(session.id)?.subscription ?? '')

/** The subscription is `incomplete` until the charge succeeds. */
function beginPlan(call: Call, session: CheckoutSession, paymentIntent: string): void {
  const checkout = call.state.checkouts.get(session.id)
  const price = call.state.prices.get(checkout?.price ?? '')
  if (!checkout || !price || checkout.subscription) return
  const subscription = createIncompleteSubscription(
    call,
    session.customer,
    price,
    paymentIntent,
    checkout.subscriptionMetadata,
  )
  checkout.subscription = subscription.id
}

function createSessionPayment(call: Call, session: CheckoutSession) {
  const intent = createPaymentIntent(call, {
    amount: String(session.amount_total ?? 0),
    currency: session.currency,
    description: 'Subscription creation',
  })
  intent.customer = session.customer
  const checkout = call.state.checkouts.get(session.id)
  if (checkout) checkout.paymentIntent = intent.id
  return intent
}

function completePlan(call: Call, session: CheckoutSession): void {
  const payment = findSessionPayment(call, session)
  if (payment) beginPlan(call, session, payment.id)
  const subscription = findSessionSubscription(call, session)
  const paymentMethod = call.state.paymentMethods.get(payment?.payment_method ?? '')
  if (!subscription || !payment || !paymentMethod) return
  // A plan's card is not offered for other payments unless the cardholder agrees.
  paymentMethod.allow_redisplay = 'limited'
  const outcome = getLaterOutcome(call, payment, { kind: 'succeeds' })
  savePaymentMethod(call, session.customer, { paymentMethod, outcome })
  activateSubscription(call, subscription, paymentMethod.id)
  session.payment_status = 'paid'
  session.subscription = subscription.id
  session.invoice = subscription.latest_invoice
  complete(call, session)
}

function complete(call: Call, session: CheckoutSession): void {
  session.status = 'complete'
  session.url = null
  call.emit('checkout.session.completed', session)
}

function expire(call: Call, session: CheckoutSession): void {
  const subscription = findSessionSubscription(call, session)
  if (subscription) expireSubscription(call, subscription)
  session.status = 'expired'
  session.url = null
  call.emit('checkout.session.expired', session)
}

/** There must be exactly one line item. */
function parseLineItems(value: p.FormValue | undefined, name: string): string {
  const line = Array.isArray(value) && value.length === 1 ? value[0] : undefined
  if (!p.isForm(line)) return failUnsupported(`parameter ${name}`)
  const parsers = { price: p.required(p.text()), quantity: p.required(p.integer(1, 1)) }
  return p.parseParameters(line, parsers, `${name}[0]`).price
}
