import { recordBalanceChange } from './balanceTransactions.ts'
import type { CardOutcome, ChargeConsequence } from './cards.ts'
import { createFraudWarning, openDispute, openReview } from './disputes.ts'
import * as p from './form.ts'
import {
  buildCharge,
  buildPaymentIntent,
  type Charge,
  createId,
  type PaymentIntent,
  type PaymentMethod,
} from './objects.ts'
import {
  createCardPaymentMethod,
  type PresentedPaymentMethod,
  paymentMethodData,
  resolvePaymentMethod,
  savePaymentMethod,
} from './paymentMethods.ts'
import {
  addDocUrl,
  failCard,
  failInvalidParameter,
  failInvalidState,
  failMissingParameter,
  failMissingReference,
  failUnsupported,
  findObject,
  type StripeError,
} from './refusals.ts'
import { type Authentication, type Call, getUnixSeconds } from './state.ts'

const CURRENCIES = ['eur', 'cad', 'usd', 'gbp', 'chf', 'gnf', 'xof'] as const
const SMALLEST_CHARGE: Partial<Record<string, number>> = {
  eur: 50,
  cad: 50,
  usd: 50,
  gbp: 30,
  chf: 50,
  // Equivalent of 0.50 EUR. The product never charges in GNF.
  gnf: 5000,
}
const LARGEST_AMOUNT = 99_999_999

export function createPaymentIntent(call: Call, form: p.Form): PaymentIntent {
  const params = p.parseParameters(form, {
    amount: p.required(p.integer(1)),
    currency: p.required(p.enumValue(...CURRENCIES)),
    metadata: p.metadata,
    description: p.text(1000),
    allowed_payment_method_types: p.textList,
    capture_method: p.enumValue('automatic', 'automatic_async'),
    ...forCustomer,
  })
  const { amount, currency, capture_method: captures, allowed_payment_method_types: allowed } = params
  const { customer, setup_future_usage: usage } = params
  if (allowed.some((type) => type !== 'card'))
    return failUnsupported('parameter allowed_payment_method_types')
  checkAmount(amount, currency)
  if (customer !== undefined && !call.state.customers.has(customer))
    return failMissingReference('customer', customer, 'customer')

  const intent = buildPaymentIntent(getUnixSeconds(call.clock), amount, currency)
  if (allowed.length > 0) intent.allowed_payment_method_types = allowed
  if (captures) intent.capture_method = captures
  intent.customer = customer ?? null
  intent.description = params.description || null
  intent.metadata = p.mergeMetadata({}, params.metadata)
  intent.payment_method_options = mergePaymentOptions(params, null)
  intent.setup_future_usage = usage ?? null
  call.state.paymentIntents.set(intent.id, intent)
  call.emit('payment_intent.created', intent)
  return intent
}

/** With a publishable key, the client secret is required. */
export function retrievePaymentIntent(call: Call, form: p.Form, id: string): PaymentIntent {
  const params = p.parseParameters(form, { client_secret: p.text() })
  return findAccessibleIntent(call, id, params.client_secret)
}

export function updatePaymentIntent(call: Call, form: p.Form, id: string): PaymentIntent {
  const params = p.parseParameters(form, {
    amount: p.integer(1),
    metadata: p.metadata,
    ...forCustomer,
  })
  const intent = findIntent(call, id)
  const { amount } = params
  if (amount !== undefined) {
    if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_action')
      return failUnexpectedState(
        call,
        intent,
        `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}. You may only update the amount of a PaymentIntent with one of the following statuses: requires_payment_method, requires_confirmation, requires_action.`,
      )
    checkAmount(amount, intent.currency)
    intent.amount = amount
  }
  const { customer, setup_future_usage: usage } = params
  if (customer !== undefined && !call.state.customers.has(customer))
    return failMissingReference('customer', customer, 'customer')
  if (customer !== undefined && intent.customer !== null && intent.customer !== customer)
    return failInvalidParameter(
      'You cannot modify `customer` on a PaymentIntent once it already has been set. To fulfill a payment with a different Customer, cancel this PaymentIntent and create a new one.',
    )
  const isOver = intent.status === 'succeeded' || intent.status === 'canceled'
  if (isOver && (customer ?? usage ?? params.payment_method_options) !== undefined)
    return failUnexpectedState(
      call,
      intent,
      `This PaymentIntent could not be updated because it has a status of ${intent.status}.`,
    )
  intent.customer = customer ?? intent.customer
  intent.setup_future_usage = usage ?? intent.setup_future_usage
  intent.payment_method_options = mergePaymentOptions(params, intent.payment_method_options)
  intent.metadata = p.mergeMetadata(intent.metadata, params.metadata)
  return intent
}

export function cancelPaymentIntent(call: Call, id: string): PaymentIntent {
  const intent = findIntent(call, id)
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing')
    return failUnexpectedState(
      call,
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.`,
    )
  intent.status = 'canceled'
  intent.canceled_at = getUnixSeconds(call.clock)
  intent.next_action = null
  call.emit('payment_intent.canceled', intent)
  return intent
}

/** Called by a server or by the card frame. */
export function confirmPaymentIntent(call: Call, form: p.Form, id: string): PaymentIntent {
  const params = p.parseParameters(form, {
    client_secret: p.text(),
    payment_method: p.text(),
    payment_method_data: paymentMethodData,
    payment_method_options: p.group({ card: p.group({ cvc_token: p.text() }) }),
    setup_future_usage: futureUsage,
    return_url: p.text(),
    use_stripe_sdk: p.boolean,
    expected_payment_method_type: p.ignored,
  })
  const intent = findAccessibleIntent(call, id, params.client_secret)
  const { payment_method: methodId, payment_method_data: data, return_url: returnUrl } = params
  if (intent.status === 'succeeded')
    return failUnexpectedState(
      call,
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    )
  if (intent.status === 'canceled' || intent.status === 'processing')
    return failUnexpectedState(
      call,
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action, requires_payment_method.`,
    )
  if (returnUrl !== undefined && !URL.canParse(returnUrl))
    return failInvalidParameter('Not a valid URL', 'return_url', 'url_invalid')
  if (methodId === undefined && data === undefined)
    return failUnexpectedState(
      call,
      intent,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.",
    )
  const presented = data
    ? createCardPaymentMethod(call, data)
    : resolvePaymentMethod(call, methodId ?? '', intent)
  if (presented.paymentMethod.customer !== null)
    redeemSecurityCode(call, intent, params.payment_method_options?.card?.cvc_token)
  intent.setup_future_usage = params.setup_future_usage ?? intent.setup_future_usage
  attempt(call, intent, presented, returnUrl ?? null, params.use_stripe_sdk ?? false)
  if (intent.last_payment_error)
    return failCard({ ...intent.last_payment_error, payment_intent: copyVisibleFields(call, intent) })
  return intent
}

/** A challenge of an intent that was canceled or confirmed again has no effect. */
export function answerAuthentication(
  call: Call,
  { id, paymentIntent, paymentMethod, afterwards }: Authentication,
  passed: boolean,
): void {
  const intent = call.state.paymentIntents.get(paymentIntent)
  const method = call.state.paymentMethods.get(paymentMethod)
  if (!intent || !method || findPendingAuthentication(call, intent)?.id !== id) return
  intent.next_action = null
  if (passed) charge(call, intent, method, afterwards)
  else
    failIntent(
      call,
      intent,
      addDocUrl({
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message:
          'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
        payment_method: structuredClone(method),
      }),
    )
}

/** Older challenges are void. */
export const findPendingAuthentication = (
  { state }: Call,
  intent: PaymentIntent,
): Authentication | undefined =>
  intent.status === 'requires_action'
    ? [...state.authentications.values()].findLast(({ paymentIntent }) => paymentIntent === intent.id)
    : undefined

/** The test card determines the outcome. */
export function finishProcessing(call: Call, id: string): void {
  const intent = call.state.paymentIntents.get(id)
  const pending = call.state.processing.get(id)
  const method = call.state.paymentMethods.get(pending?.paymentMethod ?? '')
  if (!intent || !pending || !method) return
  call.state.processing.delete(id)
  settle(call, intent, method, pending.outcome)
}

export function copyVisibleFields(call: Call, intent: PaymentIntent): Partial<PaymentIntent> {
  if (!call.publishable) return structuredClone(intent)
  const { amount_received, customer, latest_charge, metadata: _, ...visible } = intent
  return structuredClone(visible)
}

function attempt(
  call: Call,
  intent: PaymentIntent,
  { paymentMethod, outcome }: PresentedPaymentMethod,
  returnUrl: string | null,
  stripeJs: boolean,
): void {
  call.state.paymentMethods.set(paymentMethod.id, paymentMethod)
  intent.last_payment_error = null
  intent.payment_method = paymentMethod.id
  if (outcome.kind !== 'authenticates') {
    charge(call, intent, paymentMethod, outcome)
    return
  }
  const authentication: Authentication = {
    id: createId('src'),
    paymentIntent: intent.id,
    paymentMethod: paymentMethod.id,
    afterwards: outcome.afterwards,
    returnUrl,
  }
  call.state.authentications.set(authentication.id, authentication)
  const url = `${call.publicOrigin}/sandbox/stripe/3ds?source=${authentication.id}`
  intent.status = 'requires_action'
  intent.next_action = stripeJs
    ? {
        type: 'use_stripe_sdk',
        use_stripe_sdk: { type: 'three_d_secure_redirect', source: authentication.id, stripe_js: url },
      }
    : { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } }
  call.emit('payment_intent.requires_action', intent)
}

function charge(call: Call, intent: PaymentIntent, paymentMethod: PaymentMethod, outcome: CardOutcome): void {
  if (!call.networksAreSlow) {
    settle(call, intent, paymentMethod, outcome)
    return
  }
  intent.status = 'processing'
  call.state.processing.set(intent.id, { paymentMethod: paymentMethod.id, outcome })
  call.emit('payment_intent.processing', intent)
}

/** Off-session. If the issuer requires 3-D Secure, the bank's page leads to `returnUrl`. */
export function chargeSavedCard(
  call: Call,
  intent: PaymentIntent,
  paymentMethod: PaymentMethod,
  outcome: CardOutcome,
  returnUrl: string,
): void {
  // The networks answer at once when no cardholder waits.
  attempt({ ...call, networksAreSlow: false }, intent, { paymentMethod, outcome }, returnUrl, false)
}

function settle(call: Call, intent: PaymentIntent, paymentMethod: PaymentMethod, outcome: CardOutcome): void {
  const decline = outcome.kind === 'declines' ? outcome : null
  const newCharge = buildCharge(getUnixSeconds(call.clock), intent, paymentMethod, decline)
  if (newCharge.paid) newCharge.balance_transaction = recordBalanceChange(call, 'charge', newCharge).id
  call.state.charges.set(newCharge.id, newCharge)
  intent.latest_charge = newCharge.id
  call.emit(newCharge.paid ? 'charge.succeeded' : 'charge.failed', newCharge)
  if (outcome.kind !== 'declines') {
    if (outcome.kind === 'succeeds' && outcome.refunds)
      call.state.slowRefunds.set(newCharge.id, outcome.refunds)
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    if (intent.setup_future_usage !== null && intent.customer !== null && paymentMethod.customer === null)
      savePaymentMethod(call, intent.customer, {
        paymentMethod,
        outcome: getLaterOutcome(call, intent, outcome),
      })
    call.emit('payment_intent.succeeded', intent)
    if (outcome.kind === 'succeeds' && outcome.sequel) SEQUELS[outcome.sequel](call, newCharge)
    return
  }
  const error: StripeError = addDocUrl({
    type: 'card_error',
    code: outcome.code,
    ...(outcome.code === 'card_declined' && { decline_code: outcome.declineCode }),
    message: outcome.message,
    ...(outcome.code === 'incorrect_cvc' && { param: 'cvc' }),
    ...(outcome.code === 'expired_card' && { param: 'exp_month' }),
    charge: newCharge.id,
    payment_method: structuredClone(paymentMethod),
  })
  failIntent(call, intent, error)
}

/** A bank that requires authentication requires it each time. */
export function getLaterOutcome({ state }: Call, intent: PaymentIntent, outcome: CardOutcome): CardOutcome {
  const wasAsked = [...state.authentications.values()].some(
    ({ paymentIntent, paymentMethod }) =>
      paymentIntent === intent.id && paymentMethod === intent.payment_method,
  )
  return wasAsked ? { kind: 'authenticates', afterwards: outcome } : outcome
}

/** Consumes the token. */
function redeemSecurityCode({ state }: Call, intent: PaymentIntent, id: string | undefined): void {
  if (id === undefined && !intent.payment_method_options?.card.require_cvc_recollection) return
  const param = 'payment_method_options[card][cvc_token]'
  const wanted = id ?? failMissingParameter(param)
  const token = state.tokens.get(wanted) ?? failMissingReference('token', wanted, param)
  if (token.used)
    failInvalidParameter(
      `You cannot use a Stripe token more than once: ${id}.`,
      undefined,
      'token_already_used',
    )
  token.used = true
}

function failIntent(call: Call, intent: PaymentIntent, error: StripeError) {
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.last_payment_error = error
  call.emit('payment_intent.payment_failed', intent)
}

const SEQUELS: Record<ChargeConsequence, (call: Call, charge: Charge) => unknown> = {
  dispute: (call, charge) => openDispute(call, charge),
  inquiry: (call, charge) => openDispute(call, charge, { isInquiry: true }),
  warning: createFraudWarning,
  review: openReview,
}

const futureUsage = p.enumValue('on_session', 'off_session')

const forCustomer = {
  customer: p.text(),
  setup_future_usage: futureUsage,
  payment_method_options: p.group({
    card: p.group({
      require_cvc_recollection: p.boolean,
      // The test card determines whether authentication is required.
      request_three_d_secure: p.enumValue('any', 'automatic', 'challenge'),
    }),
  }),
}

type ForCustomer = p.Parameters<typeof forCustomer>

/** Options that are left out do not change. */
function mergePaymentOptions(
  { payment_method_options: options }: ForCustomer,
  before: PaymentIntent['payment_method_options'],
): PaymentIntent['payment_method_options'] {
  const changes = Object.entries(options?.card ?? {}).filter(([, value]) => value !== undefined)
  return changes.length === 0 ? before : { card: { ...before?.card, ...Object.fromEntries(changes) } }
}

function checkAmount(amount: number, currency: string): void {
  if (amount > LARGEST_AMOUNT)
    failInvalidParameter(`Amount must be no more than ${LARGEST_AMOUNT}`, 'amount', 'amount_too_large')
  const smallest = SMALLEST_CHARGE[currency] ?? 1
  if (amount < smallest)
    failInvalidParameter(`Amount must be at least ${smallest}`, 'amount', 'amount_too_small')
}

const findIntent = ({ state }: Call, id: string) => findObject(state.paymentIntents, 'payment_intent', id)

function findAccessibleIntent(call: Call, id: string, clientSecret: string | undefined): PaymentIntent {
  if (call.publishable && !clientSecret) return failMissingParameter('client_secret')
  const intent = findIntent(call, id)
  if (clientSecret !== undefined && clientSecret !== intent.client_secret)
    return failInvalidParameter(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      'client_secret',
      'payment_intent_invalid_parameter',
    )
  return intent
}

const failUnexpectedState = (call: Call, intent: PaymentIntent, message: string): never =>
  failInvalidState({
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: copyVisibleFields(call, intent),
  })
