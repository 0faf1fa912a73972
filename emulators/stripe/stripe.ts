import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Clock, ReportUnknown } from '../emulator.ts'
import { STORED_FAULT_KEY, type StoredFault } from '../emulator.ts'
import { API_VERSION } from './account.ts'
import { createCheckoutSession, expireOpenCheckoutSession, settleCheckoutSessions } from './checkout.ts'
import { createCheckoutPage } from './checkoutPage.ts'
import {
  createCustomerSession,
  createToken,
  findSessionByKey,
  openElementsSession,
} from './customerSessions.ts'
import {
  advanceTestClock,
  createCustomer,
  deleteCustomer,
  retrieveCustomer,
  retrieveTestClock,
  updateCustomer,
} from './customers.ts'
import {
  approveReview,
  closeDispute,
  createFraudWarning,
  openDispute,
  returnDisputedFunds,
  updateDispute,
} from './disputes.ts'
import { type Form, parseForm, parseParameters, textList } from './form.ts'
import { findStoredResponse, storeResponse } from './idempotency.ts'
import { createInvoicePage } from './invoicePage.ts'
import {
  type CustomerSession,
  createId,
  type PaymentIntent,
  type PlanProduct,
  type StripeEvent,
} from './objects.ts'
import { createStripePages } from './pages.ts'
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  copyVisibleFields,
  createPaymentIntent,
  finishProcessing,
  retrievePaymentIntent,
  updatePaymentIntent,
} from './paymentIntents.ts'
import { attachPaymentMethod, detachPaymentMethod, updatePaymentMethod } from './paymentMethods.ts'
import { createRefund, settleSlowRefunds } from './refunds.ts'
import { failUnsupported, type StripeError, StripeRefusal, UnsupportedCall } from './refusals.ts'
import { expandObject, listObjects, retrieveObject, STRIPE_RESOURCES } from './resources.ts'
import {
  type Call,
  createEmptyStripeState,
  type FailedRenewalOutcome,
  getUnixSeconds,
  type StoredResponse,
  type StripeState,
} from './state.ts'
import {
  billSubscriptions,
  cancelCustomerSubscriptions,
  cancelSubscription,
  payInvoice,
  updateSubscription,
  voidInvoice,
} from './subscriptions.ts'
import { createWebhookSender, type DeliverWebhook, isEventEnabled, listWebhookEndpoints } from './webhooks.ts'

export { findCardByPaymentMethod, STRIPE_TEST_CARDS } from './cards.ts'
export type { StripeEvent } from './objects.ts'
export type { SignatureOverride } from './webhooks.ts'

export interface StripeOptions {
  readonly secretKey: string
  readonly publishableKey: string
  readonly plans?: readonly PlanProduct[]
  readonly webhookSecret: string
  readonly clock: Clock
  readonly reportUnknown: ReportUnknown
  /** Read at each use, because the port is known only once the emulator listens. */
  readonly publicOrigin: () => string
  readonly webhookUrl: () => string | null
  readonly deliver?: DeliverWebhook
}

export type StripeDump = {
  [K in keyof StripeState]: [string, StripeState[K] extends Map<string, infer V> ? V : never][]
}

export type StripeEmulator = ReturnType<typeof createStripeEmulator>

type Endpoint = (call: Call, form: Form, id: string) => object

function withoutParameters(run: (call: Call, id: string) => object): Endpoint {
  return (call, form, id) => {
    parseParameters(form, {})
    return run(call, id)
  }
}

/** By method and path below `/v1/`. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'POST payment_intents': createPaymentIntent,
  'GET payment_intents/:id': retrievePaymentIntent,
  'POST payment_intents/:id': updatePaymentIntent,
  'POST payment_intents/:id/confirm': confirmPaymentIntent,
  'POST payment_intents/:id/cancel': withoutParameters(cancelPaymentIntent),
  'POST payment_methods/:id': updatePaymentMethod,
  'POST payment_methods/:id/attach': attachPaymentMethod,
  'POST payment_methods/:id/detach': withoutParameters(detachPaymentMethod),
  'POST refunds': createRefund,
  'POST disputes/:id': updateDispute,
  'POST disputes/:id/close': withoutParameters(closeDispute),
  'POST reviews/:id/approve': withoutParameters(approveReview),
  'POST customers': createCustomer,
  'POST customers/:id': updateCustomer,
  'GET customers/:id': withoutParameters(retrieveCustomer),
  'DELETE customers/:id': withoutParameters((call, id) => {
    cancelCustomerSubscriptions(call, id)
    return deleteCustomer(call, id)
  }),
  'POST customer_sessions': createCustomerSession,
  'GET elements/sessions': openElementsSession,
  'POST tokens': createToken,
  'POST checkout/sessions': createCheckoutSession,
  'POST checkout/sessions/:id/expire': withoutParameters(expireOpenCheckoutSession),
  'POST subscriptions/:id': updateSubscription,
  'DELETE subscriptions/:id': withoutParameters(cancelSubscription),
  'POST invoices/:id/pay': payInvoice,
  'POST invoices/:id/void': withoutParameters(voidInvoice),
  'GET test_helpers/test_clocks/:id': withoutParameters(retrieveTestClock),
  'POST test_helpers/test_clocks/:id/advance'(call, form, id) {
    const advanced = advanceTestClock(call, form, id)
    billSubscriptions(call)
    return advanced
  },
  'GET account': withoutParameters(() => ({ id: 'acct_sandbox', object: 'account' })),
  'GET webhook_endpoints': listWebhookEndpoints,
}

const FOR_BROWSERS = new Set([
  'GET payment_intents/:id',
  'POST payment_intents/:id/confirm',
  'GET elements/sessions',
  'POST tokens',
])

const FOR_CUSTOMER_SESSIONS = new Set(['POST payment_methods/:id/detach'])

/** In seconds. Stripe returns the events of 30 days. */
const EVENTS_KEPT = 30 * 86_400

/** Null if the endpoint is not emulated, such as search. */
function findEndpoint(method: string, path: string): { name: string; id: string; run: Endpoint } | null {
  const own = ENDPOINTS[`${method} ${path}`]
  if (own) return { name: `${method} ${path}`, id: '', run: own }
  if (method === 'GET' && STRIPE_RESOURCES[path])
    return { name: `GET ${path}`, id: '', run: (call, form) => listObjects(call, path, form) }
  for (const [, before, id = '', after = ''] of [
    /^(.+)\/([^/]+)$/.exec(path) ?? [],
    /^(.+)\/([^/]+)(\/\w+)$/.exec(path) ?? [],
  ]) {
    if (id === 'search') continue
    const name = `${method} ${before}/:id${after}`
    const resource = method === 'GET' && after === '' && STRIPE_RESOURCES[before ?? '']
    const run =
      ENDPOINTS[name] ?? (resource && withoutParameters((call) => retrieveObject(call, resource, id)))
    if (run) return { name, id: decodeURIComponent(id), run }
  }
  return null
}

/** The official `stripe` and `@stripe/stripe-js` work with it unmodified. */
export function createStripeEmulator(deps: StripeOptions) {
  const { clock, reportUnknown } = deps
  const { plans = [] } = deps
  let state: StripeState = createEmptyStripeState(plans)
  let networksAreSlow = false
  let isBalanceEmpty = false
  let setFailedRenewalOutcome: FailedRenewalOutcome = 'cancel'
  const webhooks = createWebhookSender({
    secret: deps.webhookSecret,
    clock,
    url: deps.webhookUrl,
    deliver: deps.deliver ?? ((_, send) => send()),
  })

  const newCall = (
    publishable = false,
    idempotencyKey: string | null = null,
    requestId = createId('req'),
    customerSession: CustomerSession | null = null,
  ): Call => ({
    state,
    clock,
    publishable,
    customerSession,
    publicOrigin: deps.publicOrigin(),
    webhookUrl: deps.webhookUrl(),
    networksAreSlow,
    isBalanceEmpty,
    afterRetries: setFailedRenewalOutcome,
    emit(type, object) {
      const event: StripeEvent = {
        id: createId('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: getUnixSeconds(clock),
        data: { object: structuredClone(object) },
        pending_webhooks: 0,
        request: { id: requestId, idempotency_key: idempotencyKey },
        type,
      }
      state.events.set(event.id, event)
      if (isEventEnabled(state, type)) webhooks.send(event)
    },
  })

  function letTimePass() {
    const call = newCall()
    settleCheckoutSessions(call)
    billSubscriptions(call)
    settleSlowRefunds(call)
    const earliest = getUnixSeconds(clock) - EVENTS_KEPT
    // In the order of their creation.
    for (const [id, { created }] of state.events) {
      if (created >= earliest) break
      state.events.delete(id)
    }
  }

  async function handle(c: Context): Promise<Response> {
    const requestId = createId('req')
    const { pathname, search } = new URL(c.req.url)
    const requestLine = `${c.req.method} ${pathname}`
    const form = parseForm(c.req.method === 'POST' ? await c.req.text() : search)
    const idempotencyKey = (c.req.method === 'POST' && c.req.header('idempotency-key')) || null

    const send = ({ status, body }: StoredResponse, more: Record<string, string> = {}) =>
      c.body(body, status as ContentfulStatusCode, {
        'content-type': 'application/json',
        'cache-control': 'no-cache, no-store',
        'request-id': requestId,
        'stripe-version': API_VERSION,
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        ...more,
      })
    const request = { endpoint: requestLine, form, requestId }
    const sendAndKeep = (answer: StoredResponse) => {
      if (idempotencyKey) storeResponse(state, clock, idempotencyKey, request, answer)
      return send(answer)
    }

    try {
      const { publishable, session } = checkKey(c, deps, (key) => findSessionByKey({ state, clock }, key))
      const path = pathname.replace(/^\/v1\//, '').replace(/\/$/, '')
      const endpoint = findEndpoint(c.req.method, path) ?? failUnsupported('')
      if (
        (publishable && !FOR_BROWSERS.has(endpoint.name)) ||
        (session && !FOR_CUSTOMER_SESSIONS.has(endpoint.name))
      )
        throw new StripeRefusal(403, {
          type: 'invalid_request_error',
          code: 'secret_key_required',
          message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
        })
      const known = idempotencyKey ? findStoredResponse(state, clock, idempotencyKey, request) : null
      if (known)
        return send(known.answer, {
          'idempotent-replayed': 'true',
          'original-request': known.requestId,
        })
      const fault: StoredFault | undefined = c.get(STORED_FAULT_KEY)
      if (fault)
        return sendAndKeep(buildErrorResponse(fault.status, { type: 'api_error', message: fault.message }))
      letTimePass()
      const call = newCall(publishable, idempotencyKey, requestId, session)
      const response = selectResponseFields(call, endpoint.run(call, form, endpoint.id), form)
      return sendAndKeep({ status: 200, body: JSON.stringify(response, null, 2) })
    } catch (error) {
      if (error instanceof UnsupportedCall)
        return send(refuseUnsupported(`${requestLine} ${error.message}`.trim()))
      if (!(error instanceof StripeRefusal)) throw error
      const answer = buildErrorResponse(error.status, error.error)
      return error.hasBegun ? sendAndKeep(answer) : send(answer)
    }
  }

  function refuseUnsupported(what: string): StoredResponse {
    reportUnknown('stripe', what)
    const message = `The sandbox does not implement this part of Stripe: ${what}`
    return buildErrorResponse(501, { type: 'api_error', message })
  }

  // Firestore is mounted below `/v1/projects` on the same origin.
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
    createStripePages(() => newCall(true)),
  )
  app.route('/sandbox/stripe/checkout', createCheckoutPage(newCall))
  app.route('/sandbox/stripe/invoice', createInvoicePage(newCall))
  app.all('/sandbox/stripe/*', (c) => {
    const { body } = refuseUnsupported(`${c.req.method} ${c.req.path}`)
    return c.body(body, 501, { 'content-type': 'application/json' })
  })

  type Listed<K extends keyof StripeState> = StripeState[K] extends Map<string, infer T> ? T : never
  const list =
    <K extends keyof StripeState>(name: K) =>
    (): Listed<K>[] =>
      structuredClone([...state[name].values()] as Listed<K>[])

  return {
    app,
    reset() {
      webhooks.stop()
      state = createEmptyStripeState(plans)
      networksAreSlow = false
      isBalanceEmpty = false
      setFailedRenewalOutcome = 'cancel'
    },
    paymentIntents: list('paymentIntents'),
    charges: list('charges'),
    balanceTransactions: list('balanceTransactions'),
    customers: list('customers'),
    paymentMethods: list('paymentMethods'),
    disputes: list('disputes'),
    fraudWarnings: list('fraudWarnings'),
    reviews: list('reviews'),
    refunds: list('refunds'),
    events: list('events'),
    subscriptions: list('subscriptions'),
    /** Ignores an unknown customer. */
    advance(customerId: string, days: number) {
      const testClock = state.customers.get(customerId)?.test_clock
      if (testClock === undefined) return
      state.aheadBy.set(testClock, (state.aheadBy.get(testClock) ?? 0) + days * 86_400)
      letTimePass()
    },
    /** Each API call does this too. */
    runDueBilling: letTimePass,
    settled: () => webhooks.settled(),
    /** Confirmed payments stay `processing` until `finishProcessing`. */
    setSlowNetworks(isOn: boolean) {
      networksAreSlow = isOn
    },
    /** Refunds stay pending. */
    setBalanceEmpty(isOn: boolean) {
      isBalanceEmpty = isOn
    },
    /** The subscription ends, or stays `unpaid`, after the last retry of a renewal. */
    afterRetries(outcome: FailedRenewalOutcome) {
      setFailedRenewalOutcome = outcome
    },
    /** Returns the dispute's ID, or null. `amount`: the part that was not refunded by default. */
    dispute(id: string, amount?: number) {
      const charge = state.charges.get(state.paymentIntents.get(id)?.latest_charge ?? '')
      return charge ? openDispute(newCall(), charge, { amount }) : null
    },
    /** Without `amount`, all money returns, and the dispute is won. */
    returnDisputedFunds(id: string, amount?: number) {
      const dispute = state.disputes.get(id)
      if (dispute) returnDisputedFunds(newCall(), dispute, amount)
    },
    raiseFraudWarning(id: string) {
      const charge = state.charges.get(state.paymentIntents.get(id)?.latest_charge ?? '')
      if (!charge) throw new Error(`${id} has no charge`)
      return createFraudWarning(newCall(), charge)
    },
    /** As the payment's test card specifies. */
    finishProcessing: (id: string) => finishProcessing(newCall(), id),
    dump: () =>
      structuredClone(
        Object.fromEntries(Object.entries(state).map(([name, map]) => [name, [...map]])) as StripeDump,
      ),
    /** Sends pending webhooks again. */
    load(dump: StripeDump) {
      webhooks.stop()
      const maps = Object.entries(structuredClone(dump)).map(([name, entries]) => [
        name,
        new Map(entries as [string, unknown][]),
      ])
      state = Object.fromEntries(maps)
      for (const event of state.events.values()) if (event.pending_webhooks > 0) webhooks.send(event)
    },
  }
}

function selectResponseFields(call: Call, result: object, form: Form): unknown {
  const paths = textList(form.expand, 'expand')
  const object = 'client_secret' in result ? copyVisibleFields(call, result as PaymentIntent) : result
  return expandObject(call.state, object, paths)
}

const buildErrorResponse = (status: number, error: StripeError): StoredResponse => ({
  status,
  body: JSON.stringify({ error }, null, 2),
})

/** The key is sent as a bearer token or as a user name. */
function checkKey(
  c: Context,
  { secretKey, publishableKey }: StripeOptions,
  findSession: (key: string) => CustomerSession | null,
): { readonly publishable: boolean; readonly session: CustomerSession | null } {
  const [scheme, credentials = ''] = (c.req.header('authorization') ?? '').split(' ')
  const key =
    scheme === 'Basic' ? (Buffer.from(credentials, 'base64').toString().split(':')[0] ?? '') : credentials
  if (key === secretKey) return { publishable: false, session: null }
  if (key === publishableKey) return { publishable: true, session: null }
  const session = findSession(key)
  if (session) return { publishable: false, session }
  const message =
    key !== ''
      ? `Invalid API Key provided: ${key.slice(0, 8)}****`
      : 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.'
  throw new StripeRefusal(401, { type: 'invalid_request_error', message })
}
