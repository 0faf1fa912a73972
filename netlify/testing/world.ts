import type { DocumentData } from 'firebase-admin/firestore'
import { Hono } from 'hono'
import { importJWK, SignJWT } from 'jose'
import { fetchForNode, serveInMemory } from 'service-emulators/memory'
import { serve } from 'service-emulators/serve'
import { expect } from 'vitest'
import { API, type FunctionName, type TransferPaymentRequest } from '../../domain/api.ts'
import { readRefusal } from '../../domain/refusals.ts'
import type { Schema } from '../../domain/schema.ts'
import type { Subscription } from '../../domain/schemas/profile.ts'
import { visitorOf } from '../../sandbox/functions.ts'
import { createSandbox, SANDBOX_PROJECT, type SandboxOptions } from '../../sandbox/sandbox.ts'
import { createPayoutContext } from '../server/payouts/createContext.ts'
import type { PayoutContext } from '../server/payouts/payoutContext.ts'
import { createPayouts } from '../server/payouts/payouts.ts'
import type { Provider } from '../server/payouts/providers/provider.ts'
import { createProviders } from '../server/payouts/providers/providers.ts'
import type { Caller } from '../server/platform/caller.ts'
import type { LogEntry } from '../server/platform/log.ts'
import { pathOf, type RegisteredName } from '../server/platform/registry.ts'
import { readSettings } from '../server/platform/settings.ts'
import { checkDeliveries, checkQuietDeliveries } from './deliveryInvariants.ts'
import { functionModule, functionNames } from './functions.ts'
import { checkAlways, checkQuiet, type ProviderRequest, type Records } from './invariants.ts'
import { createProvider, type TakenPayout, takenByMtn } from './payouts.ts'
import { withoutRetryDelays } from './withoutRetryDelays.ts'

export const START = Date.UTC(2026, 10, 20, 12)

/** What the invariants read; the attempts to pay an invoice apart from those to transfer. */
const COLLECTIONS: Readonly<Record<keyof Records, true>> = {
  attempts: true,
  invoiceAttempts: true,
  capUses: true,
  ledgers: true,
  refunds: true,
  transactions: true,
  users: true,
  invoices: true,
  invoiceClaims: true,
  invoicePayments: true,
  deliveries: true,
  restrictions: true,
}

const MOVES_MONEY: ReadonlySet<string> = new Set(['/v1/payment_intents', '/v1/refunds'])

interface Interruption {
  inRequests: number
  readonly happens: () => Promise<unknown>
}

export interface Called {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** The answer, once the browser would have read it as the contract has it. */
async function answered(name: RegisteredName, response: Response): Promise<Called> {
  const { status } = response
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok) {
    const { code, details } = readRefusal(body.code, body.details)
    // That a number has no account is a 404, and no refusal.
    expect(code).toBe(body.code ?? '')
    if (Object.keys(details).length > 0) expect(details).toEqual(body.details)
  } else if (isInContract(name)) {
    const read: Schema<object> = API[name].response
    expect(read(body)).toEqual(body)
  }
  return { status, body }
}

const isInContract = (name: string): name is FunctionName => name in API

interface WorldOptions extends Pick<SandboxOptions, 'deployed' | 'projectId'> {
  /** The world whose account at the provider, and whose clock, this one uses too. */
  readonly beside?: { readonly origin: string; now(): number }
  /** The pages of the app, for who looks at them. */
  readonly site?: Hono
  /** Real connections instead of calls in memory, for what is about them. */
  readonly sockets?: boolean
}

/** The functions, run by the official SDKs against a sandbox of their own, with a clock that a test moves. */
export async function createWorld({ site, beside, sockets = false, ...options }: WorldOptions = {}) {
  const { projectId = SANDBOX_PROJECT } = options
  let time = START
  let webhooks = false
  let origin = ''
  let people = 0
  const phones = new Map<string, string>()
  let address: string | null = null
  const clock = { now: () => beside?.now() ?? time }
  const sandbox = createSandbox({
    origin: () => origin,
    functionsOrigin: () => (webhooks ? origin : null),
    clock,
    ...options,
  })
  const requests: string[] = []
  const providerRequests: ProviderRequest[] = []
  let interruption: Interruption | null = null
  const app = new Hono()
  app.use(async (c, next) => {
    const { method, path } = c.req
    requests.push(`${method} ${path}`)
    if (method === 'POST' && MOVES_MONEY.has(path))
      providerRequests.push({
        path,
        body: await c.req.text(),
        key: c.req.header('idempotency-key') ?? null,
      })
    if (interruption && path.startsWith('/v1/')) {
      interruption.inRequests -= 1
      if (interruption.inRequests === 0) await interrupt(interruption)
    }
    return next()
  })
  for (const name of functionNames)
    app.all(pathOf(name), (c) =>
      functionModule(name).respond(
        c.req.raw,
        () => context,
        address === null ? visitorOf(c) : { ip: address },
      ),
    )
  app.route('/', sandbox.app)
  if (site) app.route('/', site)
  const server = sockets ? await serve(app.fetch) : serveInMemory(app.fetch)
  origin = server.origin

  const logged: LogEntry[] = []
  const settings = { ...sandbox.functionSettings(), ...(beside && { STRIPE_API_BASE: beside.origin }) }
  const payouts = createProvider()
  const providers: Provider[] = []
  const made = createPayoutContext(readSettings(settings), {
    now: clock.now,
    // How long something takes on this machine says nothing of the time that a sweep has.
    elapsed: () => 0,
    log: (entry) => logged.push(entry),
    ...(!sockets && { fetch: fetchForNode }),
  })
  // Devices are told by the side of everything else, and would come between the requests that a test counts.
  const context: PayoutContext & { push: PayoutContext['push']; payouts: PayoutContext['payouts'] } = {
    ...made,
    ...{ providers, push: null, payouts: null },
  }
  withoutRetryDelays(context)
  const { db, stripe } = context
  const key = await importJWK(sandbox.auth.dump().key.privateJwk, 'RS256')

  /** Something else happens while a request waits; it can't end when it needs what that request holds. */
  async function interrupt({ happens }: Interruption) {
    interruption = null
    let isOver = false
    const finish = () => {
      isOver = true
    }
    happens().then(finish, finish)
    while (!isOver && sandbox.firestore.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))
  }

  const world = {
    context,
    sandbox,
    logged,
    /** What the provider of `payOutBy` does and has done. */
    payouts,
    /** Who pays transfers out from now on, in the place of who did. */
    payOutBy(...named: readonly Provider[]) {
      providers.splice(0, providers.length, ...named)
      context.payouts = named.length > 0 ? createPayouts(context) : null
    },
    /** From now on devices are told with the app closed. */
    offerPush() {
      context.push = made.push
    },
    /** Pays out as a deployment does, by MTN and by hand; MTN is the sandbox's. */
    payOutAsDeployed() {
      // Callbacks come when a test makes them come.
      const own = { DELIVERY_PROVIDERS: 'mtn,byHand', MTN_CALLBACK_URL: '' }
      const { deliveries } = readSettings({ ...settings, ...own })
      const reach = { now: clock.now, fetch: sockets ? fetch : fetchForNode }
      world.payOutBy(...createProviders(deliveries, reach))
    },
    /** What providers have taken, the one of the sandbox and that of `payouts`. */
    takenPayouts: (): readonly TakenPayout[] => [
      ...payouts.taken(),
      ...sandbox.mtn.transfers().map(takenByMtn),
    ],
    /** Warnings and open reviews that Stripe has, by PaymentIntent. */
    doubts(): ReadonlyMap<string, readonly string[]> {
      const all = [
        ...sandbox.stripe.fraudWarnings(),
        ...sandbox.stripe.reviews().filter((review) => review.open),
      ]
      const ids = Map.groupBy(all, (one) => one.payment_intent)
      return new Map([...ids].map(([of, doubts]) => [of, doubts.map(({ id }) => id)]))
    },
    /** The requests that move money, in the order in which they came. */
    providerRequests,
    /** Method and path of every request to the functions and to the hosted services. */
    requests,
    origin,
    now: clock.now,
    /** Moves the clock on, or back. */
    pass(ms: number) {
      time += ms
    },
    setTime(ms: number) {
      time = ms
    },
    /** Lets calls come from another address than that of their connection. */
    comeFrom(ip: string) {
      address = ip
    },
    deliverWebhooks(on: boolean) {
      webhooks = on
    },

    /** An ID token, signed as the sign-in service signs them. */
    token(uid: string, { provider = 'phone', claims = {}, issuedAt = clock.now() } = {}): Promise<string> {
      const seconds = Math.floor(issuedAt / 1000)
      const token = {
        iss: `https://securetoken.google.com/${projectId}`,
        aud: projectId,
        sub: uid,
        user_id: uid,
        ...(phones.has(uid) && { phone_number: phones.get(uid) }),
        auth_time: seconds,
        iat: seconds,
        exp: seconds + 3600,
        firebase: { identities: {}, sign_in_provider: provider },
        ...claims,
      }
      const { kid } = sandbox.auth.dump().key
      return new SignJWT(token).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(key)
    },

    /**
     * A call of the handler as its host makes it, in a process of its own if `as` is another context. With GET the body's
     * fields stand in the address.
     */
    async invoke(
      name: RegisteredName,
      body: Readonly<Record<string, unknown>>,
      {
        token,
        as = context,
        method = 'POST',
      }: { token?: string; as?: PayoutContext; method?: 'GET' | 'POST' } = {},
    ): Promise<Called> {
      const address = `${origin}/.netlify/functions/${name}`
      const headers = {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      }
      const request =
        method === 'POST'
          ? new Request(address, { method, headers, body: JSON.stringify(body) })
          : new Request(`${address}?${new URLSearchParams(body as Record<string, string>)}`, { headers })
      const response = await functionModule(name).respond(request, () => as, { ip: '192.0.2.1' })
      return answered(name, response)
    },

    /** While the `inRequests`th request from now to a hosted service waits for its answer, something else happens. */
    async interrupted(inRequests: number, work: () => Promise<unknown>, happens: () => Promise<unknown>) {
      let other: Promise<unknown> | undefined
      const start = () => (other ??= happens())
      interruption = { inRequests, happens: start }
      try {
        await work()
      } finally {
        interruption = null
        await start()
      }
    },

    async ask(name: RegisteredName, query: Record<string, string>, token?: string): Promise<Called> {
      const address = `${origin}/.netlify/functions/${name}?${new URLSearchParams(query)}`
      const headers = token ? { authorization: `Bearer ${token}` } : {}
      const response = await fetch(address, { headers })
      expect(response.headers.get('cache-control')).toBe('no-store')
      return answered(name, response)
    },

    async call(name: RegisteredName, body: unknown, token?: string): Promise<Called> {
      const response = await fetch(`${origin}/.netlify/functions/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      expect(response.headers.get('cache-control')).toBe('no-store')
      return answered(name, response)
    },

    /** An account with its profile, as they are after a sign-up by phone, with a number of their own or with that of `former`. */
    async person(subscription: Partial<Subscription> = {}, former?: string): Promise<string> {
      people += 1
      const uid = `person-${people}`
      const empty = { tier: null, status: null, transactionsLeft: null, startDate: null, lastReset: null }
      const dates = Object.fromEntries(
        (['startDate', 'lastReset', 'cancelAt'] as const).flatMap((field) => {
          const at = subscription[field]
          return typeof at === 'number' ? [[field, new Date(at)]] : []
        }),
      )
      const phoneNumber = phones.get(former ?? '') ?? `+3361${String(people).padStart(7, '0')}`
      phones.set(uid, phoneNumber)
      sandbox.auth.add({ localId: uid, phoneNumber })
      await db.doc(`users/${uid}`).set({
        email: `${uid}@example.com`,
        name: 'Ada',
        phone: null,
        createdAt: new Date(clock.now()),
        madeWith: 'phone',
        verifiedAddress: null,
        subscription: { ...empty, stripeSubscriptionId: null, cancelAt: null, ...subscription, ...dates },
      })
      return uid
    },

    /** What their tokens prove of those that `person` made. */
    callerOf: (uid: string): Caller => ({ uid, phone: phones.get(uid) }),

    /** What the browser does with the client secret: pays with one of the published test cards. */
    pay: (paymentIntentId: string, card = 'pm_card_visa') =>
      stripe.paymentIntents
        .confirm(paymentIntentId, { payment_method: card, return_url: `${origin}/payment-complete` })
        .catch((error: { code?: string }) => error.code),

    /**
     * What a person does on the provider's checkout page. Answers where it leads: back to the app with the session, to
     * the bank, or nowhere when the card is refused.
     */
    async payCheckout(url: string, number = '4242424242424242'): Promise<string | null> {
      const card = new URLSearchParams({ number, expiry: '12 / 30', cvc: '123' })
      const response = await fetch(url, { method: 'POST', body: card, redirect: 'manual' })
      return response.headers.get('location')
    },

    /** An event of the provider's list, signed at `signedAt`, for the webhook; in a process of its own with `as`. */
    async deliver(
      event: object,
      { signedAt = clock.now(), secret = context.webhookSecret, as = context } = {},
    ): Promise<Called> {
      const payload = JSON.stringify(event)
      const timestamp = Math.floor(signedAt / 1000)
      return world.deliverRaw(
        payload,
        stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
        as,
      )
    },
    async deliverRaw(payload: string, signature?: string, as = context): Promise<Called> {
      const request = new Request(`${origin}/.netlify/functions/stripe-webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
        body: payload,
      })
      const response = await functionModule('stripe-webhook').respond(request, () => as, { ip: '' })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },

    /** Everything the functions have written. */
    async records(): Promise<Records> {
      const collections: Record<string, Map<string, DocumentData>> = {}
      for (const name of Object.keys(COLLECTIONS)) collections[name] = new Map()
      for (const [path, data] of Object.entries(sandbox.firestore.documents())) {
        const [collection = '', id = ''] = path.split('/')
        const isInvoice = collection === 'attempts' && data.kind === 'invoice'
        collections[isInvoice ? 'invoiceAttempts' : collection]?.set(id, data)
      }
      return collections as unknown as Records
    },

    /**
     * What must hold at every step; with `quiet`, also what must hold once nothing is under way any more.
     * Answers the records, for a test that wants to say more.
     */
    async checkInvariants({ quiet = false, requests: sent = [] as readonly ProviderRequest[] } = {}) {
      const records = await world.records()
      checkAlways(records, sandbox.stripe, sent)
      checkDeliveries(records, sandbox.stripe, world.takenPayouts(), providers.length > 0)
      if (quiet) {
        checkQuiet(records, sandbox.stripe)
        checkQuietDeliveries(records)
      }
      expect(sandbox.unknownCalls).toEqual([])
      return records
    },

    reset() {
      sandbox.reset()
      payouts.reset()
      world.payOutBy()
      context.push = null
      logged.length = 0
      requests.length = 0
      providerRequests.length = 0
      interruption = null
      time = START
      webhooks = false
      address = null
    },
    async close() {
      await db.terminate()
      await server.close()
    },
  }
  return world
}

export type World = Awaited<ReturnType<typeof createWorld>>

let numbers = 0

/** A request that keeps every rule: 100 EUR to another number in Guinea each time, without a plan, for a price of 3 EUR. */
export function requestOf(
  senderId: string,
  changes: Partial<TransferPaymentRequest> = {},
): TransferPaymentRequest {
  numbers += 1
  return {
    attemptId: crypto.randomUUID(),
    amount: 10_000,
    currency: 'eur',
    description: 'Transfer to +224*******00',
    senderId,
    recipientPhone: `+224 620 ${String(numbers)
      .padStart(6, '0')
      .replace(/(..)(?=.)/g, '$1 ')}`,
    receivingMethod: 'orange_money',
    couponCode: null,
    expected: { fee: 300, converted: 1_028_200 },
    again: null,
    ...changes,
  }
}
