import { book } from './balanceTransactions.ts'
import type { Outcome, Sequel } from './cards.ts'
import { openDispute, openReview, warnOfFraud } from './disputes.ts'
import {
  boolean,
  type Form,
  group,
  ignored,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  readForm,
  required,
  text,
  texts,
} from './form.ts'
import {
  type Charge,
  newCharge,
  newId,
  newPaymentIntent,
  type PaymentIntent,
  type PaymentMethod,
} from './objects.ts'
import { fromCardDetails, fromId, type Presented, paymentMethodData, saveFor } from './paymentMethods.ts'
import {
  documented,
  fail,
  find,
  impossible,
  invalid,
  missingReference,
  ok,
  type Result,
  type StripeError,
  unsupported,
} from './result.ts'
import { type Authentication, type Call, seconds } from './state.ts'

const CURRENCIES = ['eur', 'cad', 'usd', 'gbp', 'chf', 'gnf', 'xof'] as const
const SMALLEST_CHARGE: Partial<Record<string, number>> = {
  eur: 50,
  cad: 50,
  usd: 50,
  gbp: 30,
  chf: 50,
  // Nobody is paid out in them: what 0.50 EUR is worth.
  gnf: 5000,
}
const LARGEST_AMOUNT = 99_999_999

/** `POST /v1/payment_intents` */
export function createPaymentIntent(call: Call, form: Form): Result<PaymentIntent> {
  const read = readForm(form, {
    amount: required(integer(1)),
    currency: required(oneOf(...CURRENCIES)),
    metadata,
    description: text(1000),
    automatic_payment_methods: group({
      enabled: required(boolean),
      allow_redirects: oneOf('always', 'never'),
    }),
    allowed_payment_method_types: texts,
    ...forCustomer,
    expand: ignored,
  })
  if (!read.ok) return read
  const {
    amount,
    currency,
    allowed_payment_method_types: allowed,
    automatic_payment_methods: automatic,
  } = read.value
  const { customer, setup_future_usage: usage } = read.value
  if (allowed.length > 0 && automatic)
    return invalid(
      'You may only specify one of these parameters: automatic_payment_methods, allowed_payment_method_types.',
    )
  if (allowed.some((type) => type !== 'card')) return unsupported('parameter allowed_payment_method_types')
  const amountProblem = checkAmount(amount, currency)
  if (amountProblem) return amountProblem
  if (customer !== undefined && !call.state.customers.has(customer))
    return missingReference('customer', customer, 'customer')

  const intent = newPaymentIntent(seconds(call.clock), amount, currency)
  if (allowed.length > 0) intent.allowed_payment_method_types = allowed
  else if (automatic?.enabled !== false)
    intent.automatic_payment_methods = {
      enabled: true,
      allow_redirects: automatic?.allow_redirects ?? 'always',
    }
  intent.customer = customer ?? null
  intent.description = read.value.description || null
  intent.metadata = mergeMetadata({}, read.value.metadata)
  intent.payment_method_options = optionsIn(read.value)
  intent.setup_future_usage = usage ?? null
  call.state.paymentIntents.set(intent.id, intent)
  call.emit('payment_intent.created', intent)
  return ok(intent)
}

/** `GET /v1/payment_intents/:id`; a publishable key needs the client secret. */
export function retrievePaymentIntent(call: Call, form: Form, id: string): Result<PaymentIntent> {
  const read = readForm(form, { client_secret: text(), expand: ignored, ...browserParameters })
  return read.ok ? accessible(call, id, read.value.client_secret) : read
}

/** `POST /v1/payment_intents/:id` */
export function updatePaymentIntent(call: Call, form: Form, id: string): Result<PaymentIntent> {
  const read = readForm(form, {
    amount: integer(1),
    metadata,
    ...forCustomer,
    expand: ignored,
  })
  if (!read.ok) return read
  const found = findIntent(call, id)
  if (!found.ok) return found
  const intent = found.value
  const { amount } = read.value
  if (amount !== undefined) {
    if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_action')
      return unexpectedState(
        call,
        intent,
        `This PaymentIntent's amount could not be updated because it has a status of ${intent.status}. You may only update the amount of a PaymentIntent with one of the following statuses: requires_payment_method, requires_confirmation, requires_action.`,
      )
    const problem = checkAmount(amount, intent.currency)
    if (problem) return problem
    intent.amount = amount
  }
  const { customer, setup_future_usage: usage } = read.value
  if (customer !== undefined && !call.state.customers.has(customer))
    return missingReference('customer', customer, 'customer')
  if (customer !== undefined && intent.customer !== null && intent.customer !== customer)
    return invalid(
      'You cannot modify `customer` on a PaymentIntent once it already has been set. To fulfill a payment with a different Customer, cancel this PaymentIntent and create a new one.',
    )
  const isOver = intent.status === 'succeeded' || intent.status === 'canceled'
  if (isOver && (customer ?? usage ?? read.value.payment_method_options) !== undefined)
    return unexpectedState(
      call,
      intent,
      `This PaymentIntent could not be updated because it has a status of ${intent.status}.`,
    )
  intent.customer = customer ?? intent.customer
  intent.setup_future_usage = usage ?? intent.setup_future_usage
  intent.payment_method_options = optionsIn(read.value) ?? intent.payment_method_options
  intent.metadata = mergeMetadata(intent.metadata, read.value.metadata)
  return ok(intent)
}

/** `POST /v1/payment_intents/:id/cancel` */
export function cancelPaymentIntent(call: Call, form: Form, id: string): Result<PaymentIntent> {
  const read = readForm(form, { expand: ignored })
  if (!read.ok) return read
  const found = findIntent(call, id)
  if (!found.ok) return found
  const intent = found.value
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing')
    return unexpectedState(
      call,
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action.`,
    )
  intent.status = 'canceled'
  intent.canceled_at = seconds(call.clock)
  intent.next_action = null
  call.emit('payment_intent.canceled', intent)
  return ok(intent)
}

/** `POST /v1/payment_intents/:id/confirm`, from a server or from the card frame. */
export function confirmPaymentIntent(call: Call, form: Form, id: string): Result<PaymentIntent> {
  const read = readForm(form, {
    client_secret: text(),
    payment_method: text(),
    payment_method_data: paymentMethodData,
    payment_method_options: group({ card: group({ cvc_token: text() }) }),
    setup_future_usage: futureUsage,
    return_url: text(),
    use_stripe_sdk: boolean,
    expand: ignored,
    ...browserParameters,
  })
  if (!read.ok) return read
  const found = accessible(call, id, read.value.client_secret)
  if (!found.ok) return found
  const intent = found.value
  const { payment_method: methodId, payment_method_data: data, return_url: returnUrl } = read.value
  if (intent.status === 'succeeded')
    return unexpectedState(
      call,
      intent,
      'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.',
    )
  if (intent.status === 'canceled' || intent.status === 'processing')
    return unexpectedState(
      call,
      intent,
      `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action, requires_payment_method.`,
    )
  if (returnUrl !== undefined && !URL.canParse(returnUrl))
    return invalid('Not a valid URL', { code: 'url_invalid', param: 'return_url' })
  if (returnUrl === undefined && intent.automatic_payment_methods?.allow_redirects === 'always')
    return invalid(
      'This PaymentIntent is configured to accept payment methods that might redirect your customer off of your page: you must provide a `return_url`, or set `automatic_payment_methods[allow_redirects]` to `never` when creating it.',
      { param: 'return_url' },
    )
  if (methodId === undefined && data === undefined)
    return unexpectedState(
      call,
      intent,
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.",
    )
  const presented = data ? fromCardDetails(call, data) : fromId(call, methodId ?? '', intent)
  if (!presented.ok) return presented
  if (presented.value.paymentMethod.customer !== null) {
    const code = takeCode(call, intent, read.value.payment_method_options?.card?.cvc_token)
    if (!code.ok) return code
  }
  intent.setup_future_usage = read.value.setup_future_usage ?? intent.setup_future_usage
  return attempt(call, intent, presented.value, returnUrl ?? null, read.value.use_stripe_sdk ?? false)
}

/**
 * The cardholder answers a 3-D Secure challenge. The intent's new state is the answer, whether it was
 * paid or not; a challenge of an intent that has moved on since changes nothing.
 */
export function answerAuthentication(
  call: Call,
  { id, paymentIntent, paymentMethod, afterwards }: Authentication,
  passed: boolean,
): void {
  const intent = call.state.paymentIntents.get(paymentIntent)
  const method = call.state.paymentMethods.get(paymentMethod)
  if (!intent || !method || pendingAuthentication(call, intent)?.id !== id) return
  intent.next_action = null
  if (passed) charge(call, intent, method, afterwards)
  else
    failIntent(
      call,
      intent,
      documented({
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
        message:
          'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
        payment_method: structuredClone(method),
      }),
    )
}

/** The challenge that an intent waits for. An older one of the same intent is void. */
export const pendingAuthentication = ({ state }: Call, intent: PaymentIntent): Authentication | undefined =>
  intent.status === 'requires_action'
    ? [...state.authentications.values()].findLast(({ paymentIntent }) => paymentIntent === intent.id)
    : undefined

/** The card networks are done with a payment that is `processing`; its card says how it ends. */
export function finishProcessing(call: Call, id: string): void {
  const intent = call.state.paymentIntents.get(id)
  const pending = call.state.processing.get(id)
  const method = call.state.paymentMethods.get(pending?.paymentMethod ?? '')
  if (!intent || !pending || !method) return
  call.state.processing.delete(id)
  settle(call, intent, method, pending.outcome)
}

/** A copy of an intent with what the caller's key gets to see of it. */
export function visibleTo(call: Call, intent: PaymentIntent): Partial<PaymentIntent> {
  if (!call.publishable) return structuredClone(intent)
  const { amount_capturable, amount_received, customer, latest_charge, metadata: _, ...visible } = intent
  return structuredClone(visible)
}

function attempt(
  call: Call,
  intent: PaymentIntent,
  { paymentMethod, outcome }: Presented,
  returnUrl: string | null,
  stripeJs: boolean,
): Result<PaymentIntent> {
  call.state.paymentMethods.set(paymentMethod.id, paymentMethod)
  intent.last_payment_error = null
  intent.payment_method = paymentMethod.id
  if (outcome.kind !== 'authenticates') return charge(call, intent, paymentMethod, outcome)

  const authentication: Authentication = {
    id: newId('src'),
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
  return ok(intent)
}

/** Sends the payment through the card networks. */
function charge(
  call: Call,
  intent: PaymentIntent,
  paymentMethod: PaymentMethod,
  outcome: Outcome,
): Result<PaymentIntent> {
  if (!call.networksAreSlow) return settle(call, intent, paymentMethod, outcome)
  intent.status = 'processing'
  call.state.processing.set(intent.id, { paymentMethod: paymentMethod.id, outcome })
  call.emit('payment_intent.processing', intent)
  return ok(intent)
}

/** Charges a saved card, with nobody there to be asked; the intent's state says how that went. */
export function chargeSavedCard(
  call: Call,
  intent: PaymentIntent,
  method: PaymentMethod,
  outcome: Outcome,
): void {
  intent.last_payment_error = null
  intent.payment_method = method.id
  settle(call, intent, method, outcome)
}

function settle(
  call: Call,
  intent: PaymentIntent,
  paymentMethod: PaymentMethod,
  outcome: Outcome,
): Result<PaymentIntent> {
  const declined = outcome.kind === 'declines' ? outcome : null
  const made = newCharge(seconds(call.clock), intent, paymentMethod, declined)
  if (made.paid) made.balance_transaction = book(call, 'charge', made).id
  call.state.charges.set(made.id, made)
  intent.latest_charge = made.id
  call.emit(made.paid ? 'charge.succeeded' : 'charge.failed', made)
  if (outcome.kind !== 'declines') {
    if (outcome.kind === 'succeeds' && outcome.refunds) call.state.slowRefunds.set(made.id, outcome.refunds)
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    if (intent.setup_future_usage !== null && intent.customer !== null && paymentMethod.customer === null)
      saveFor(call, intent.customer, { paymentMethod, outcome: saidNextTime(call, intent, outcome) })
    call.emit('payment_intent.succeeded', intent)
    if (outcome.kind === 'succeeds' && outcome.sequel) SEQUELS[outcome.sequel](call, made)
    return ok(intent)
  }
  const error: StripeError = documented({
    type: 'card_error',
    code: outcome.code,
    ...(outcome.code === 'card_declined' && { decline_code: outcome.declineCode }),
    message: outcome.message,
    ...(outcome.code === 'incorrect_cvc' && { param: 'cvc' }),
    ...(outcome.code === 'expired_card' && { param: 'exp_month' }),
    charge: made.id,
    payment_method: structuredClone(paymentMethod),
  })
  failIntent(call, intent, error)
  return fail({
    kind: 'refused',
    status: 402,
    began: true,
    error: { ...error, payment_intent: visibleTo(call, intent) },
  })
}

/** A bank that asked who was paying asks again as long as its customer is there. */
function saidNextTime({ state }: Call, intent: PaymentIntent, outcome: Outcome): Outcome {
  const wasAsked = [...state.authentications.values()].some(
    ({ paymentIntent, paymentMethod }) =>
      paymentIntent === intent.id && paymentMethod === intent.payment_method,
  )
  return wasAsked ? { kind: 'authenticates', afterwards: outcome } : outcome
}

/** A saved card of a payment that wants its security code again comes with a token of the code, which is good once. */
function takeCode({ state }: Call, intent: PaymentIntent, id: string | undefined): Result<null> {
  if (id === undefined && !intent.payment_method_options?.card.require_cvc_recollection) return ok(null)
  if (id === undefined)
    return invalid('Missing required param: payment_method_options[card][cvc_token].', {
      code: 'parameter_missing',
      param: 'payment_method_options[card][cvc_token]',
    })
  const token = state.tokens.get(id)
  if (!token) return missingReference('token', id, 'payment_method_options[card][cvc_token]')
  if (token.used)
    return invalid(`You cannot use a Stripe token more than once: ${id}.`, { code: 'token_already_used' })
  token.used = true
  return ok(null)
}

function failIntent(call: Call, intent: PaymentIntent, error: StripeError) {
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.last_payment_error = error
  call.emit('payment_intent.payment_failed', intent)
}

const SEQUELS: Record<Sequel, (call: Call, charge: Charge) => unknown> = {
  dispute: (call, charge) => openDispute(call, charge),
  inquiry: (call, charge) => openDispute(call, charge, { isInquiry: true }),
  warning: warnOfFraud,
  review: openReview,
}

const futureUsage = oneOf('on_session', 'off_session')

const forCustomer = {
  customer: text(),
  setup_future_usage: futureUsage,
  payment_method_options: group({ card: group({ require_cvc_recollection: boolean }) }),
}

type ForCustomer = Extract<ReturnType<typeof readForm<typeof forCustomer>>, { ok: true }>['value']

function optionsIn({
  payment_method_options: options,
}: ForCustomer): PaymentIntent['payment_method_options'] {
  const asked = options?.card?.require_cvc_recollection
  return asked === undefined ? null : { card: { require_cvc_recollection: asked } }
}

/** What Stripe.js adds to its calls. */
const browserParameters = { key: ignored, expected_payment_method_type: ignored, is_stripe_sdk: ignored }

function checkAmount(amount: number, currency: string) {
  if (amount > LARGEST_AMOUNT)
    return invalid(`Amount must be no more than ${LARGEST_AMOUNT}`, {
      code: 'amount_too_large',
      param: 'amount',
    })
  const smallest = SMALLEST_CHARGE[currency] ?? 1
  if (amount < smallest)
    return invalid(`Amount must be at least ${smallest}`, {
      code: 'amount_too_small',
      param: 'amount',
    })
  return null
}

const findIntent = ({ state }: Call, id: string) => find(state.paymentIntents, 'payment_intent', id)

function accessible(call: Call, id: string, clientSecret: string | undefined): Result<PaymentIntent> {
  if (call.publishable && !clientSecret)
    return invalid('Missing required param: client_secret.', {
      code: 'parameter_missing',
      param: 'client_secret',
    })
  const found = findIntent(call, id)
  if (!found.ok) return found
  if (clientSecret !== undefined && clientSecret !== found.value.client_secret)
    return invalid(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      { code: 'payment_intent_invalid_parameter', param: 'client_secret' },
    )
  return found
}

function unexpectedState(call: Call, intent: PaymentIntent, message: string) {
  return impossible({
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: visibleTo(call, intent),
  })
}
