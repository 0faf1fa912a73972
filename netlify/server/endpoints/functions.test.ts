import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { listWalletNames } from '../../../domain/numbers/wallets.ts'
import { config } from '../../functions/due-work.ts'
import { functionNames, getFunctionModule, guardedFunctionNames } from '../../testing/functions.ts'
import { createWorldWithSignUps } from '../../testing/signUps.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { logToStdout } from '../platform/log.ts'
import { buildAttemptKey } from '../platform/records.ts'
import { FUNCTIONS } from './registry.ts'

const { world, signUp, close } = await createWorldWithSignUps()
let uid: string
let token: string

beforeEach(async () => {
  world.reset()
  ;({ uid, token } = await signUp('ada@example.com'))
})
afterEach(() => world.checkInvariants())
afterAll(close)

const create = (body: unknown, as = token) => world.call('create-payment-intent', body, as)

async function expectRefusal(call: Promise<unknown>, refusal: object) {
  expect(await call).toMatchObject(refusal)
  expect(world.sandbox.stripe.paymentIntents()).toEqual([])
  const { attempts, ledgers, transactions, refunds } = await world.records()
  expect([attempts.size, ledgers.size, transactions.size, refunds.size]).toEqual([0, 0, 0, 0])
}

const NO_WALLET = `Please choose a mobile wallet (${listWalletNames('GN', 'en')}).`

describe('the functions over HTTP', () => {
  test('the payment functions start, record and cancel a user’s payment @spec-payment-functions', async () => {
    const request = buildTransferRequest(uid)
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

    const second = buildTransferRequest(uid)
    await create(second)
    expect(await world.call('cancel-payment-intent', { attemptId: second.attemptId }, token)).toEqual({
      status: 200,
      body: { outcome: 'released' },
    })
    await world.checkInvariants({ quiet: true })
  })

  test('a call of the due-work function releases an abandoned attempt', async () => {
    await create(buildTransferRequest(uid))
    world.pass(31 * MINUTE)
    expect(await world.call('due-work', {})).toEqual({ status: 200, body: { released: 1 } })
  })

  test('each function reads its settings from the environment, and responds', async () => {
    for (const [name, value] of Object.entries(world.sandbox.functionSettings())) vi.stubEnv(name, value)
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const statuses: Record<string, number> = {}
    for (const name of functionNames) {
      const { method } = FUNCTIONS[name]
      const request = new Request(world.origin, { method, ...(method === 'POST' && { body: '{}' }) })
      statuses[name] = (await getFunctionModule(name).default(request, { ip: '' })).status
    }
    stdout.mockRestore()
    vi.unstubAllEnvs()
    expect(statuses).toEqual({
      ...Object.fromEntries(guardedFunctionNames.map((name) => [name, 401])),
      // These calls lack parameters or a token, which only the due-work job does not need.
      'check-phone-user': 400,
      'report-error': 400,
      'stripe-webhook': 400,
      'delivery-callback': 400,
      'recipient-page': 404,
      'run-task': 401,
      'due-work': 200,
    })
    expect(config).toEqual({ schedule: '*/15 * * * *' })
  })

  test('the plan functions accept and return the fields of the specification @spec-plan-functions', async () => {
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

  test("create-payment-intent refuses another user's ID", async () => {
    const bob = await signUp('bob@example.com')
    await expectRefusal(create(buildTransferRequest(bob.uid)), { status: 403, body: { code: 'forbidden' } })
    await expectRefusal(create(buildTransferRequest('')), { status: 403, body: { code: 'forbidden' } })
  })

  test('create-payment-intent refuses a user without a profile @spec-profile-required', async () => {
    await world.context.db.doc(`users/${uid}`).delete()
    await expectRefusal(create(buildTransferRequest(uid)), {
      status: 404,
      body: { code: 'userNotFound', error: 'User not found' },
    })
  })

  test('create-payment-intent refuses a profile without a name @spec-name', async () => {
    await world.context.db.doc(`users/${uid}`).update({ name: '\u200b' })
    await expectRefusal(create(buildTransferRequest(uid)), {
      status: 400,
      body: { code: 'nameRequired', error: 'Please enter your full name' },
    })
  })

  test('create-payment-intent refuses a forged fee', async () => {
    await expectRefusal(create({ ...buildTransferRequest(uid), fee: 0 }), {
      status: 400,
      body: { code: 'invalidRequest', message: 'fee is not valid' },
    })
    await expectRefusal(create(buildTransferRequest(uid, { expected: { fee: 0, converted: 1_060_000 } })), {
      status: 409,
      body: { code: 'quoteChanged', details: { fee: 300, net: 9700, converted: 1_028_200 } },
    })
  })

  test.each([
    ['€9.99', 999, 'amountTooLow', 'Minimum transfer amount is €10'],
    ['€500.01', 50_001, 'amountTooHigh', 'Maximum transfer amount is €500'],
    ['€-1', -100, 'amountTooLow', 'Minimum transfer amount is €10'],
    ['€1,000,000,000', 1e11, 'amountTooHigh', 'Maximum transfer amount is €500'],
    ['a fraction of a cent', 1000.5, 'amountRequired', 'Please enter a valid amount'],
    ['an unsafe integer', 1e300, 'amountRequired', 'Please enter a valid amount'],
    ['NaN, which JSON writes as null,', Number.NaN, 'amountRequired', 'Please enter a valid amount'],
    ['a string', '10000', 'amountRequired', 'Please enter a valid amount'],
    ['a missing value', undefined, 'amountRequired', 'Please enter a valid amount'],
    ['a list', [10_000], 'amountRequired', 'Please enter a valid amount'],
  ])(
    'create-payment-intent refuses %s as the amount @spec-amount-refused',
    async (_, amount, code, error) => {
      await expectRefusal(create({ ...buildTransferRequest(uid), amount }), {
        status: 400,
        body: { code, error },
      })
    },
  )

  test('create-payment-intent refuses a body that contains NaN, which is not JSON', async () => {
    const body = JSON.stringify(buildTransferRequest(uid)).replace('10000', 'NaN')
    await expectRefusal(create(body), { status: 400, body: { message: 'The body is not JSON.' } })
  })

  test.each([
    [
      'an amount in CAD below the minimum',
      { currency: 'cad', amount: 1666 },
      'amountTooLow',
      'Minimum transfer amount is €10',
    ],
    [
      'an amount in CAD above the maximum',
      { currency: 'cad', amount: 83_334 },
      'amountTooHigh',
      'Maximum transfer amount is €500',
    ],
    ['an unsupported currency', { currency: 'usd' }, 'invalidRequest', 'Invalid request'],
    ['a missing phone', { recipientPhone: ' ' }, 'phoneRequired', 'Please enter a phone number'],
    [
      'a phone that is too short',
      { recipientPhone: '+22462000000' },
      'phoneInvalid',
      'Invalid phone number format',
    ],
    [
      'a phone of an unsupported country',
      { recipientPhone: '+4915112345678' },
      'unsupportedDestination',
      'Unsupported destination country',
    ],
    [
      'an incomplete phone of an unsupported country',
      { recipientPhone: '+44' },
      'unsupportedDestination',
      'Unsupported destination country',
    ],
    [
      'a phone of overseas France',
      { recipientPhone: '+33 692 12 34 56', receivingMethod: 'paylib' },
      'overseasFrance',
      'Transfers to overseas France are not supported',
    ],
    ['a missing wallet', { receivingMethod: null }, 'walletRequired', NO_WALLET],
    ["another country's wallet", { receivingMethod: 'interac' }, 'walletRequired', NO_WALLET],
    [
      'a wallet of Guinea for a number of France',
      { recipientPhone: '+33612345678', receivingMethod: 'mtn_money' },
      'walletRequired',
      'Please choose a mobile wallet (Paylib or Wero).',
    ],
    ['a malformed coupon', { couponCode: 'a/b' }, 'couponInvalid', 'Invalid coupon code format'],
    ['a malformed attempt ID', { attemptId: '1' }, 'invalidRequest', 'Invalid request'],
    ['a missing expected price', { expected: undefined }, 'invalidRequest', 'Invalid request'],
  ])('create-payment-intent refuses %s @spec-request-refused', async (_, changes, code, error) => {
    await expectRefusal(create({ ...buildTransferRequest(uid), ...changes }), {
      status: 400,
      body: { code, error },
    })
  })

  test.each([
    ['both an attempt and a PaymentIntent', { attemptId: crypto.randomUUID(), paymentIntentId: 'pi_1' }],
    ['neither an attempt nor a PaymentIntent', {}],
    ['a path as the PaymentIntent', { paymentIntentId: 'pi_1/../../refunds' }],
  ])('record-transfer refuses %s', async (_, body) => {
    expect(await world.call('record-transfer', body, token)).toMatchObject({
      status: 400,
      body: { code: 'invalidRequest' },
    })
  })

  test('create-payment-intent reports that Stripe is unavailable, and accepts the same attempt again', async () => {
    const request = buildTransferRequest(uid)
    const down = { on: 'POST /v1/payment_intents', times: 3, what: { kind: 'cutBefore' } } as const
    world.sandbox.faults.add(down)
    expect(await create(request)).toMatchObject({ status: 502, body: { code: 'paymentUnavailable' } })
    expect(await create(request)).toMatchObject({ status: 200 })
    expect(world.sandbox.stripe.paymentIntents()).toHaveLength(1)
  })

  test('functions log each event on one line without personal data', async () => {
    const request = { ...buildTransferRequest(uid), couponCode: 'SECRET-COUPON' }
    await create(request)
    await create({ ...request, recipientPhone: '+224' })
    const [intent] = world.sandbox.stripe.paymentIntents()
    const paymentIntentId = intent?.id ?? ''
    await world.pay(paymentIntentId)
    await world.context.db.doc(`users/${uid}`).delete()
    const down = { on: 'POST /v1/refunds', times: 3, what: { kind: 'status', status: 500 } } as const
    world.sandbox.faults.add(down)
    await world.call('record-transfer', { attemptId: request.attemptId }, token)
    await world.call('due-work', {})
    await world.call('check-phone-user', { phone: '+33612345678' })
    const unlinked = buildTransferRequest(uid)
    await create(unlinked)

    const attempt = buildAttemptKey(uid, request.attemptId)
    const answered = (name: string, status: number) => ({
      event: 'functionResponded',
      function: name,
      status,
    })
    expect(world.logged).toMatchObject([
      { event: 'paymentStarted', attempt, paymentIntentId },
      answered('create-payment-intent', 200),
      answered('create-payment-intent', 400),
      { event: 'refundPostponed', paymentIntentId },
      { event: 'paymentSettled', attempt, paymentIntentId, status: 'succeeded', outcome: 'refunded' },
      answered('record-transfer', 200),
      { event: 'chargeRefunded', paymentIntentId, refundId: expect.stringMatching(/^re_/) },
      { event: 'dueWorkDone', paidBack: 1 },
      answered('due-work', 200),
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

describe('the Stripe webhook', () => {
  async function payAndFindEvent() {
    const request = buildTransferRequest(uid)
    await create(request)
    const [intent] = world.sandbox.stripe.paymentIntents()
    await world.pay(intent?.id ?? '')
    const event = world.sandbox.stripe.events().find(({ type }) => type === 'payment_intent.succeeded')
    if (!event) throw new Error('no event')
    return event
  }
  const refused = { status: 400, body: { code: 'invalidSignature' } }
  const transactions = async () => (await world.records()).transactions.size

  test('the Stripe webhook accepts a signed event, and records its payment', async () => {
    const event = await payAndFindEvent()
    expect(await world.deliver(event)).toEqual({ status: 200, body: { received: true } })
    expect(await transactions()).toBe(1)
  })

  test.each([
    ['the future', 6 * MINUTE],
    ['the past', -6 * MINUTE],
  ])('the Stripe webhook refuses a signature from %s', async (_, distance) => {
    const event = await payAndFindEvent()
    expect(await world.deliver(event, { signedAt: world.now() + distance })).toMatchObject(refused)
    expect(await transactions()).toBe(0)
  })

  test('the webhook refuses an event replayed six minutes later', async () => {
    const event = await payAndFindEvent()
    const signedAt = world.now()
    world.pass(6 * MINUTE)
    expect(await world.deliver(event, { signedAt })).toMatchObject(refused)
    expect(await transactions()).toBe(0)
  })

  test('the webhook refuses an event without a valid signature', async () => {
    const event = await payAndFindEvent()
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

  test('the Stripe webhook ignores events that do not concern a transfer', async () => {
    for (const type of ['charge.succeeded', 'customer.created', 'payment_intent.created'])
      expect(await world.deliver({ id: 'evt_1', object: 'event', type, data: { object: {} } })).toEqual({
        status: 200,
        body: { received: true },
      })
  })

  test('the webhook accepts and logs an event of unknown kind', async () => {
    const unknown = [
      { id: 'evt_2', object: 'v2.core.event', type: 'v1.billing.meter.error_report_triggered' },
      { id: 'evt_3', object: 'event', type: 'a.new.kind', data: { object: {} } },
    ]
    for (const event of unknown) {
      expect(await world.deliver(event)).toEqual({ status: 200, body: { received: true } })
      const { id, type } = event
      expect(world.logged).toContainEqual({ level: 'info', event: 'eventUnknown', id, type })
    }
    const { stripe, webhookSecret: secret } = world.context
    const timestamp = Math.floor(world.now() / 1000)
    for (const payload of ['no JSON', 'null', '[]']) {
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
      expect((await world.deliverRaw(payload, signature)).status).toBe(200)
    }
  })

  test('the webhook answers 502 for a failed event, later handled', async () => {
    const event = await payAndFindEvent()
    const down = { on: 'GET /v1/payment_intents', times: 3, what: { kind: 'status', status: 500 } } as const
    world.sandbox.faults.add(down)
    expect(await world.deliver(event)).toMatchObject({ status: 502 })
    expect(await world.deliver(event)).toMatchObject({ status: 200 })
    expect(await transactions()).toBe(1)
  })
})
