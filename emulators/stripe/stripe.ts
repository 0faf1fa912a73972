import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Clock, Emulator, ReportUnknown } from '../emulator.ts'
import { KEPT_FAULT, type KeptFault } from '../emulator.ts'
import { listBalanceTransactions, retrieveBalanceTransaction } from './balanceTransactions.ts'
import { listCharges, retrieveCharge } from './charges.ts'
import { createSession, expireSession, finishSessions, listSessions, retrieveSession } from './checkout.ts'
import { createCheckoutPage } from './checkoutPage.ts'
import { createCustomerSession, createToken, openElementsSession, sessionOfKey } from './customerSessions.ts'
import {
  advanceTestClock,
  createCustomer,
  listCustomers,
  retrieveCustomer,
  retrieveTestClock,
} from './customers.ts'
import { closeDispute, listDisputes, openDispute, retrieveDispute, updateDispute } from './disputes.ts'
import { emptyState } from './emptyState.ts'
import { listEvents, retrieveEvent } from './events.ts'
import { type Form, parseForm, texts } from './form.ts'
import { listFraudWarnings, retrieveFraudWarning, warnOfFraud } from './fraudWarnings.ts'
import { claimKey } from './idempotency.ts'
import { listInvoicePayments } from './invoicePayments.ts'
import { expand } from './lists.ts'
import { createPages } from './pages.ts'
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  finishProcessing,
  listPaymentIntents,
  retrievePaymentIntent,
  updatePaymentIntent,
  visibleTo,
} from './paymentIntents.ts'
import {
  listPaymentMethodConfigurations,
  updatePaymentMethodConfiguration,
} from './paymentMethodConfigurations.ts'
import {
  createPaymentMethodDomain,
  listPaymentMethodDomains,
  updatePaymentMethodDomain,
} from './paymentMethodDomains.ts'
import {
  attachPaymentMethod,
  detachPaymentMethod,
  listPaymentMethods,
  retrievePaymentMethod,
  updatePaymentMethod,
} from './paymentMethods.ts'
import { listPrices, listProducts, type Plan, retrievePrice, retrieveProduct, updatePrice } from './prices.ts'
import { createRefund, decideRefunds, listRefunds, retrieveRefund } from './refunds.ts'
import { fail, ok, type Problem, type Result, type StripeError } from './result.ts'
import { approveReview, listReviews, retrieveReview } from './reviews.ts'
import { retrieveSetupIntent } from './setupIntents.ts'
import type { Answer } from './state.ts'
import {
  type AfterRetries,
  type Call,
  type Charge,
  type Customer,
  type CustomerSession,
  type Dispute,
  type EarlyFraudWarning,
  newId,
  type PaymentIntent,
  type PaymentMethod,
  type Refund,
  type Review,
  type State,
  type StripeEvent,
  type Subscription,
  seconds,
} from './state.ts'
import {
  billSubscriptions,
  cancelSubscription,
  listInvoices,
  listSubscriptions,
  payInvoice,
  retrieveInvoice,
  retrieveSubscription,
  updateSubscription,
  voidInvoice,
} from './subscriptions.ts'
import { API_VERSION, isWanted, listWebhookEndpoints, updateWebhookEndpoint } from './webhookEndpoints.ts'
import { createWebhooks, type Deliver } from './webhooks.ts'

export { cardOfPaymentMethod, TEST_CARDS } from './cards.ts'
export type { StripeEvent } from './state.ts'
export type { Signing } from './webhooks.ts'

export interface StripeDeps {
  readonly secretKey: string
  readonly publishableKey: string
  /** The monthly plans of the account. */
  readonly plans?: readonly Plan[]
  readonly webhookSecret: string
  readonly clock: Clock
  readonly reportUnknown: ReportUnknown
  /** Where browsers reach the emulator; asked at each use, because the port is known only once it listens. */
  readonly publicOrigin: () => string
  /** Where events are delivered; null as long as there is no endpoint. */
  readonly webhookUrl: () => string | null
  /** Delivers webhooks; the platform's own by default. */
  readonly fetch?: typeof globalThis.fetch
  /** What becomes of each webhook; by default it is delivered once, at once. */
  readonly deliver?: Deliver
  /** Awaited while a request is in flight: its idempotency key is held, its work is not yet done. */
  readonly whileInFlight?: (requestLine: string) => Promise<void>
}

/** A snapshot of everything, for a restart. Plain JSON. */
export type StripeDump = { [K in keyof State]: [string, State[K] extends Map<string, infer V> ? V : never][] }

export interface StripeEmulator extends Emulator {
  paymentIntents(): PaymentIntent[]
  charges(): Charge[]
  customers(): Customer[]
  /** Those that were used or saved. */
  paymentMethods(): PaymentMethod[]
  refunds(): Refund[]
  disputes(): Dispute[]
  fraudWarnings(): EarlyFraudWarning[]
  reviews(): Review[]
  events(): StripeEvent[]
  subscriptions(): Subscription[]
  /** Takes a customer's test clock on by so many days; whoever is no customer has none. */
  advance(customerId: string, days: number): void
  /** Does what the passing of time does to subscriptions and refunds; each call of the API does it too. */
  bill(): void
  /** Resolves when every webhook has been delivered or given up. */
  settled(): Promise<void>
  /** While on, every payment stays `processing` after its confirmation, until `finishProcessing`. */
  slowNetworks(isOn: boolean): void
  /** What becomes of a plan whose renewal was refused for the last time, as an operator sets it: it ends, or stays `unpaid`. */
  afterRetries(outcome: AfterRetries): void
  /** The holder of the card disputes a payment: all that was not given back, or `amount` of it. Answers the dispute's id, null when there is nothing to dispute. */
  dispute(paymentIntentId: string, amount?: number): string | null
  /** The bank of the card's holder warns that a payment may be fraud. Answers the warning's id. */
  warnOfFraud(paymentIntentId: string): string
  /** Ends the `processing` of a payment, the way its card says. */
  finishProcessing(paymentIntentId: string): void
  dump(): StripeDump
  /** Replaces everything by a snapshot. Webhooks that were still under way are sent again. */
  load(dump: StripeDump): void
}

interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: RegExp
  /** Whether a publishable key may call it. */
  readonly browser?: true
  /** Whether the frame of a page may call it, with the key of a customer session. */
  readonly session?: true
  readonly run: (call: Call, form: Form, id: string) => Result<object>
}

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: /^payment_intents$/, run: createPaymentIntent },
  { method: 'GET', path: /^payment_intents$/, run: listPaymentIntents },
  {
    method: 'GET',
    path: /^payment_intents\/(?!search$)([^/]+)$/,
    browser: true,
    run: (call, form, id) => retrievePaymentIntent(call, id, form),
  },
  {
    method: 'POST',
    path: /^payment_intents\/(?!search$)([^/]+)$/,
    run: (call, form, id) => updatePaymentIntent(call, id, form),
  },
  {
    method: 'POST',
    path: /^payment_intents\/([^/]+)\/confirm$/,
    browser: true,
    run: (call, form, id) => confirmPaymentIntent(call, id, form),
  },
  {
    method: 'POST',
    path: /^payment_intents\/([^/]+)\/cancel$/,
    run: (call, form, id) => cancelPaymentIntent(call, id, form),
  },
  {
    method: 'GET',
    path: /^payment_methods\/([^/]+)$/,
    run: (call, _, id) => retrievePaymentMethod(call, id),
  },
  { method: 'GET', path: /^payment_methods$/, run: listPaymentMethods },
  {
    method: 'POST',
    path: /^payment_methods\/([^/]+)$/,
    run: (call, form, id) => updatePaymentMethod(call, id, form),
  },
  { method: 'POST', path: /^refunds$/, run: createRefund },
  { method: 'GET', path: /^refunds$/, run: listRefunds },
  { method: 'GET', path: /^refunds\/([^/]+)$/, run: (call, _, id) => retrieveRefund(call, id) },
  { method: 'GET', path: /^balance_transactions$/, run: listBalanceTransactions },
  {
    method: 'GET',
    path: /^balance_transactions\/([^/]+)$/,
    run: (call, _, id) => retrieveBalanceTransaction(call, id),
  },
  { method: 'GET', path: /^charges$/, run: listCharges },
  { method: 'GET', path: /^charges\/(?!search$)([^/]+)$/, run: (call, _, id) => retrieveCharge(call, id) },
  { method: 'GET', path: /^disputes$/, run: listDisputes },
  { method: 'GET', path: /^disputes\/([^/]+)$/, run: (call, _, id) => retrieveDispute(call, id) },
  { method: 'POST', path: /^disputes\/([^/]+)$/, run: (call, form, id) => updateDispute(call, id, form) },
  { method: 'POST', path: /^disputes\/([^/]+)\/close$/, run: (call, _, id) => closeDispute(call, id) },
  { method: 'GET', path: /^radar\/early_fraud_warnings$/, run: listFraudWarnings },
  {
    method: 'GET',
    path: /^radar\/early_fraud_warnings\/([^/]+)$/,
    run: (call, _, id) => retrieveFraudWarning(call, id),
  },
  { method: 'GET', path: /^reviews$/, run: listReviews },
  { method: 'GET', path: /^reviews\/([^/]+)$/, run: (call, _, id) => retrieveReview(call, id) },
  {
    method: 'POST',
    path: /^reviews\/([^/]+)\/approve$/,
    run: (call, form, id) => approveReview(call, id, form),
  },
  { method: 'POST', path: /^customers$/, run: createCustomer },
  { method: 'GET', path: /^customers$/, run: listCustomers },
  {
    method: 'GET',
    path: /^customers\/(?!search$)([^/]+)$/,
    run: (call, _, id) => retrieveCustomer(call, id),
  },
  {
    method: 'POST',
    path: /^payment_methods\/([^/]+)\/attach$/,
    run: (call, form, id) => attachPaymentMethod(call, id, form),
  },
  {
    method: 'POST',
    path: /^payment_methods\/([^/]+)\/detach$/,
    session: true,
    run: (call, form, id) => detachPaymentMethod(call, id, form),
  },
  { method: 'POST', path: /^customer_sessions$/, run: createCustomerSession },
  { method: 'GET', path: /^elements\/sessions$/, browser: true, run: openElementsSession },
  { method: 'POST', path: /^tokens$/, browser: true, run: createToken },
  { method: 'GET', path: /^products$/, run: listProducts },
  { method: 'GET', path: /^products\/(?!search$)([^/]+)$/, run: (call, _, id) => retrieveProduct(call, id) },
  { method: 'GET', path: /^prices$/, run: listPrices },
  { method: 'GET', path: /^prices\/(?!search$)([^/]+)$/, run: (call, _, id) => retrievePrice(call, id) },
  { method: 'POST', path: /^prices\/([^/]+)$/, run: (call, form, id) => updatePrice(call, id, form) },
  { method: 'POST', path: /^checkout\/sessions$/, run: createSession },
  { method: 'GET', path: /^checkout\/sessions$/, run: listSessions },
  { method: 'GET', path: /^checkout\/sessions\/([^/]+)$/, run: (call, _, id) => retrieveSession(call, id) },
  {
    method: 'POST',
    path: /^checkout\/sessions\/([^/]+)\/expire$/,
    run: (call, _, id) => expireSession(call, id),
  },
  { method: 'GET', path: /^setup_intents\/([^/]+)$/, run: (call, _, id) => retrieveSetupIntent(call, id) },
  { method: 'GET', path: /^subscriptions$/, run: listSubscriptions },
  {
    method: 'GET',
    path: /^subscriptions\/(?!search$)([^/]+)$/,
    run: (call, _, id) => retrieveSubscription(call, id),
  },
  {
    method: 'POST',
    path: /^subscriptions\/([^/]+)$/,
    run: (call, form, id) => updateSubscription(call, id, form),
  },
  {
    method: 'DELETE',
    path: /^subscriptions\/([^/]+)$/,
    run: (call, form, id) => cancelSubscription(call, id, form),
  },
  { method: 'GET', path: /^invoices$/, run: listInvoices },
  { method: 'GET', path: /^invoices\/(?!search$)([^/]+)$/, run: (call, _, id) => retrieveInvoice(call, id) },
  {
    method: 'POST',
    path: /^invoices\/([^/]+)\/pay$/,
    run: (call, form, id) => payInvoice(call, id, form),
  },
  { method: 'POST', path: /^invoices\/([^/]+)\/void$/, run: (call, _, id) => voidInvoice(call, id) },
  { method: 'GET', path: /^invoice_payments$/, run: listInvoicePayments },
  {
    method: 'GET',
    path: /^test_helpers\/test_clocks\/([^/]+)$/,
    run: (call, _, id) => retrieveTestClock(call, id),
  },
  {
    method: 'POST',
    path: /^test_helpers\/test_clocks\/([^/]+)\/advance$/,
    run(call, form, id) {
      const advanced = advanceTestClock(call, id, form)
      billSubscriptions(call)
      return advanced
    },
  },
  { method: 'GET', path: /^account$/, run: () => ok({ id: 'acct_sandbox', object: 'account' }) },
  { method: 'GET', path: /^payment_method_configurations$/, run: listPaymentMethodConfigurations },
  {
    method: 'POST',
    path: /^payment_method_configurations\/([^/]+)$/,
    run: (call, form, id) => updatePaymentMethodConfiguration(call, id, form),
  },
  { method: 'GET', path: /^payment_method_domains$/, run: listPaymentMethodDomains },
  { method: 'POST', path: /^payment_method_domains$/, run: createPaymentMethodDomain },
  {
    method: 'POST',
    path: /^payment_method_domains\/([^/]+)$/,
    run: (call, form, id) => updatePaymentMethodDomain(call, id, form),
  },
  { method: 'GET', path: /^webhook_endpoints$/, run: listWebhookEndpoints },
  {
    method: 'POST',
    path: /^webhook_endpoints\/([^/]+)$/,
    run: (call, form, id) => updateWebhookEndpoint(call, id, form),
  },
  { method: 'GET', path: /^events$/, run: listEvents },
  { method: 'GET', path: /^events\/([^/]+)$/, run: (call, _, id) => retrieveEvent(call, id) },
]

/**
 * Stands in for Stripe: the API below `/v1`, signed webhooks, and the pages and scripts of Stripe.js below
 * `/sandbox/stripe`. The official `stripe` and `@stripe/stripe-js` work against it unmodified.
 */
export function createStripe(deps: StripeDeps): StripeEmulator {
  const { clock, reportUnknown } = deps
  const { plans = [] } = deps
  let state = emptyState(plans)
  let networksAreSlow = false
  let afterRetries: AfterRetries = 'cancel'
  const webhooks = createWebhooks({
    secret: deps.webhookSecret,
    clock,
    url: deps.webhookUrl,
    fetch: deps.fetch ?? ((...request) => globalThis.fetch(...request)),
    deliver: deps.deliver ?? ((_, send) => send()),
  })

  const newCall = (
    publishable: boolean,
    idempotencyKey: string | null,
    requestId: string,
    customerSession: CustomerSession | null = null,
  ): Call => ({
    state,
    clock,
    publishable,
    customerSession,
    publicOrigin: deps.publicOrigin(),
    webhookUrl: deps.webhookUrl(),
    networksAreSlow,
    afterRetries,
    emit(type, object) {
      const event: StripeEvent = {
        id: newId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: seconds(clock),
        data: { object: structuredClone(object) },
        livemode: false,
        pending_webhooks: 0,
        request: { id: requestId, idempotency_key: idempotencyKey },
        type,
      }
      state.events.set(event.id, event)
      if (isWanted(state, type)) webhooks.send(event)
    },
  })

  function letTimePass() {
    const call = newCall(false, null, newId('req'))
    finishSessions(call)
    billSubscriptions(call)
    decideRefunds(call)
  }

  async function handle(c: Context): Promise<Response> {
    const requestId = newId('req')
    const { pathname, search } = new URL(c.req.url)
    const requestLine = `${c.req.method} ${pathname}`
    const form = parseForm(c.req.method === 'POST' ? await c.req.text() : search)
    const idempotencyKey = (c.req.method === 'POST' && c.req.header('idempotency-key')) || null

    const send = ({ status, body }: Answer, more: Record<string, string> = {}) =>
      c.body(body, status as ContentfulStatusCode, {
        'content-type': 'application/json',
        'cache-control': 'no-cache, no-store',
        'request-id': requestId,
        'stripe-version': API_VERSION,
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...more,
      })
    const refuse = (problem: Problem) => {
      if (problem.kind === 'unsupported') reportUnknown('stripe', `${requestLine} ${problem.what}`.trim())
      return send(problemAnswer(problem, requestLine))
    }

    const key = presentedKey(c, form, deps, (text) => sessionOfKey({ state, clock }, text))
    if (!key.ok) return refuse(key.problem)
    const { publishable, session } = key.value
    const path = pathname.replace(/^\/v1\//, '').replace(/\/$/, '')
    const endpoint = ENDPOINTS.find((known) => known.method === c.req.method && known.path.test(path))
    if (!endpoint) return refuse({ kind: 'unsupported', what: '' })
    if ((publishable && !endpoint.browser) || (session && !endpoint.session))
      return refuse({
        kind: 'refused',
        status: 403,
        began: false,
        error: {
          type: 'invalid_request_error',
          code: 'secret_key_required',
          message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
        },
      })

    const claim = idempotencyKey
      ? claimKey(state, clock, idempotencyKey, requestLine, form, requestId)
      : ok(null)
    if (!claim.ok) return refuse(claim.problem)
    if (claim.value?.kind === 'replay')
      return send(claim.value.answer, {
        'idempotent-replayed': 'true',
        'original-request': claim.value.originalRequest,
      })

    try {
      await deps.whileInFlight?.(requestLine)
    } catch (error) {
      claim.value?.release()
      throw error
    }
    const fault: KeptFault | undefined = c.get(KEPT_FAULT)
    if (fault) {
      const error: StripeError = { type: 'api_error', message: fault.message }
      const answer = { status: fault.status, body: JSON.stringify({ error }, null, 2) }
      claim.value?.keep(answer)
      return send(answer)
    }
    letTimePass()
    const call = newCall(publishable, idempotencyKey, requestId, session)
    const id = decodeURIComponent(endpoint.path.exec(path)?.[1] ?? '')
    const result = shown(call, endpoint.run(call, form, id), form)
    if (result.ok) {
      const answer = { status: 200, body: JSON.stringify(result.value, null, 2) }
      claim.value?.keep(answer)
      return send(answer)
    }
    if (result.problem.kind === 'refused' && result.problem.began)
      claim.value?.keep(problemAnswer(result.problem, requestLine))
    else claim.value?.release()
    return refuse(result.problem)
  }

  // `/v1/projects` is Firestore's, mounted on the same origin.
  const ours = (c: Context) => !c.req.path.startsWith('/v1/projects/')
  const allowOrigins = cors({
    origin: (origin) => origin,
    exposeHeaders: ['request-id', 'idempotent-replayed'],
  })
  const app = new Hono()
  app.use('/v1/*', (c, next) => (ours(c) ? allowOrigins(c, next) : next()))
  app.use('/v1/*', (c, next) => (ours(c) ? handle(c) : next()))
  app.use('/sandbox/stripe/*', allowOrigins)
  app.route(
    '/sandbox/stripe',
    createPages(
      () => state,
      () => newCall(true, null, newId('req')),
    ),
  )
  app.route(
    '/sandbox/stripe/checkout',
    createCheckoutPage(() => newCall(false, null, newId('req'))),
  )
  app.all('/sandbox/stripe/*', (c) => {
    const problem = { kind: 'unsupported', what: '' } as const
    const requestLine = `${c.req.method} ${c.req.path}`
    reportUnknown('stripe', requestLine)
    return c.body(problemAnswer(problem, requestLine).body, 501, { 'content-type': 'application/json' })
  })

  return {
    app,
    reset() {
      webhooks.stop()
      state = emptyState(plans)
      networksAreSlow = false
      afterRetries = 'cancel'
    },
    paymentIntents: () => structuredClone([...state.paymentIntents.values()]),
    charges: () => structuredClone([...state.charges.values()]),
    customers: () => structuredClone([...state.customers.values()]),
    paymentMethods: () => structuredClone([...state.paymentMethods.values()]),
    disputes: () => structuredClone([...state.disputes.values()]),
    fraudWarnings: () => structuredClone([...state.fraudWarnings.values()]),
    reviews: () => structuredClone([...state.reviews.values()]),
    refunds: () => structuredClone([...state.refunds.values()]),
    events: () => structuredClone([...state.events.values()]),
    subscriptions: () => structuredClone([...state.subscriptions.values()]),
    advance(customerId, days) {
      const testClock = state.customers.get(customerId)?.test_clock
      if (testClock === undefined) return
      state.aheadBy.set(testClock, (state.aheadBy.get(testClock) ?? 0) + days * 86_400)
      letTimePass()
    },
    bill: letTimePass,
    settled: () => webhooks.settled(),
    slowNetworks(isOn) {
      networksAreSlow = isOn
    },

    afterRetries(outcome) {
      afterRetries = outcome
    },
    dispute(id, amount) {
      const charge = state.charges.get(state.paymentIntents.get(id)?.latest_charge ?? '')
      return charge ? openDispute(newCall(false, null, newId('req')), charge, { amount }) : null
    },

    warnOfFraud(id) {
      const charge = state.charges.get(state.paymentIntents.get(id)?.latest_charge ?? '')
      if (!charge) throw new Error(`${id} has no charge`)
      return warnOfFraud(newCall(false, null, newId('req')), charge)
    },
    finishProcessing: (id) => finishProcessing(newCall(false, null, newId('req')), id),
    dump: () => {
      const { idempotency, ...rest } = state
      const answered = [...idempotency].filter(([, record]) => record.answer !== null)
      const entries = Object.entries(rest).map(([name, map]) => [name, [...map]])
      return structuredClone({ ...Object.fromEntries(entries), idempotency: answered })
    },
    load(dump) {
      webhooks.stop()
      const maps = Object.entries(structuredClone(dump)).map(([name, entries]) => [
        name,
        new Map(entries as [string, unknown][]),
      ])
      state = { ...emptyState(plans), ...Object.fromEntries(maps) }
      for (const event of state.events.values()) if (event.pending_webhooks > 0) webhooks.send(event)
    },
  }
}

/** What the caller gets to see of an object, with ids expanded to objects where asked. */
function shown(call: Call, result: Result<object>, form: Form): Result<unknown> {
  if (!result.ok) return result
  const paths = texts(form.expand, 'expand')
  if (!paths.ok) return paths
  const object =
    'client_secret' in result.value ? visibleTo(call, result.value as PaymentIntent) : result.value
  return expand(call.state, object, paths.value)
}

function problemAnswer(problem: Problem, requestLine: string): Answer {
  if (problem.kind === 'refused')
    return { status: problem.status, body: JSON.stringify({ error: problem.error }, null, 2) }
  const error: StripeError = {
    type: 'api_error',
    message: `The sandbox does not stand in for this part of Stripe: ${requestLine} ${problem.what}`.trim(),
  }
  return { status: 501, body: JSON.stringify({ error }, null, 2) }
}

/** The API key of a request: a bearer token, a user name, or Stripe.js's `key` parameter; or the key of a customer session. */
function presentedKey(
  c: Context,
  form: Form,
  { secretKey, publishableKey }: StripeDeps,
  sessionOf: (key: string) => CustomerSession | null,
): Result<{ readonly publishable: boolean; readonly session: CustomerSession | null }> {
  const [scheme, credentials = ''] = (c.req.header('authorization') ?? '').split(' ')
  const key =
    scheme === 'Bearer'
      ? credentials
      : scheme === 'Basic'
        ? Buffer.from(credentials, 'base64').toString().split(':')[0]
        : form.key
  if (key === secretKey) return ok({ publishable: false, session: null })
  if (key === publishableKey) return ok({ publishable: true, session: null })
  const session = typeof key === 'string' ? sessionOf(key) : null
  if (session) return ok({ publishable: false, session })
  const message =
    typeof key === 'string' && key !== ''
      ? `Invalid API Key provided: ${key.slice(0, 8)}****`
      : 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.'
  return fail({
    kind: 'refused',
    status: 401,
    began: false,
    error: { type: 'invalid_request_error', message },
  })
}
