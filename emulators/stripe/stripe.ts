import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Clock, Emulator, ReportUnknown } from '../emulator.ts'
import { KEPT_FAULT, type KeptFault } from '../emulator.ts'
import {
  API_VERSION,
  createDomain,
  isWanted,
  listWebhookEndpoints,
  updateConfiguration,
  updatePrice,
  updateWebhookEndpoint,
} from './account.ts'
import { createSession, expireSession, finishSessions } from './checkout.ts'
import { createCheckoutPage } from './checkoutPage.ts'
import { createCustomerSession, createToken, openElementsSession, sessionOfKey } from './customerSessions.ts'
import { advanceTestClock, createCustomer, retrieveTestClock } from './customers.ts'
import { approveReview, closeDispute, openDispute, updateDispute, warnOfFraud } from './disputes.ts'
import { type Form, parseForm, texts } from './form.ts'
import { claimKey } from './idempotency.ts'
import {
  type Charge,
  type Customer,
  type CustomerSession,
  type Dispute,
  type EarlyFraudWarning,
  newId,
  type PaymentIntent,
  type PaymentMethod,
  type Plan,
  type Refund,
  type Review,
  type StripeEvent,
  type Subscription,
} from './objects.ts'
import { createPages } from './pages.ts'
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  finishProcessing,
  retrievePaymentIntent,
  updatePaymentIntent,
  visibleTo,
} from './paymentIntents.ts'
import { attachPaymentMethod, detachPaymentMethod, updatePaymentMethod } from './paymentMethods.ts'
import { createRefund, decideRefunds } from './refunds.ts'
import { expand, list, RESOURCES, retrieve } from './resources.ts'
import { fail, ok, type Problem, type Result, type StripeError } from './result.ts'
import { type AfterRetries, type Answer, type Call, emptyState, type State, seconds } from './state.ts'
import {
  billSubscriptions,
  cancelSubscription,
  payInvoice,
  updateSubscription,
  voidInvoice,
} from './subscriptions.ts'
import { createWebhooks, type Deliver } from './webhooks.ts'

export { cardOfPaymentMethod, TEST_CARDS } from './cards.ts'
export type { StripeEvent } from './objects.ts'
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

type Endpoint = (call: Call, form: Form, id: string) => Result<object>

/** By method and path below `/v1/`. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'POST payment_intents': createPaymentIntent,
  'GET payment_intents/:id': retrievePaymentIntent,
  'POST payment_intents/:id': updatePaymentIntent,
  'POST payment_intents/:id/confirm': confirmPaymentIntent,
  'POST payment_intents/:id/cancel': cancelPaymentIntent,
  'POST payment_methods/:id': updatePaymentMethod,
  'POST payment_methods/:id/attach': attachPaymentMethod,
  'POST payment_methods/:id/detach': detachPaymentMethod,
  'POST refunds': createRefund,
  'POST disputes/:id': updateDispute,
  'POST disputes/:id/close': closeDispute,
  'POST reviews/:id/approve': approveReview,
  'POST customers': createCustomer,
  'POST customer_sessions': createCustomerSession,
  'GET elements/sessions': openElementsSession,
  'POST tokens': createToken,
  'POST prices/:id': updatePrice,
  'POST checkout/sessions': createSession,
  'POST checkout/sessions/:id/expire': expireSession,
  'POST subscriptions/:id': updateSubscription,
  'DELETE subscriptions/:id': cancelSubscription,
  'POST invoices/:id/pay': payInvoice,
  'POST invoices/:id/void': voidInvoice,
  'GET test_helpers/test_clocks/:id': retrieveTestClock,
  'POST test_helpers/test_clocks/:id/advance'(call, form, id) {
    const advanced = advanceTestClock(call, form, id)
    billSubscriptions(call)
    return advanced
  },
  'GET account': () => ok({ id: 'acct_sandbox', object: 'account' }),
  'POST payment_method_configurations/:id': updateConfiguration,
  'POST payment_method_domains': createDomain,
  'GET webhook_endpoints': listWebhookEndpoints,
  'POST webhook_endpoints/:id': updateWebhookEndpoint,
}

/** Endpoints that a publishable key may call. */
const FOR_BROWSERS = new Set([
  'GET payment_intents/:id',
  'POST payment_intents/:id/confirm',
  'GET elements/sessions',
  'POST tokens',
])

/** Endpoints that the frame of a page may call, with the key of a customer session. */
const FOR_CUSTOMER_SESSIONS = new Set(['POST payment_methods/:id/detach'])

/** Finds the endpoint of a call; null for one that is not emulated, such as every search. */
function findEndpoint(method: string, path: string): { name: string; id: string; run: Endpoint } | null {
  const own = ENDPOINTS[`${method} ${path}`]
  if (own) return { name: `${method} ${path}`, id: '', run: own }
  if (method === 'GET' && RESOURCES[path])
    return { name: `GET ${path}`, id: '', run: (call, form) => list(call, path, form) }
  for (const [, before, id = '', after = ''] of [
    /^(.+)\/([^/]+)$/.exec(path) ?? [],
    /^(.+)\/([^/]+)(\/\w+)$/.exec(path) ?? [],
  ]) {
    if (id === 'search') continue
    const name = `${method} ${before}/:id${after}`
    const resource = method === 'GET' && after === '' && RESOURCES[before ?? '']
    const run = ENDPOINTS[name] ?? (resource && ((call: Call) => retrieve(call, resource, id)))
    if (run) return { name, id: decodeURIComponent(id), run }
  }
  return null
}

/**
 * Stands in for Stripe: the API below `/v1`, signed webhooks, and the pages and scripts of Stripe.js below
 * `/sandbox/stripe`. The official `stripe` and `@stripe/stripe-js` work against it unmodified.
 */
export function createStripe(deps: StripeDeps): StripeEmulator {
  const { clock, reportUnknown } = deps
  const { plans = [] } = deps
  let state: State = emptyState(plans)
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
    const endpoint = findEndpoint(c.req.method, path)
    if (!endpoint) return refuse({ kind: 'unsupported', what: '' })
    if (
      (publishable && !FOR_BROWSERS.has(endpoint.name)) ||
      (session && !FOR_CUSTOMER_SESSIONS.has(endpoint.name))
    )
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
    const result = shown(call, endpoint.run(call, form, endpoint.id), form)
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
