import { deleteApp, initializeApp } from 'firebase/app'
import {
  type Auth,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  getAuth,
  sendEmailVerification,
} from 'firebase/auth'
import { UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { walletNames } from '../domain/wallets.ts'
import { config } from './functions/sweep.ts'
import { logToStdout } from './server/platform/log.ts'
import { attemptKey } from './server/platform/records.ts'
import { FUNCTIONS, type RegisteredName } from './server/platform/registry.ts'
import { functionModule, functionNames, guardedNames } from './testing/functions.ts'
import { createWorld, requestOf, type World } from './testing/world.ts'

let world: World
let auth: Auth
let uid: string
let token: string

beforeAll(async () => {
  world = await createWorld({ sockets: true })
  auth = getAuth(initializeApp({ projectId: 'demo-passerelle', apiKey: 'sandbox' }))
  connectAuthEmulator(auth, world.origin, { disableWarnings: true })
})
beforeEach(async () => {
  world.reset()
  ;({ uid, token } = await signUp('ada@example.com'))
})
afterEach(() => world.checkInvariants())
afterAll(async () => {
  await deleteApp(auth.app)
  await world.close()
})

async function signUp(email: string, { verified = true } = {}) {
  const { user } = await createUserWithEmailAndPassword(auth, email, 'correct horse')
  if (verified) {
    await sendEmailVerification(user)
    const mail = world.sandbox.auth.mails()[0]
    await fetch(mail?.link ?? '')
  }
  await world.context.db.doc(`users/${user.uid}`).set({
    email,
    name: 'Ada Lovelace',
    phone: null,
    createdAt: new Date(world.now()),
    subscription: {},
    madeWith: 'address',
    verifiedAddress: verified ? email : null,
  })
  return { uid: user.uid, token: await user.getIdToken(true) }
}

const create = (body: unknown, as = token) => world.call('create-payment-intent', body, as)

/** A refusal that leaves no trace: no PaymentIntent, nothing written. */
async function expectRefusal(call: Promise<unknown>, refusal: object) {
  expect(await call).toMatchObject(refusal)
  expect(world.sandbox.stripe.paymentIntents()).toEqual([])
  const { attempts, ledgers, transactions, refunds } = await world.records()
  expect([attempts.size, ledgers.size, transactions.size, refunds.size]).toEqual([0, 0, 0, 0])
}

const NO_WALLET = `Please choose a mobile wallet (${walletNames('GN', 'en')}).`

describe('the functions over HTTP', () => {
  test('start, record and cancel a payment for a signed-in user @spec-payment-functions', async () => {
    const request = requestOf(uid)
    const started = await create(request)
    const [intent] = world.sandbox.stripe.paymentIntents()
    const expected = {
      status: 200,
      body: {
        clientSecret: intent?.client_secret,
        customerSession: expect.stringMatching(/^cuss_/),
        paymentIntentId: intent?.id,
        status: 'requires_payment_method',
      },
    }
    expect(started).toEqual(expected)
    expect(await create({ ...request, attemptId: request.attemptId.toUpperCase() })).toEqual(expected)
    await world.pay(intent?.id ?? '')
    const { attemptId } = request
    const recorded = await world.call('record-transfer', { attemptId }, token)
    expect(recorded).toMatchObject({
      status: 200,
      body: { outcome: 'paid', transaction: { id: intent?.id, senderId: uid, amount: 97, fees: 3 } },
    })
    expect(await world.call('record-transfer', { paymentIntentId: intent?.id }, token)).toEqual(recorded)
    expect(await world.call('cancel-payment-intent', { attemptId }, token)).toEqual(recorded)

    const second = requestOf(uid)
    await create(second)
    expect(await world.call('cancel-payment-intent', { attemptId: second.attemptId }, token)).toEqual({
      status: 200,
      body: { outcome: 'released' },
    })
    await world.checkInvariants({ quiet: true })
  })

  test('sweep when they are told to', async () => {
    await create(requestOf(uid))
    world.pass(31 * MINUTE)
    expect(await world.call('sweep', {})).toEqual({ status: 200, body: { released: 1 } })
  })

  test('find their settings in the environment, as the host starts them', async () => {
    for (const [name, value] of Object.entries(world.sandbox.functionSettings())) vi.stubEnv(name, value)
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const statuses: Record<string, number> = {}
    for (const name of functionNames) {
      const { method } = FUNCTIONS[name]
      const request = new Request(world.origin, { method, ...(method === 'POST' && { body: '{}' }) })
      statuses[name] = (await functionModule(name).default(request, { ip: '' })).status
    }
    stdout.mockRestore()
    vi.unstubAllEnvs()
    expect(statuses).toEqual({
      ...Object.fromEntries(guardedNames.map((name) => [name, 401])),
      // Each is called in a way that it refuses, but the sweep, which is told nothing.
      'check-phone-user': 400,
      'stripe-webhook': 400,
      'delivery-callback': 400,
      'recipient-page': 404,
      sweep: 200,
    })
    expect(config).toEqual({ schedule: '*/15 * * * *' })
  })

  const calls: RegisteredName[] = [
    'create-payment-intent',
    'record-transfer',
    'cancel-payment-intent',
    'create-subscription',
    'verify-subscription',
    'cancel-subscription',
  ]
  const bodyFor = (name: RegisteredName, of: string) =>
    name === 'create-payment-intent'
      ? requestOf(of)
      : name === 'create-subscription'
        ? { tier: 'basic', userId: of }
        : name === 'cancel-subscription'
          ? { subscriptionId: 'sub_1' }
          : { attemptId: crypto.randomUUID() }
  const tryOut = (name: RegisteredName, of: string, as?: string) =>
    name === 'verify-subscription'
      ? world.ask(name, { session_id: 'cs_test_1' }, as)
      : world.call(name, bodyFor(name, of), as)

  test.each(calls)('%s refuses callers who prove nothing @spec-unauthenticated', async (name) => {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const refusal = { status: 401, body: { code: 'unauthenticated', error: 'Not authenticated' } }
    await expectRefusal(tryOut(name, uid), refusal)
    await expectRefusal(tryOut(name, uid, 'nonsense'), refusal)
    await expectRefusal(tryOut(name, uid, new UnsecuredJWT(claims).encode()), refusal)
    world.pass(HOUR + MINUTE)
    await expectRefusal(tryOut(name, uid, token), refusal)
  })

  test.each(calls)(
    '%s refuses a password user whose address is not verified @spec-unverified',
    async (name) => {
      const eve = await signUp('eve@example.com', { verified: false })
      await expectRefusal(tryOut(name, eve.uid, eve.token), {
        status: 403,
        body: { code: 'emailUnverified' },
      })
    },
  )

  test('of plans take what the specification names, and answer with it @spec-plan-functions', async () => {
    const opened = await world.call('create-subscription', { tier: 'basic', userId: uid }, token)
    expect(opened).toEqual({ status: 200, body: { url: expect.stringContaining('/checkout/cs_test_') } })
    const back = new URL((await world.payCheckout(opened.body.url as string)) ?? '')
    expect([back.origin, back.pathname]).toEqual([world.origin, '/settings'])
    const query = { session_id: back.searchParams.get('session_id') ?? '' }
    const [subscription] = world.sandbox.stripe.subscriptions()
    expect(await world.ask('verify-subscription', query, token)).toEqual({
      status: 200,
      body: { success: true, tier: 'basic', subscriptionId: subscription?.id },
    })
    const canceled = await world.call('cancel-subscription', { subscriptionId: subscription?.id }, token)
    expect(canceled).toEqual({ status: 200, body: { cancelAt: Date.UTC(2026, 11, 20, 12) } })
    expect(await world.call('verify-subscription', query, token)).toMatchObject({ status: 405 })
    expect(await world.ask('verify-subscription', {}, token)).toMatchObject({
      status: 400,
      body: { code: 'invalidRequest' },
    })
    expect(JSON.stringify(world.logged)).not.toContain(uid)
  })

  test("create-payment-intent refuses another user's id", async () => {
    const bob = await signUp('bob@example.com')
    await expectRefusal(create(requestOf(bob.uid)), { status: 403, body: { code: 'forbidden' } })
    await expectRefusal(create(requestOf('')), { status: 403, body: { code: 'forbidden' } })
  })

  test('create-payment-intent refuses a user without a profile @spec-profile-required', async () => {
    await world.context.db.doc(`users/${uid}`).delete()
    await expectRefusal(create(requestOf(uid)), {
      status: 404,
      body: { code: 'userNotFound', error: 'User not found' },
    })
  })

  test('create-payment-intent refuses a forged fee', async () => {
    await expectRefusal(create({ ...requestOf(uid), fee: 0 }), {
      status: 400,
      body: { code: 'invalidRequest', message: 'The request has an unknown field "fee"' },
    })
    await expectRefusal(create(requestOf(uid, { expected: { fee: 0, converted: 1_060_000 } })), {
      status: 409,
      body: { code: 'quoteChanged', details: { fee: 300, net: 9700, converted: 1_028_200 } },
    })
  })

  test.each([
    ['9.99', 999, 'amountTooLow', 'Minimum transfer amount is €10'],
    ['500.01', 50_001, 'amountTooHigh', 'Maximum transfer amount is €500'],
    ['-1', -100, 'amountTooLow', 'Minimum transfer amount is €10'],
    ['1e9', 1e11, 'amountTooHigh', 'Maximum transfer amount is €500'],
    ['half a cent', 1000.5, 'amountRequired', 'Please enter a valid amount'],
    ['more than a number can hold', 1e300, 'amountRequired', 'Please enter a valid amount'],
    ['NaN, as JSON writes it', Number.NaN, 'amountRequired', 'Please enter a valid amount'],
    ['a string', '10000', 'amountRequired', 'Please enter a valid amount'],
    ['nothing', undefined, 'amountRequired', 'Please enter a valid amount'],
    ['a list', [10_000], 'amountRequired', 'Please enter a valid amount'],
  ])('create-payment-intent refuses an amount of %s @spec-amount-refused', async (_, amount, code, error) => {
    await expectRefusal(create({ ...requestOf(uid), amount }), { status: 400, body: { code, error } })
  })

  test('create-payment-intent refuses a body with NaN in it', async () => {
    const body = JSON.stringify(requestOf(uid)).replace('10000', 'NaN')
    await expectRefusal(create(body), { status: 400, body: { message: 'The body is not JSON.' } })
  })

  test.each([
    [
      'CAD below the minimum',
      { currency: 'cad', amount: 1666 },
      'amountTooLow',
      'Minimum transfer amount is €10',
    ],
    [
      'CAD above the maximum',
      { currency: 'cad', amount: 83_334 },
      'amountTooHigh',
      'Maximum transfer amount is €500',
    ],
    ['another currency', { currency: 'usd' }, 'invalidRequest', 'Invalid request'],
    ['no phone', { recipientPhone: ' ' }, 'phoneRequired', 'Please enter a phone number'],
    ['a short phone', { recipientPhone: '+22462000000' }, 'phoneInvalid', 'Invalid phone number format'],
    [
      'a phone of another country',
      { recipientPhone: '+4915112345678' },
      'unsupportedDestination',
      'Unsupported destination country',
    ],
    [
      'a phone that begins as one of another country',
      { recipientPhone: '+44' },
      'unsupportedDestination',
      'Unsupported destination country',
    ],
    ['no wallet', { receivingMethod: null }, 'walletRequired', NO_WALLET],
    ["another country's wallet", { receivingMethod: 'interac' }, 'walletRequired', NO_WALLET],
    [
      'a wallet of Guinea for a number of France',
      { recipientPhone: '+33612345678', receivingMethod: 'mtn_money' },
      'walletRequired',
      'Please choose a mobile wallet (Paylib or Wero).',
    ],
    ['a coupon that can be none', { couponCode: 'a b' }, 'couponInvalid', 'Invalid coupon code format'],
    ['an attempt id that is none', { attemptId: '1' }, 'invalidRequest', 'Invalid request'],
    ['no expected price', { expected: undefined }, 'invalidRequest', 'Invalid request'],
  ])('create-payment-intent refuses %s @spec-request-refused', async (_, changes, code, error) => {
    await expectRefusal(create({ ...requestOf(uid), ...changes }), { status: 400, body: { code, error } })
  })

  test.each([
    ['both', { attemptId: crypto.randomUUID(), paymentIntentId: 'pi_1' }],
    ['neither', {}],
    ['a path', { paymentIntentId: 'pi_1/../../refunds' }],
  ])('record-transfer refuses %s', async (_, body) => {
    expect(await world.call('record-transfer', body, token)).toMatchObject({
      status: 400,
      body: { code: 'invalidRequest' },
    })
  })

  test('answer that the payment service is out of reach, and the same attempt can be sent again', async () => {
    const request = requestOf(uid)
    const down = { on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutBefore' } } as const
    world.sandbox.faults.add(down)
    expect(await create(request)).toMatchObject({ status: 502, body: { code: 'paymentUnavailable' } })
    expect(await create(request)).toMatchObject({ status: 200 })
    expect(world.sandbox.stripe.paymentIntents()).toHaveLength(1)
  })

  test('log each event in a line, with the attempt and the payment, and nothing about the person', async () => {
    const request = { ...requestOf(uid), couponCode: 'SECRET-COUPON' }
    await create(request)
    await create({ ...request, recipientPhone: '+224' })
    const [intent] = world.sandbox.stripe.paymentIntents()
    const paymentIntentId = intent?.id ?? ''
    await world.pay(paymentIntentId)
    await world.context.db.doc(`users/${uid}`).delete()
    const down = { on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } } as const
    world.sandbox.faults.add(down)
    await world.call('record-transfer', { attemptId: request.attemptId }, token)
    await world.call('sweep', {})
    await world.call('check-phone-user', { phone: '+33612345678' })
    const unlinked = requestOf(uid)
    await create(unlinked)

    const attempt = attemptKey(uid, request.attemptId)
    const answered = (name: string, status: number) => ({ event: 'answered', function: name, status })
    expect(world.logged).toMatchObject([
      { event: 'paymentStarted', attempt, paymentIntentId },
      answered('create-payment-intent', 200),
      answered('create-payment-intent', 400),
      { event: 'refundPostponed', paymentIntentId },
      { event: 'settled', attempt, paymentIntentId, status: 'succeeded', outcome: 'refunded' },
      answered('record-transfer', 200),
      { event: 'refunded', paymentIntentId, refundId: expect.stringMatching(/^re_/) },
      // The provider told of that refund too, and the sweep follows what may have been lost.
      { event: 'settled', attempt, paymentIntentId, outcome: 'refunded' },
      { event: 'swept', paidBack: 1 },
      answered('sweep', 200),
      answered('check-phone-user', 404),
      answered('create-payment-intent', 404),
    ])
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    for (const entry of world.logged) logToStdout(entry)
    const lines = stdout.mock.calls.map(([line]) => String(line))
    stdout.mockRestore()
    for (const line of lines) {
      expect(line).toMatch(/^\{.*\}\n$/)
      expect(line.trim().split('\n')).toHaveLength(1)
    }
    const secrets = [
      ...[uid, token, 'ada@', 'Lovelace', '620000000', '620 00 00', '612345678', 'SECRET-COUPON'],
      ...[request.attemptId, intent?.client_secret ?? '', '127.0.0.1'],
    ]
    for (const secret of secrets) expect(lines.join('')).not.toContain(secret)
  })
})

describe('the webhook', () => {
  async function paid() {
    const request = requestOf(uid)
    await create(request)
    const [intent] = world.sandbox.stripe.paymentIntents()
    await world.pay(intent?.id ?? '')
    const event = world.sandbox.stripe.events().find(({ type }) => type === 'payment_intent.succeeded')
    if (!event) throw new Error('no event')
    return event
  }
  const refused = { status: 400, body: { code: 'invalidSignature' } }
  const transactions = async () => (await world.records()).transactions.size

  test('takes what the provider signed', async () => {
    const event = await paid()
    expect(await world.deliver(event)).toEqual({ status: 200, body: { received: true } })
    expect(await transactions()).toBe(1)
  })

  test.each([
    ['the future', 6 * MINUTE],
    ['the past', -6 * MINUTE],
  ])('refuses a signature from %s', async (_, distance) => {
    const event = await paid()
    expect(await world.deliver(event, { signedAt: world.now() + distance })).toMatchObject(refused)
    expect(await transactions()).toBe(0)
  })

  test('refuses what was signed once and is sent again later', async () => {
    const event = await paid()
    const signedAt = world.now()
    world.pass(6 * MINUTE)
    expect(await world.deliver(event, { signedAt })).toMatchObject(refused)
    expect(await transactions()).toBe(0)
  })

  test('refuses another secret, a changed body, and no signature', async () => {
    const event = await paid()
    expect(await world.deliver(event, { secret: 'whsec_another' })).toMatchObject(refused)
    const payload = JSON.stringify(event)
    const timestamp = Math.floor(world.now() / 1000)
    const { stripe, webhookSecret: secret } = world.context
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    expect(await world.deliverRaw(`${payload} `, signature)).toMatchObject(refused)
    expect(await world.deliverRaw(payload)).toMatchObject(refused)
    expect(await world.deliverRaw(payload, `${signature},t=${timestamp + HOUR}`)).toMatchObject(refused)
    expect(await transactions()).toBe(0)
  })

  test('ignores events that say nothing about a transfer', async () => {
    for (const type of ['charge.succeeded', 'customer.created', 'payment_intent.created'])
      expect(await world.deliver({ id: 'evt_1', object: 'event', type, data: { object: {} } })).toEqual({
        status: 200,
        body: { received: true },
      })
  })

  test('asks for the event again when it could not act on it', async () => {
    const event = await paid()
    const down = { on: 'GET /v1/payment_intents', times: 3, what: { kind: 'status', status: 500 } } as const
    world.sandbox.faults.add(down)
    expect(await world.deliver(event)).toMatchObject({ status: 502 })
    expect(await world.deliver(event)).toMatchObject({ status: 200 })
    expect(await transactions()).toBe(1)
  })
})
