import {
  type Form,
  type FormValue,
  group,
  ignored,
  integer,
  isForm,
  mergeMetadata,
  metadata,
  oneOf,
  readForm,
  required,
  text,
  texts,
} from './form.ts'
import {
  type CheckoutSession,
  newCheckoutSession,
  newSetupIntent,
  type PaymentIntent,
  type Price,
  type SetupIntent,
} from './objects.ts'
import { confirmPaymentIntent, createPaymentIntent } from './paymentIntents.ts'
import { saveFor } from './paymentMethods.ts'
import { find, impossible, invalid, missingReference, ok, type Result, unsupported } from './result.ts'
import { saveCard } from './setupIntents.ts'
import { type Call, seconds } from './state.ts'
import { activateSubscription, beginSubscription, expireSubscription } from './subscriptions.ts'

const anySession = {
  mode: required(oneOf('subscription', 'setup')),
  customer: required(text()),
  success_url: required(text()),
  cancel_url: text(),
  client_reference_id: text(200),
  metadata,
  allowed_payment_method_types: texts,
  locale: oneOf('auto', 'fr', 'en'),
  expand: ignored,
}

/** `POST /v1/checkout/sessions`, for a subscription that is paid by card, or for a card that is saved. */
export function createSession(call: Call, form: Form): Result<CheckoutSession> {
  return form.mode === 'setup' ? createCardSession(call, form) : createPlanSession(call, form)
}

function createPlanSession(call: Call, form: Form): Result<CheckoutSession> {
  const read = readForm(form, {
    ...anySession,
    line_items: lineItems,
    subscription_data: group({ metadata }),
  })
  if (!read.ok) return read
  const price = call.state.prices.get(read.value.line_items)
  const priceId = read.value.line_items
  if (!price) return missingReference('price', priceId, 'line_items[0][price]')
  if (!price.active)
    return invalid('The price specified is inactive. This field only accepts active prices.', {
      param: 'line_items[0][price]',
    })
  const session = openSession(call, read.value, price.currency, price)
  if (!session.ok) return session
  call.state.checkouts.set(session.value.id, {
    price: price.id,
    subscriptionMetadata: mergeMetadata({}, read.value.subscription_data?.metadata),
    paymentIntent: null,
    subscription: null,
  })
  return session
}

function createCardSession(call: Call, form: Form): Result<CheckoutSession> {
  const read = readForm(form, {
    ...anySession,
    currency: required(text()),
    setup_intent_data: group({ metadata }),
  })
  if (!read.ok) return read
  const session = openSession(call, read.value, read.value.currency, null)
  if (!session.ok) return session
  const intent = newSetupIntent(
    seconds(call.clock),
    read.value.customer,
    mergeMetadata({}, read.value.setup_intent_data?.metadata),
  )
  call.state.setupIntents.set(intent.id, intent)
  session.value.setup_intent = intent.id
  return session
}

type Wanted = Extract<ReturnType<typeof readForm<typeof anySession>>, { ok: true }>['value']

function openSession(
  call: Call,
  wanted: Wanted,
  currency: string,
  price: Price | null,
): Result<CheckoutSession> {
  const { customer, success_url: successUrl, cancel_url: cancelUrl } = wanted
  if (!call.state.customers.has(customer)) return missingReference('customer', customer, 'customer')
  const address = [successUrl, cancelUrl].find((url) => url !== undefined && !URL.canParse(url))
  if (address !== undefined) return invalid('Not a valid URL', { code: 'url_invalid', param: 'success_url' })
  if (wanted.allowed_payment_method_types.some((type) => type !== 'card'))
    return unsupported('parameter allowed_payment_method_types')
  const session = newCheckoutSession(seconds(call.clock), customer, successUrl, currency, price)
  session.cancel_url = cancelUrl ?? null
  session.client_reference_id = wanted.client_reference_id ?? null
  session.locale = wanted.locale ?? null
  session.metadata = mergeMetadata({}, wanted.metadata)
  session.url = checkoutAddress(call.publicOrigin, session.id)
  call.state.sessions.set(session.id, session)
  return ok(session)
}

/** `POST /v1/checkout/sessions/:id/expire` */
export function expireSession(call: Call, _: Form, id: string): Result<CheckoutSession> {
  const found = find(call.state.sessions, 'checkout.session', id)
  if (!found.ok) return found
  const session = found.value
  if (session.status !== 'open')
    return impossible({
      message: `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    })
  expire(call, session)
  return ok(session)
}

/** Sessions that nobody completed in time, and those whose customer paid and never came back to the page. */
export function finishSessions(call: Call): void {
  for (const session of call.state.sessions.values()) {
    if (session.status !== 'open') continue
    if (paymentOf(call, session)?.status === 'succeeded') completePlan(call, session)
    else if (call.state.setupIntents.get(session.setup_intent ?? '')?.status === 'succeeded')
      complete(call, session)
    else if (session.expires_at <= seconds(call.clock)) expire(call, session)
  }
}

/** The customer of an open session pays with a card; the payment's state is the answer. */
export function payForSession(
  call: Call,
  session: CheckoutSession,
  card: { number: string; month: number; year: number; cvc: string },
  returnUrl: string,
): Result<PaymentIntent> {
  const begun = paymentOf(call, session) ?? newPayment(call, session)
  if (!('object' in begun)) return begun
  const confirmed = confirmPaymentIntent(
    call,
    {
      return_url: returnUrl,
      payment_method_data: {
        type: 'card',
        card: {
          number: card.number,
          exp_month: String(card.month),
          exp_year: String(card.year),
          cvc: card.cvc,
        },
      },
    },
    begun.id,
  )
  // A card that can't be one is refused before anything is begun.
  if (begun.payment_method !== null || begun.latest_charge !== null) beginPlan(call, session, begun.id)
  if (confirmed.ok) finishSessions(call)
  return confirmed
}

/** The customer of an open session saves a card; nothing is charged. */
export function saveCardForSession(
  call: Call,
  session: CheckoutSession,
  card: { number: string; month: number; year: number; cvc: string },
): Result<SetupIntent> {
  const intent = find(call.state.setupIntents, 'setupintent', session.setup_intent ?? '')
  if (!intent.ok) return intent
  const saved = saveCard(call, intent.value, {
    number: card.number,
    exp_month: card.month,
    exp_year: card.year,
    cvc: card.cvc,
  })
  if (saved.ok) finishSessions(call)
  return saved
}

/** The payment of the session's first invoice, once somebody has tried to pay. */
export function paymentOf({ state }: Call, session: CheckoutSession): PaymentIntent | null {
  return state.paymentIntents.get(state.checkouts.get(session.id)?.paymentIntent ?? '') ?? null
}

const subscriptionOf = ({ state }: Call, session: CheckoutSession) =>
  state.subscriptions.get(state.checkouts.get(session.id)?.subscription ?? '')

/** Whoever tries to pay has a subscription, which is `incomplete` until a card is charged. */
function beginPlan(call: Call, session: CheckoutSession, paymentIntent: string): void {
  const checkout = call.state.checkouts.get(session.id)
  const price = call.state.prices.get(checkout?.price ?? '')
  if (!checkout || !price || checkout.subscription) return
  const { customer } = session
  const begun = beginSubscription(call, {
    customer,
    price,
    paymentIntent,
    metadata: checkout.subscriptionMetadata,
  })
  checkout.subscription = begun.id
}

function newPayment(call: Call, session: CheckoutSession) {
  const made = createPaymentIntent(call, {
    amount: String(session.amount_total ?? 0),
    currency: session.currency,
    description: 'Subscription creation',
  })
  const checkout = call.state.checkouts.get(session.id)
  if (!made.ok || !checkout) return made as Result<never>
  made.value.customer = session.customer
  checkout.paymentIntent = made.value.id
  return made.value
}

function completePlan(call: Call, session: CheckoutSession): void {
  const payment = paymentOf(call, session)
  if (payment) beginPlan(call, session, payment.id)
  const subscription = subscriptionOf(call, session)
  const paymentMethod = call.state.paymentMethods.get(payment?.payment_method ?? '')
  if (!subscription || !payment || !paymentMethod) return
  // A card of a plan is not offered for other payments, unless its holder asks for that.
  paymentMethod.allow_redisplay = 'limited'
  saveFor(call, session.customer, { paymentMethod, outcome: { kind: 'succeeds' } })
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
  const subscription = subscriptionOf(call, session)
  if (subscription) expireSubscription(call, subscription)
  session.status = 'expired'
  session.url = null
  call.emit('checkout.session.expired', session)
}

/** One line, of which there is one: the id of its price. */
function lineItems(value: FormValue | undefined, name: string): Result<string> {
  const line = Array.isArray(value) && value.length === 1 ? value[0] : undefined
  if (!isForm(line)) return unsupported(`parameter ${name}`)
  const read = readForm(line, { price: required(text()), quantity: required(integer(1, 1)) }, `${name}[0]`)
  return read.ok ? ok(read.value.price) : read
}

/** Stripe's page has an origin of its own; here the other name of this machine is one. */
function checkoutAddress(publicOrigin: string, id: string): string {
  const url = new URL(`/sandbox/stripe/checkout/${id}`, publicOrigin)
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return url.href
}
