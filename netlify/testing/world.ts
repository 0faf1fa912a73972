import type { DocumentData } from 'firebase-admin/firestore'
import { Hono } from 'hono'
import { importJWK, SignJWT } from 'jose'
import { fetchWithNodeBody, serveInMemory } from 'service-emulators/memory'
import { serve } from 'service-emulators/serve'
import * as v from 'valibot'
import { expect } from 'vitest'
import type { IdentityFile } from '../../domain/account/identity.ts'
import type { Subscription } from '../../domain/account/profileSchema.ts'
import { API, type FunctionName, type TransferPaymentRequest } from '../../domain/api/api.ts'
import { DAY } from '../../domain/common/duration.ts'
import { parseRefusal } from '../../domain/errors/refusals.ts'
import { mapSenderTexts } from '../../domain/transfers/shapes/fields.ts'
import { getVisitor } from '../../sandbox/functions.ts'
import { createSandbox, SANDBOX_PROJECT, type SandboxOptions } from '../../sandbox/sandbox.ts'
import { createCallerVerifier } from '../server/accounts/callerVerifier.ts'
import { getFunctionPath, type RegisteredFunctionName } from '../server/endpoints/registry.ts'
import { createPayoutContext } from '../server/payouts/createContext.ts'
import type { PayoutContext } from '../server/payouts/payoutContext.ts'
import { createPayouts } from '../server/payouts/payouts.ts'
import type { PayoutProvider } from '../server/payouts/providers/provider.ts'
import { createPayoutProviders } from '../server/payouts/providers/providers.ts'
import { createListFileScreening } from '../server/payouts/screening/listFile.ts'
import { readFunctionSettings } from '../server/payouts/settings.ts'
import type { Caller, VerifyCaller } from '../server/platform/caller.ts'
import { abortAfter } from '../server/platform/deadline.ts'
import type { LogEntry } from '../server/platform/log.ts'
import { checkDeliveryInvariants, checkIdleDeliveryInvariants } from './deliveryInvariants.ts'
import { functionNames, getFunctionModule, getHostLimit } from './functions.ts'
import { checkIdleInvariants, checkStepInvariants, type Records, type StripeRequest } from './invariants.ts'
import { checkJournalInvariants } from './journalInvariants.ts'
import { createNetwork } from './network.ts'
import { type AcceptedPayout, createSimulatedProvider, toAcceptedPayout } from './payouts.ts'
import { removeRetryDelays } from './removeRetryDelays.ts'
import { createSimulatedTime, type SimulatedTime } from './simulatedTime.ts'

export const WORLD_START = Date.UTC(2026, 10, 20, 12)

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
  supplierNotices: true,
  deliveries: true,
  journal: true,
  reversals: true,
  restrictions: true,
}

const LIST_PATH = 'screening/targets.simple.csv'

const MOVES_MONEY: ReadonlySet<string> = new Set(['/v1/payment_intents', '/v1/refunds'])

interface Interruption {
  inRequests: number
  readonly happens: () => Promise<unknown>
}

export interface CallResponse {
  readonly status: number
  readonly body: Record<string, unknown>
}

const ENDED: CallResponse = { status: 504, body: {} }

async function answered(name: RegisteredFunctionName, response: Response): Promise<CallResponse> {
  const { status } = response
  const body = (await response.json()) as Record<string, unknown>
  if (!response.ok) {
    const { code, details } = parseRefusal(body.code, body.details)
    // A 404 for a number without an account is not a refusal.
    expect(code).toBe(body.code ?? '')
    if (Object.keys(details).length > 0) expect(details).toEqual(body.details)
  } else if (isInContract(name)) {
    const schema: v.GenericSchema<unknown, object> = API[name].response
    expect(v.parse(schema, body)).toEqual(body)
  }
  return { status, body }
}

const isInContract = (name: string): name is FunctionName => name in API

interface WorldOptions extends Pick<SandboxOptions, 'deployed' | 'projectId' | 'cloudTasksLocation'> {
  /** Its Stripe account and clock are shared. */
  readonly peer?: {
    readonly origin: string
    readonly time: SimulatedTime
    readonly network: ReturnType<typeof createNetwork>
    now(): number
  }
  readonly site?: Hono
  readonly sockets?: boolean
}

/** Creates the functions with the official SDKs, a sandbox of their own and a clock that a test moves. */
export async function createWorld({ site, peer, sockets = false, ...options }: WorldOptions = {}) {
  const { projectId = SANDBOX_PROJECT } = options
  const time = peer?.time ?? createSimulatedTime()
  const network = peer?.network ?? createNetwork(time)
  let start = WORLD_START
  let webhooks = false
  let origin = ''
  let people = 0
  let uploads = 0
  const phones = new Map<string, string>()
  let address: string | null = null
  const clock = { now: () => peer?.now() ?? start + time.elapsed() }
  const sandbox = createSandbox({
    origin: () => origin,
    functionsOrigin: () => (webhooks ? origin : null),
    clock,
    ...options,
  })
  const requests: string[] = []
  const providerRequests: StripeRequest[] = []
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
    app.all(getFunctionPath(name), (c) =>
      getFunctionModule(name).respond(
        c.req.raw,
        () => context,
        address === null ? getVisitor(c) : { ip: address },
      ),
    )
  app.route('/', sandbox.app)
  if (site) app.route('/', site)
  const server = sockets ? await serve(app.fetch) : serveInMemory(app.fetch)
  origin = server.origin

  const logged: LogEntry[] = []
  const ended: RegisteredFunctionName[] = []
  const settings = { ...sandbox.functionSettings(), ...(peer && { STRIPE_API_BASE: peer.origin }) }
  const payouts = createSimulatedProvider()
  const providers: PayoutProvider[] = []
  const made = createPayoutContext(readFunctionSettings(settings), {
    now: clock.now,
    // Outside of `inTime`, a function takes no time, even if the test moves the clock during the call.
    elapsed: () => (time.isRunning() ? time.elapsed() : 0),
    expire: (ms) => (time.isRunning() ? abortAfter(ms) : new AbortController().signal),
    log: (entry) => logged.push(entry),
    ...(!sockets && { fetch: network.delay(fetchWithNodeBody) }),
  })
  // Checking a signature is real work in another thread.
  const verifySession: VerifyCaller = (authorization) => time.hold(made.verifySession(authorization))
  // Push is off by default, because notifications run concurrently and would come between counted requests.
  const context: PayoutContext & {
    cancellationWindow: PayoutContext['cancellationWindow']
    identityLimitCents: PayoutContext['identityLimitCents']
    walletTariffs: PayoutContext['walletTariffs']
    push: PayoutContext['push']
    screening: PayoutContext['screening']
    payouts: PayoutContext['payouts']
    startTask: PayoutContext['startTask']
    verifyTask: PayoutContext['verifyTask']
  } = {
    ...made,
    ...{ verifySession, providers, cancellationWindow: 0, push: null, screening: null, payouts: null },
  }
  removeRetryDelays(context)
  const { db, stripe } = context
  const key = await importJWK(sandbox.auth.dump().key.privateJwk, 'RS256')

  /** Ends with the step, or once the step waits for a lock that the request holds. */
  async function interrupt({ happens }: Interruption) {
    interruption = null
    let isOver = false
    const finish = () => {
      isOver = true
    }
    happens().then(finish, finish)
    while (!isOver && sandbox.firestore.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))
  }

  async function onHost(
    name: RegisteredFunctionName,
    respond: () => Promise<Response>,
  ): Promise<Response | null> {
    if (!time.isRunning()) return respond()
    const response = await network.runWithin(getHostLimit(name), respond)
    if (!response) ended.push(name)
    return response
  }

  const world = {
    context,
    sandbox,
    logged,
    payouts,
    payOutBy(...named: readonly PayoutProvider[]) {
      providers.splice(0, providers.length, ...named)
      context.payouts = named.length > 0 ? createPayouts(context) : null
    },
    /** Sets the window for canceling, in milliseconds. */
    offerCancellation(ms: number) {
      context.cancellationWindow = ms
    },
    /** In EUR cents a month. */
    requireIdentityAbove(cents: number | null) {
      context.identityLimitCents = cents
    },
    limitWallets(tariffs: PayoutContext['walletTariffs']) {
      context.walletTariffs = tariffs
    },
    async writeIdentity(
      uid: string,
      status: IdentityFile['status'],
      expirationDate = '2035-01-31',
      details: { readonly fullName?: string; readonly dateOfBirth?: string; readonly idNumber?: string } = {},
    ) {
      const file = { userId: uid, category: 'identity', status, expirationDate, ...details }
      await db.doc(`files/${uid}`).set({ ...file, createdAt: new Date(clock.now()) })
    },
    screenBy(screening: PayoutContext['screening']) {
      context.screening = screening
    },
    /** Like `screenBy`, with the list of `storeList`, which is outdated after a week. */
    screenByFile() {
      const list = { path: LIST_PATH, maxAge: 7 * DAY }
      world.screenBy(createListFileScreening(readFunctionSettings(settings), list, clock.now))
    },
    storeList(content: string | Uint8Array | null) {
      uploads += 1
      const object = {
        ...{ bucket: readFunctionSettings(settings).storageBucket, name: LIST_PATH, generation: uploads },
        ...{ descriptions: {}, metageneration: 1, createdAt: clock.now(), updatedAt: clock.now() },
        downloadTokens: [],
      }
      const objects = sandbox.storage.dump().objects.filter(({ name }) => name !== LIST_PATH)
      const stored = content === null ? [] : [{ ...object, content: Buffer.from(content).toString('base64') }]
      sandbox.storage.load({ objects: [...objects, ...stored] })
    },
    offerPush() {
      context.push = made.push
    },
    /** Uses MTN (the sandbox's emulator) and manual payout, as a deployment does. */
    payOutAsDeployed() {
      // Without a callback URL, MTN sends no callbacks, and tests call the function themselves.
      const own = { DELIVERY_PROVIDERS: 'mtn,byHand', MTN_CALLBACK_URL: '' }
      const { deliveries } = readFunctionSettings({ ...settings, ...own })
      const reach = { now: clock.now, fetch: sockets ? fetch : network.delay(fetchWithNodeBody) }
      world.payOutBy(...createPayoutProviders(deliveries, reach))
    },
    takenPayouts: (): readonly AcceptedPayout[] => [
      ...payouts.taken(),
      ...sandbox.mtn.transfers().map(toAcceptedPayout),
    ],
    doubts(): ReadonlyMap<string, readonly string[]> {
      const all = [
        ...sandbox.stripe.fraudWarnings(),
        ...sandbox.stripe.reviews().filter((review) => review.open),
      ]
      const ids = Map.groupBy(all, (one) => one.payment_intent)
      return new Map([...ids].map(([of, doubts]) => [of, doubts.map(({ id }) => id)]))
    },
    providerRequests,
    requests,
    origin,
    now: clock.now,
    time,
    network,
    ended,
    /** Uses the latencies of real services and the limits of real hosts. */
    inTime: <T>(work: () => Promise<T>): Promise<T> => {
      if (sockets || time.isRunning()) return work()
      const inMemory = globalThis.fetch
      globalThis.fetch = network.delay(inMemory)
      return time.run(work).finally(() => {
        globalThis.fetch = inMemory
      })
    },
    /** Moves the clock forward or back. To a running function this looks like a suspension by its host. */
    pass(ms: number) {
      if (ms < 0 || time.isRunning()) start += ms
      else time.pass(ms)
    },
    setTime(ms: number) {
      start = ms - time.elapsed()
    },
    comeFrom(ip: string) {
      address = ip
    },
    deliverWebhooks(on: boolean) {
      webhooks = on
    },

    token(uid: string, { provider = 'phone', claims = {}, issuedAt = clock.now() } = {}): Promise<string> {
      const seconds = Math.floor(issuedAt / 1000)
      const token = {
        iss: `https://securetoken.google.com/${projectId}`,
        aud: projectId,
        sub: uid,
        user_id: uid,
        // A user without an entry is a stranger with a number of their own.
        ...(provider === 'phone' && { phone_number: '+33600000000' }),
        ...(phones.has(uid) && { phone_number: phones.get(uid) }),
        auth_time: seconds,
        iat: seconds,
        exp: seconds + 3600,
        firebase: { identities: {}, sign_in_provider: provider },
        ...claims,
      }
      const { kid } = sandbox.auth.dump().key
      return time.hold(new SignJWT(token).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(key))
    },

    /** With `as`, runs in a separate process. With GET, the body becomes the query string. */
    async invoke(
      name: RegisteredFunctionName,
      body: Readonly<Record<string, unknown>>,
      {
        token,
        as = context,
        method = 'POST',
      }: { token?: string; as?: PayoutContext; method?: 'GET' | 'POST' } = {},
    ): Promise<CallResponse> {
      const address = `${origin}/.netlify/functions/${name}`
      const headers = {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      }
      const request =
        method === 'POST'
          ? new Request(address, { method, headers, body: JSON.stringify(body) })
          : new Request(`${address}?${new URLSearchParams(body as Record<string, string>)}`, { headers })
      const response = await onHost(name, () =>
        getFunctionModule(name).respond(request, () => as, { ip: '192.0.2.1' }),
      )
      return response ? answered(name, response) : ENDED
    },

    /** Runs the other step while the `inRequests`th request from now waits for its answer. */
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

    async ask(
      name: RegisteredFunctionName,
      query: Record<string, string>,
      token?: string,
    ): Promise<CallResponse> {
      const address = `${origin}/.netlify/functions/${name}?${new URLSearchParams(query)}`
      const headers = token ? { authorization: `Bearer ${token}` } : {}
      const response = await fetch(address, { headers })
      expect(response.headers.get('cache-control')).toBe('no-store')
      return answered(name, response)
    },

    async call(name: RegisteredFunctionName, body: unknown, token?: string): Promise<CallResponse> {
      const response = await fetch(`${origin}/.netlify/functions/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      expect(response.headers.get('cache-control')).toBe('no-store')
      return answered(name, response)
    },

    /** Creates an account as after a sign-up by phone, with a new number or that of `former`. */
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

    /** Moves an account to another number, and creates an account with the former one. */
    async moveNumber(uid: string): Promise<string> {
      await createCallerVerifier(context)(`Bearer ${await world.token(uid)}`)
      await context.accounts.unlinkSignInMethods(uid, ['phone'], clock.now())
      const next = await world.person({}, uid)
      phones.set(uid, `+3362${String(people).padStart(7, '0')}`)
      return next
    },

    getCaller: (uid: string): Caller => ({ uid, phone: phones.get(uid) }),

    pay: (paymentIntentId: string, card = 'pm_card_visa') =>
      stripe.paymentIntents
        .confirm(paymentIntentId, { payment_method: card, return_url: `${origin}/payment-complete` })
        .catch((error: { code?: string }) => error.code),

    /** Returns the URL that the checkout page leads to; null if the card is declined. */
    async payCheckout(url: string, number = '4242424242424242'): Promise<string | null> {
      const card = new URLSearchParams({ number, expiry: '12 / 30', cvc: '123' })
      const response = await fetch(url, { method: 'POST', body: card, redirect: 'manual' })
      return response.headers.get('location')
    },

    /** Signs the event at `signedAt`; with `as`, a separate process handles it. */
    async deliver(
      event: object,
      { signedAt = clock.now(), secret = context.webhookSecret, as = context } = {},
    ): Promise<CallResponse> {
      const payload = JSON.stringify(event)
      const timestamp = Math.floor(signedAt / 1000)
      return world.deliverRaw(
        payload,
        stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
        as,
      )
    },
    async deliverRaw(payload: string, signature?: string, as = context): Promise<CallResponse> {
      const request = new Request(`${origin}/.netlify/functions/stripe-webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
        body: payload,
      })
      const response = await onHost('stripe-webhook', () =>
        getFunctionModule('stripe-webhook').respond(request, () => as, { ip: '' }),
      )
      if (!response) return ENDED
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },

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

    /** With `quiet`, also checks the invariants that hold once no work is in progress. */
    async checkInvariants({
      quiet = false,
      requests: sent = [] as readonly StripeRequest[],
      wronglyGivenUp = new Set() as ReadonlySet<string>,
    } = {}) {
      const records = await world.records()
      checkStepInvariants(records, sandbox.stripe, sent)
      checkJournalInvariants(records, sandbox.stripe)
      const taken = world.takenPayouts()
      const isPaidOut = providers.length > 0
      checkDeliveryInvariants(records, sandbox.stripe, taken, isPaidOut, wronglyGivenUp, context)
      if (quiet) {
        checkIdleInvariants(records, sandbox.stripe)
        checkIdleDeliveryInvariants(records)
      }
      expect(sandbox.unknownCalls).toEqual([])
      return records
    },

    reset() {
      sandbox.reset()
      payouts.reset()
      context.cancellationWindow = 0
      context.screening = null
      context.identityLimitCents = null
      context.walletTariffs = {}
      world.payOutBy()
      context.push = null
      Object.assign(context, { startTask: made.startTask, verifyTask: made.verifyTask })
      logged.length = 0
      requests.length = 0
      providerRequests.length = 0
      interruption = null
      if (!peer) {
        time.reset()
        network.begin(0)
      }
      ended.length = 0
      world.setTime(WORLD_START)
      webhooks = false
      address = null
    },
    async close() {
      network.begin(0)
      await db.terminate()
      await server.close()
    },
  }
  // The SDK's first request loads modules and signs in, which would exceed its deadline in simulated time.
  await db.doc('settings/payments').get()
  requests.length = 0
  return world
}

export type World = Awaited<ReturnType<typeof createWorld>>

let numbers = 0

/** Each request goes to a new number. Without a plan, the fee is 3 EUR. */
export function buildTransferRequest(
  senderId: string,
  changes: Partial<TransferPaymentRequest> = {},
): TransferPaymentRequest {
  numbers += 1
  return {
    attemptId: crypto.randomUUID(),
    draftId: crypto.randomUUID(),
    amount: 10_000,
    currency: 'eur',
    description: 'Transfer to +224*******00',
    senderId,
    recipientPhone: `+224 620 ${String(numbers)
      .padStart(6, '0')
      .replace(/(..)(?=.)/g, '$1 ')}`,
    ...mapSenderTexts(() => null),
    recipientName: 'Mariama Bah',
    receivingMethod: 'orange_money',
    couponCode: null,
    expected: { fee: 300, converted: 1_028_200 },
    again: null,
    ...changes,
  }
}
