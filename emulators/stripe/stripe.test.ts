import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Served, serve } from '../serve.ts'
import { createStripe, type StripeDeps, type StripeStandIn } from './stripe.ts'

const secretKey = 'sk_test_sandbox'
const publishableKey = 'pk_test_sandbox'
const webhookSecret = 'whsec_sandbox'

interface Received {
  readonly body: string
  readonly signature: string
}

let now: number
let unknown: string[]
let received: Received[]
/** What the webhook endpoint answers, one status for each try; then 200. */
let answers: number[]
let inFlight: ((line: string) => Promise<void>) | undefined
let deliver: StripeDeps['deliver']
let standIn: StripeStandIn
let server: Served
let endpoint: Served
let stripe: Stripe

beforeEach(async () => {
  now = Date.UTC(2026, 10, 20, 12)
  unknown = []
  received = []
  answers = []
  inFlight = undefined
  deliver = undefined
  endpoint = await serve(async (request) => {
    received.push({ body: await request.text(), signature: request.headers.get('stripe-signature') ?? '' })
    return new Response(null, { status: answers.shift() ?? 200 })
  })
  standIn = createStripe({
    secretKey,
    publishableKey,
    webhookSecret,
    clock: { now: () => now },
    reportUnknown: (service, what) => unknown.push(`${service}: ${what}`),
    publicOrigin: () => server.origin,
    webhookUrl: () => endpoint.origin,
    deliver: (event, send) => (deliver ? deliver(event, send) : send()),
    whileInFlight: async (line) => inFlight?.(line),
  })
  server = await serve(standIn.app.fetch)
  stripe = sdk()
})

afterEach(async () => {
  standIn.reset()
  await server.close()
  await endpoint.close()
})

const sdk = (key = secretKey) =>
  new Stripe(key, { host: '127.0.0.1', port: server.port, protocol: 'http', maxNetworkRetries: 0 })

const newIntent = (params: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'eur',
    automatic_payment_methods: { enabled: true },
    ...params,
  })

const card = (number: string, rest: Record<string, string> = {}) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': '30',
  'payment_method_data[card][cvc]': '123',
  use_stripe_sdk: 'true',
  return_url: 'http://localhost/payment-complete',
  ...rest,
})

/** Confirms as the card frame does: with the publishable key and the client secret. */
async function confirm(intent: Stripe.PaymentIntent, params: Record<string, string>) {
  const response = await fetch(`${server.origin}/v1/payment_intents/${intent.id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${publishableKey}` },
    body: new URLSearchParams({ client_secret: intent.client_secret ?? '', ...params }),
  })
  return { status: response.status, body: await response.json() }
}

const answerChallenge = (source: string, answer: 'complete' | 'fail') =>
  fetch(`${server.origin}/sandbox/stripe/3ds/${source}`, { method: 'POST', body: answer }).then((response) =>
    response.json(),
  )

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('should have been refused'),
    (error) => error as InstanceType<typeof Stripe.errors.StripeError>,
  )

const eventTypes = () => standIn.events().map(({ type }) => type)

describe('payment intents', () => {
  test('are created with what was asked for', async () => {
    const intent = await newIntent({ metadata: { attempt: 'a1' }, description: 'Transfer to +224 ** 00' })
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 10_000,
      amount_received: 0,
      currency: 'eur',
      created: now / 1000,
      description: 'Transfer to +224 ** 00',
      metadata: { attempt: 'a1' },
      automatic_payment_methods: { enabled: true, allow_redirects: 'always' },
      payment_method_types: ['card'],
      latest_charge: null,
      last_payment_error: null,
      livemode: false,
      status: 'requires_payment_method',
    })
    expect(intent.id).toMatch(/^pi_\w{24}$/)
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{25}$`))
    expect(intent.lastResponse.requestId).toMatch(/^req_/)
    expect(standIn.paymentIntents()).toEqual([expect.objectContaining({ id: intent.id })])
  })

  test('for cards alone leave no other choice, and no automatic one', async () => {
    const cards = { amount: 10_000, currency: 'eur', allowed_payment_method_types: ['card'] }
    expect(await stripe.paymentIntents.create(cards)).toMatchObject({
      allowed_payment_method_types: ['card'],
      automatic_payment_methods: null,
      payment_method_types: ['card'],
    })
    expect(await failure(newIntent(cards))).toMatchObject({ statusCode: 400 })
    const debits = { ...cards, allowed_payment_method_types: ['card', 'sepa_debit'] }
    expect(await failure(stripe.paymentIntents.create(debits))).toMatchObject({ statusCode: 501 })
  })

  test.each([
    [{ amount: 0 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: -1 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 10.5 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: Number.NaN }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 1e21 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 49 }, 'amount_too_small', 'amount'],
    [{ amount: 4999, currency: 'gnf' }, 'amount_too_small', 'amount'],
    [{ amount: 100_000_000 }, 'amount_too_large', 'amount'],
    [{ currency: '' }, 'parameter_missing', 'currency'],
    [{ currency: 'zzz' }, undefined, 'currency'],
    [{ metadata: { note: 'x'.repeat(501) } }, undefined, 'metadata[note]'],
  ])('are refused with %o', async (params, code, param) => {
    const error = await failure(newIntent(params))
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
    expect({ statusCode: error.statusCode, code: error.code, param: error.param }).toEqual({
      statusCode: 400,
      code,
      param,
    })
    expect(standIn.paymentIntents()).toEqual([])
  })

  test('are read back, by the browser only with the client secret and without the metadata', async () => {
    const intent = await newIntent({ metadata: { attempt: 'a1' } })
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent)
    const browser = sdk(publishableKey)
    const seen = await browser.paymentIntents.retrieve(intent.id, {
      client_secret: intent.client_secret ?? '',
    })
    expect(seen).toMatchObject({ id: intent.id, amount: 10_000, status: 'requires_payment_method' })
    expect(seen).not.toHaveProperty('metadata')
    expect(await failure(browser.paymentIntents.retrieve(intent.id))).toMatchObject({
      code: 'parameter_missing',
      param: 'client_secret',
    })
    expect(
      await failure(browser.paymentIntents.retrieve(intent.id, { client_secret: `${intent.id}_secret_x` })),
    ).toMatchObject({ statusCode: 400, param: 'client_secret' })
    for (const id of ['pi_none', 'not an id'])
      expect(await failure(stripe.paymentIntents.retrieve(id))).toMatchObject({
        statusCode: 404,
        code: 'resource_missing',
        message: `No such payment_intent: '${id}'`,
      })
  })

  test('take new metadata key by key', async () => {
    const intent = await newIntent({ metadata: { keep: '1', drop: '2' } })
    const updated = await stripe.paymentIntents.update(intent.id, { metadata: { drop: '', add: '3' } })
    expect(updated.metadata).toEqual({ keep: '1', add: '3' })
  })

  test('are listed newest first, in pages and by time', async () => {
    const intents: Stripe.PaymentIntent[] = []
    for (let index = 0; index < 5; index += 1) {
      intents.push(await newIntent())
      now += 1000
    }
    const [first, second, third, fourth, fifth] = intents.map(({ id }) => id)
    const page = await stripe.paymentIntents.list({ limit: 2 })
    expect({ ids: page.data.map(({ id }) => id), more: page.has_more }).toEqual({
      ids: [fifth, fourth],
      more: true,
    })
    const next = await stripe.paymentIntents.list({ limit: 3, starting_after: fourth ?? '' })
    expect({ ids: next.data.map(({ id }) => id), more: next.has_more }).toEqual({
      ids: [third, second, first],
      more: false,
    })
    const previous = await stripe.paymentIntents.list({ limit: 1, ending_before: third ?? '' })
    expect(previous.data.map(({ id }) => id)).toEqual([fourth])
    const since = intents[3]?.created ?? 0
    const recent = await stripe.paymentIntents.list({ created: { gte: since } })
    expect(recent.data.map(({ id }) => id)).toEqual([fifth, fourth])
    const all: string[] = []
    for await (const { id } of stripe.paymentIntents.list({ limit: 2 })) all.push(id)
    expect(all).toEqual([fifth, fourth, third, second, first])
  })

  test('can be canceled once, and not after they were paid', async () => {
    const intent = await newIntent()
    const canceled = await stripe.paymentIntents.cancel(intent.id, {
      cancellation_reason: 'requested_by_customer',
    })
    expect(canceled).toMatchObject({
      status: 'canceled',
      canceled_at: now / 1000,
      cancellation_reason: 'requested_by_customer',
    })
    expect(await failure(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: intent.id, status: 'canceled' },
    })
    expect((await confirm(intent, card('4242424242424242'))).body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'canceled' },
    })
    const paid = await newIntent()
    await confirm(paid, card('4242424242424242'))
    expect(await failure(stripe.paymentIntents.cancel(paid.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: paid.id, status: 'succeeded' },
    })
    expect(eventTypes()).toEqual([
      'payment_intent.created',
      'payment_intent.canceled',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
    ])
  })
})

describe('confirming', () => {
  test.each(['4242424242424242', '4242 4242 4242 4242', '4000000000000077', '5555555555554444'])(
    'with %s succeeds',
    async (number) => {
      const intent = await newIntent({ metadata: { attempt: 'a1' } })
      const { status, body } = await confirm(intent, card(number))
      expect({ status, intent: body.status }).toEqual({ status: 200, intent: 'succeeded' })
      expect(body).not.toHaveProperty('latest_charge')
      const paid = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
      expect(paid).toMatchObject({
        status: 'succeeded',
        amount_received: 10_000,
        latest_charge: {
          amount: 10_000,
          amount_captured: 10_000,
          amount_refunded: 0,
          paid: true,
          payment_intent: intent.id,
          metadata: { attempt: 'a1' },
          payment_method_details: { card: { last4: number.slice(-4), exp_month: 12, exp_year: 2030 } },
          status: 'succeeded',
        },
      })
      const charge = paid.latest_charge as Stripe.Charge
      expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ id: charge.id, paid: true })
    },
  )

  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000000069', 'expired_card', undefined],
    ['4000000000000127', 'incorrect_cvc', undefined],
    ['4000000000000119', 'processing_error', undefined],
    ['4111111111111111', 'card_declined', 'test_mode_live_card'],
  ])('with %s is declined, and another card can follow', async (number, code, declineCode) => {
    const intent = await newIntent()
    const { status, body } = await confirm(intent, card(number))
    expect(status).toBe(402)
    expect(body.error).toMatchObject({
      type: 'card_error',
      code,
      message: expect.stringMatching(/\.$/),
      charge: expect.stringMatching(/^ch_/),
      payment_intent: {
        id: intent.id,
        status: 'requires_payment_method',
        payment_method: null,
        last_payment_error: { type: 'card_error', code },
      },
    })
    expect(body.error.decline_code).toBe(declineCode)
    expect(eventTypes()).toEqual(['payment_intent.created', 'charge.failed', 'payment_intent.payment_failed'])
    const retried = await confirm(intent, card('4242424242424242'))
    expect(retried.body).toMatchObject({ status: 'succeeded', last_payment_error: null })
    expect(standIn.charges().map(({ paid }) => paid)).toEqual([false, true])
  })

  test.each([
    [card('4242424242424241'), 'incorrect_number', 'number'],
    [
      card('4242424242424242', { 'payment_method_data[card][exp_year]': '25' }),
      'invalid_expiry_year',
      'exp_year',
    ],
    [
      card('4242424242424242', {
        'payment_method_data[card][exp_month]': '10',
        'payment_method_data[card][exp_year]': '2026',
      }),
      'invalid_expiry_month',
      'exp_month',
    ],
    [card('4242424242424242', { 'payment_method_data[card][cvc]': '12' }), 'invalid_cvc', 'cvc'],
  ])(
    'with a card that cannot be one is refused before anything is tried (%#)',
    async (params, code, param) => {
      const intent = await newIntent()
      const { status, body } = await confirm(intent, params)
      expect({ status, error: body.error }).toMatchObject({
        status: 402,
        error: { type: 'card_error', code, param },
      })
      expect(eventTypes()).toEqual(['payment_intent.created'])
      expect(standIn.charges()).toEqual([])
    },
  )

  test('twice charges once', async () => {
    const intent = await newIntent()
    const both = await Promise.all([
      confirm(intent, card('4242424242424242')),
      confirm(intent, card('4242424242424242')),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    const refused = both.find(({ status }) => status === 400)
    expect(refused?.body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: intent.id, status: 'succeeded' },
    })
    expect(standIn.charges()).toHaveLength(1)
  })

  test('without a card, or with another client secret, is refused', async () => {
    const intent = await newIntent()
    const other = await newIntent()
    expect((await confirm(intent, { return_url: 'http://localhost/' })).body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    expect(
      (await confirm(intent, { ...card('4242424242424242'), client_secret: other.client_secret ?? '' })).body
        .error,
    ).toMatchObject({ param: 'client_secret' })
    expect(standIn.charges()).toEqual([])
  })

  test('from a server takes a published payment method, and a return address where one could be needed', async () => {
    const intent = await newIntent()
    expect(
      await failure(stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })),
    ).toMatchObject({ param: 'return_url' })
    const paid = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_visa',
      return_url: 'http://localhost/payment-complete',
      expand: ['payment_method'],
    })
    expect(paid).toMatchObject({
      status: 'succeeded',
      payment_method: { card: { brand: 'visa', last4: '4242' } },
    })
    const here = await newIntent({ automatic_payment_methods: { enabled: true, allow_redirects: 'never' } })
    const declined = await failure(
      stripe.paymentIntents.confirm(here.id, { payment_method: 'pm_card_visa_chargeDeclined' }),
    )
    expect(declined).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect(declined).toMatchObject({ code: 'card_declined', decline_code: 'generic_decline' })
  })
})

describe('slow card networks', () => {
  test.each([
    ['4242424242424242', 'succeeded', 'payment_intent.succeeded'],
    ['4000000000000002', 'requires_payment_method', 'payment_intent.payment_failed'],
  ])(
    'keep %s processing, neither confirmed again nor canceled, until it is %s',
    async (number, end, event) => {
      standIn.slowNetworks(true)
      const intent = await newIntent()
      const { status, body } = await confirm(intent, card(number))
      expect({ status, intent: body.status }).toEqual({ status: 200, intent: 'processing' })
      expect((await confirm(intent, card(number))).body.error.code).toBe('payment_intent_unexpected_state')
      expect(await failure(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
        code: 'payment_intent_unexpected_state',
      })
      expect(standIn.charges()).toEqual([])
      standIn.finishProcessing(intent.id)
      standIn.finishProcessing(intent.id)
      expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe(end)
      expect(eventTypes()).toEqual([
        'payment_intent.created',
        'payment_intent.processing',
        event === 'payment_intent.succeeded' ? 'charge.succeeded' : 'charge.failed',
        event,
      ])
    },
  )
})

describe('3-D Secure', () => {
  test.each(['4000002760003184', '4000000000003220'])(
    '%s asks the cardholder, then is paid',
    async (number) => {
      const intent = await newIntent()
      const { status, body } = await confirm(intent, card(number))
      expect({ status, intent: body }).toMatchObject({
        status: 200,
        intent: {
          status: 'requires_action',
          next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } },
        },
      })
      expect(standIn.charges()).toEqual([])
      const { source } = body.next_action.use_stripe_sdk
      const shown = await fetch(`${server.origin}/sandbox/stripe/3ds/${source}`)
      expect(await shown.json()).toEqual({
        amount: 10_000,
        currency: 'eur',
        last4: number.slice(-4),
        pending: true,
      })
      expect(await answerChallenge(source, 'complete')).toEqual({
        status: 'succeeded',
        returnUrl: `http://localhost/payment-complete?payment_intent=${intent.id}&payment_intent_client_secret=${intent.client_secret}&redirect_status=succeeded`,
      })
      await answerChallenge(source, 'fail')
      expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
        status: 'succeeded',
        next_action: null,
      })
      expect(standIn.charges()).toHaveLength(1)
      expect(eventTypes()).toEqual([
        'payment_intent.created',
        'payment_intent.requires_action',
        'charge.succeeded',
        'payment_intent.succeeded',
      ])
    },
  )

  test('refused by the cardholder leaves the intent open', async () => {
    const intent = await newIntent()
    const { body } = await confirm(intent, card('4000000000003220'))
    const answer = await answerChallenge(body.next_action.use_stripe_sdk.source, 'fail')
    expect(answer).toMatchObject({ status: 'requires_payment_method' })
    expect(answer.returnUrl).toContain('redirect_status=failed')
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
      },
    })
    expect(standIn.charges()).toEqual([])
  })

  test('can be passed and the card declined all the same', async () => {
    const intent = await newIntent()
    const { body } = await confirm(intent, card('4000008400001629'))
    await answerChallenge(body.next_action.use_stripe_sdk.source, 'complete')
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
    })
    expect(eventTypes()).toEqual([
      'payment_intent.created',
      'payment_intent.requires_action',
      'charge.failed',
      'payment_intent.payment_failed',
    ])
  })

  test('by redirect names the page to go to', async () => {
    const intent = await newIntent()
    const { body } = await confirm(intent, card('4000000000003220', { use_stripe_sdk: 'false' }))
    expect(body.next_action).toEqual({
      type: 'redirect_to_url',
      redirect_to_url: {
        url: expect.stringMatching(`^${server.origin}/sandbox/stripe/3ds\\?source=src_\\w+$`),
        return_url: 'http://localhost/payment-complete',
      },
    })
  })

  test('of a canceled intent, or one begun anew, changes nothing', async () => {
    const intent = await newIntent()
    const first = (await confirm(intent, card('4000000000003220'))).body.next_action.use_stripe_sdk.source
    const second = (await confirm(intent, card('4000000000003220'))).body.next_action.use_stripe_sdk.source
    expect(await answerChallenge(first, 'complete')).toMatchObject({ status: 'requires_action' })
    await stripe.paymentIntents.cancel(intent.id)
    expect(await answerChallenge(second, 'complete')).toMatchObject({ status: 'canceled' })
    expect(standIn.charges()).toEqual([])
  })
})

describe('refunds', () => {
  test('give back the whole amount once', async () => {
    const intent = await newIntent()
    await confirm(intent, card('4242424242424242'))
    const refund = await stripe.refunds.create({
      payment_intent: intent.id,
      reason: 'requested_by_customer',
      metadata: { why: 'cap' },
    })
    expect(refund).toMatchObject({
      object: 'refund',
      amount: 10_000,
      currency: 'eur',
      payment_intent: intent.id,
      reason: 'requested_by_customer',
      metadata: { why: 'cap' },
      status: 'succeeded',
    })
    const error = await failure(stripe.refunds.create({ payment_intent: intent.id }))
    expect(error).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' })
    expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund)
    expect((await stripe.refunds.list({ payment_intent: intent.id })).data).toEqual([refund])
    const { id: other } = await newIntent()
    expect((await stripe.refunds.list({ payment_intent: other })).data).toEqual([])
    expect(await stripe.charges.retrieve(String(refund.charge))).toMatchObject({
      amount_refunded: 10_000,
      refunded: true,
    })
    expect(standIn.events().findLast(({ type }) => type === 'charge.refunded')).toMatchObject({
      type: 'charge.refunded',
      data: { object: { object: 'charge', amount_refunded: 10_000, refunded: true } },
    })
  })

  test('can be partial, but never more than is left', async () => {
    const intent = await newIntent()
    await confirm(intent, card('4242424242424242'))
    await stripe.refunds.create({ payment_intent: intent.id, amount: 4000 })
    const error = await failure(stripe.refunds.create({ payment_intent: intent.id, amount: 6001 }))
    expect(error).toMatchObject({ statusCode: 400, param: 'amount' })
    expect((await stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(6000)
    expect(standIn.refunds().map(({ amount }) => amount)).toEqual([4000, 6000])
  })

  test('of a card whose issuer is slow are pending, and then succeed', async () => {
    const intent = await newIntent()
    await confirm(intent, card('4000000000007726'))
    const { id, ...refund } = await stripe.refunds.create({ payment_intent: intent.id })
    expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' })
    const again = await failure(stripe.refunds.create({ payment_intent: intent.id }))
    expect(again).toMatchObject({ code: 'charge_already_refunded' })
    now += 59_000
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'pending' })
    now += 1000
    const decided = await stripe.refunds.retrieve(id)
    expect(decided.status).toBe('succeeded')
    expect(decided.pending_reason).toBeUndefined()
    const [made, event, ...more] = standIn.events().filter(({ type }) => type.startsWith('refund.'))
    expect(made).toMatchObject({ type: 'refund.created', data: { object: { id, status: 'pending' } } })
    expect(event).toMatchObject({ type: 'refund.updated', data: { object: { id, status: 'succeeded' } } })
    expect(more).toEqual([])
  })

  test('of a card that was closed fail after they had succeeded, and what they gave back is there again', async () => {
    const intent = await newIntent()
    await confirm(intent, card('4000000000005126'))
    const { id, status } = await stripe.refunds.create({ payment_intent: intent.id })
    expect(status).toBe('succeeded')
    now += 60_000
    const { charge, ...failed } = await stripe.refunds.retrieve(id)
    expect(failed).toMatchObject({ status: 'failed', failure_reason: 'expired_or_canceled_card' })
    expect(await stripe.charges.retrieve(String(charge))).toMatchObject({
      amount_refunded: 0,
      refunded: false,
    })
    expect(standIn.events().at(-1)).toMatchObject({ type: 'refund.failed', data: { object: { id } } })
    const second = await stripe.refunds.create({ payment_intent: intent.id })
    now += 60_000
    expect(await stripe.refunds.retrieve(second.id)).toMatchObject({ status: 'succeeded' })
  })

  test('need a successful charge', async () => {
    const intent = await newIntent()
    expect(await failure(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      statusCode: 400,
      param: 'payment_intent',
    })
    await confirm(intent, card('4000000000000002'))
    expect(await failure(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      statusCode: 400,
    })
    expect(standIn.refunds()).toEqual([])
  })
})

describe('idempotency keys', () => {
  const params = { amount: 10_000, currency: 'eur', metadata: { b: '2', a: '1' } }
  const key = { idempotencyKey: 'attempt-1' }

  test('get the first answer again', async () => {
    const first = await stripe.paymentIntents.create(params, key)
    await confirm(first, card('4242424242424242'))
    const second = await stripe.paymentIntents.create({ ...params, metadata: { a: '1', b: '2' } }, key)
    expect(second).toEqual(first)
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(standIn.paymentIntents()).toHaveLength(1)
  })

  test('are refused with other parameters or for another path', async () => {
    const intent = await stripe.paymentIntents.create(params, key)
    const error = await failure(stripe.paymentIntents.create({ ...params, amount: 10_001 }, key))
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    expect(error.statusCode).toBe(400)
    expect(await failure(stripe.paymentIntents.cancel(intent.id, {}, key))).toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    )
    expect(standIn.paymentIntents()).toEqual([expect.objectContaining({ amount: 10_000 })])
  })

  test('are refused while the first request is in flight', async () => {
    const arrived = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    inFlight = () => {
      arrived.resolve()
      return finish.promise
    }
    const first = stripe.paymentIntents.create(params, key)
    await arrived.promise
    expect(await failure(stripe.paymentIntents.create(params, key))).toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
    })
    finish.resolve()
    expect(await stripe.paymentIntents.create(params, key)).toEqual(await first)
    expect(standIn.paymentIntents()).toHaveLength(1)
  })

  test('make one intent of many requests at once', async () => {
    const patient = new Stripe(secretKey, {
      host: '127.0.0.1',
      port: server.port,
      protocol: 'http',
      maxNetworkRetries: 5,
    })
    const intents = await Promise.all(
      Array.from({ length: 10 }, () => patient.paymentIntents.create(params, key)),
    )
    expect(new Set(intents.map(({ id }) => id)).size).toBe(1)
    expect(standIn.paymentIntents()).toHaveLength(1)
  })

  test('keep a decline, but not a request that did not validate', async () => {
    const intent = await newIntent({ automatic_payment_methods: { enabled: true, allow_redirects: 'never' } })
    const decline = () =>
      stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclined' }, key)
    const [first, second] = [await failure(decline()), await failure(decline())]
    expect(second.charge).toBe(first.charge)
    expect(standIn.charges()).toHaveLength(1)
    const corrected = { idempotencyKey: 'attempt-2' }
    await failure(stripe.paymentIntents.create({ ...params, amount: 1 }, corrected))
    expect(await stripe.paymentIntents.create(params, corrected)).toMatchObject({ amount: 10_000 })
  })

  test('are forgotten after 24 hours', async () => {
    const first = await stripe.paymentIntents.create(params, key)
    now += 24 * 60 * 60 * 1000 - 1
    expect((await stripe.paymentIntents.create(params, key)).id).toBe(first.id)
    now += 1
    expect((await stripe.paymentIntents.create(params, key)).id).not.toBe(first.id)
  })
})

describe('webhooks', () => {
  test('go where the endpoint is, of the kinds that it wants, while it is on', async () => {
    const [known] = (await stripe.webhookEndpoints.list()).data
    expect(known).toMatchObject({
      object: 'webhook_endpoint',
      url: endpoint.origin,
      api_version: Stripe.API_VERSION,
      enabled_events: ['*'],
      status: 'enabled',
    })
    const id = known?.id ?? ''
    await stripe.webhookEndpoints.update(id, { enabled_events: ['payment_intent.succeeded'] })
    await confirm(await newIntent(), card('4242424242424242'))
    await standIn.settled()
    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['payment_intent.succeeded'])

    expect(await stripe.webhookEndpoints.update(id, { disabled: true })).toMatchObject({ status: 'disabled' })
    await confirm(await newIntent(), card('4242424242424242'))
    await standIn.settled()
    expect(received).toHaveLength(1)
    expect(await failure(stripe.webhookEndpoints.update('we_other', { disabled: true }))).toMatchObject({
      code: 'resource_missing',
    })
  })

  const verified = ({ body, signature }: Received) =>
    stripe.webhooks.constructEvent(body, signature, webhookSecret, 300, undefined, now / 1000)

  test('are signed over the raw body, and carry the intent as it was', async () => {
    const intent = await newIntent()
    await confirm(intent, card('4242424242424242'))
    await standIn.settled()
    const events = received
      .map(verified)
      .filter(({ type }) => type.startsWith('payment_intent.'))
      .sort((a, b) => (a.type < b.type ? -1 : 1))
    expect(events).toMatchObject([
      {
        object: 'event',
        type: 'payment_intent.created',
        api_version: Stripe.API_VERSION,
        pending_webhooks: 1,
        data: { object: { id: intent.id, status: 'requires_payment_method' } },
      },
      {
        type: 'payment_intent.succeeded',
        data: { object: { id: intent.id, status: 'succeeded', amount_received: 10_000 } },
      },
    ])
    const [first] = received
    expect(() => first && verified({ ...first, body: `${first.body} ` })).toThrow(/signature/i)
    expect(standIn.events().map(({ pending_webhooks }) => pending_webhooks)).toEqual([0, 0, 0])
    const [listed] = (await stripe.events.list({ type: 'payment_intent.succeeded' })).data
    expect(listed?.id).toBe(events[1]?.id)
    expect((await stripe.events.retrieve(events[1]?.id ?? '')).type).toBe('payment_intent.succeeded')
  })

  test('are repeated until they are accepted', async () => {
    answers = [500, 302]
    await newIntent()
    await standIn.settled()
    expect(received).toHaveLength(3)
    expect(new Set(received.map((webhook) => verified(webhook).id)).size).toBe(1)
  })

  test('can be lost, or sent twice', async () => {
    deliver = async () => undefined
    await newIntent()
    await standIn.settled()
    expect(received).toEqual([])
    deliver = async (_, send) => {
      await send()
      await send()
    }
    await newIntent()
    await standIn.settled()
    expect(received).toHaveLength(2)
  })

  test('that are under way stop at a reset', async () => {
    answers = Array.from({ length: 20 }, () => 500)
    await newIntent()
    standIn.reset()
    await standIn.settled()
    expect(received).toEqual([])
  })
})

describe('the surface', () => {
  test('refuses a key that it does not know, and a publishable key for the secret side', async () => {
    expect(await failure(sdk('sk_test_other').paymentIntents.list())).toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    )
    expect((await fetch(`${server.origin}/v1/payment_intents`)).status).toBe(401)
    expect(await failure(sdk(publishableKey).paymentIntents.list())).toMatchObject({
      statusCode: 403,
      code: 'secret_key_required',
    })
  })

  test('reports what it does not stand in for', async () => {
    expect(await failure(stripe.coupons.create({ percent_off: 10 }))).toMatchObject({
      statusCode: 501,
      message: expect.stringContaining('POST /v1/coupons'),
    })
    await failure(newIntent({ statement_descriptor_suffix: 'x' }))
    await failure(newIntent({ expand: ['nonsense'] }))
    await failure(stripe.paymentIntents.search({ query: "metadata['attempt']:'a1'" }))
    expect((await fetch(`${server.origin}/sandbox/stripe/nothing`)).status).toBe(501)
    expect(unknown).toEqual([
      'stripe: POST /v1/coupons',
      'stripe: POST /v1/payment_intents parameter statement_descriptor_suffix',
      'stripe: POST /v1/payment_intents expand nonsense',
      'stripe: GET /v1/payment_intents/search',
      'stripe: GET /sandbox/stripe/nothing',
    ])
  })

  test('leaves the addresses of Firestore alone', async () => {
    expect((await fetch(`${server.origin}/v1/projects/p/databases/d/documents`)).status).toBe(404)
    expect(unknown).toEqual([])
  })

  test('answers other origins', async () => {
    const response = await fetch(`${server.origin}/v1/payment_intents/pi_1/confirm`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization')
  })

  test('serves its pages under a policy without inline code', async () => {
    for (const path of ['payment-element', '3ds']) {
      const response = await fetch(`${server.origin}/sandbox/stripe/${path}`)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(await response.text()).not.toMatch(/ style=|<style|<script>| on\w+=/)
    }
    const script = await fetch(`${server.origin}/sandbox/stripe/stripe.js`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test('comes back from a snapshot, with the webhooks that were still under way', async () => {
    const intent = await stripe.paymentIntents.create(
      { amount: 500, currency: 'eur' },
      { idempotencyKey: 'attempt-1' },
    )
    const dump = JSON.parse(JSON.stringify(standIn.dump()))
    standIn.reset()
    expect(standIn.paymentIntents()).toEqual([])
    received = []
    standIn.load(dump)
    await standIn.settled()
    expect(received.length).toBeGreaterThan(0)
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent)
    const again = await stripe.paymentIntents.create(
      { amount: 500, currency: 'eur' },
      { idempotencyKey: 'attempt-1' },
    )
    expect(again.id).toBe(intent.id)
  })
})
