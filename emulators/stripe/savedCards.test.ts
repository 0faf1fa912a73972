import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  buildCardConfirmParams,
  catchStripeError,
  type StripeTestServer,
  serveStripe,
  TEST_PUBLISHABLE_KEY,
} from '../testing/stripe.ts'

let served: StripeTestServer
let stripe: Stripe
let customer: string

beforeEach(async () => {
  served = await serveStripe()
  stripe = served.stripe
  customer = (await stripe.customers.create({})).id
})
afterEach(() => served.stop())

const features = {
  payment_method_save: 'enabled',
  payment_method_save_usage: 'on_session',
  payment_method_redisplay: 'enabled',
  payment_method_remove: 'enabled',
} as const

const newSession = (of = customer) =>
  stripe.customerSessions.create({
    customer: of,
    components: { payment_element: { enabled: true, features } },
  })

const newIntent = (params: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  served.newIntent({ customer, ...params })

/** The card frame adds these if the user ticks the box. */
const SAVES = { 'payment_method_data[allow_redisplay]': 'always', setup_future_usage: 'on_session' }

async function ask<T>(path: string, { key = TEST_PUBLISHABLE_KEY, method = 'GET', params = {} as object }) {
  const query = new URLSearchParams(params as Record<string, string>)
  const response = await fetch(`${served.origin}${path}${method === 'GET' ? `?${query}` : ''}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    ...(method === 'POST' && { body: query }),
  })
  return { status: response.status, body: (await response.json()) as T }
}

interface Elements {
  customer: {
    default_payment_method: null
    payment_methods: readonly Stripe.PaymentMethod[]
    customer_session: { api_key: string; api_key_expiry: number; components: object; customer: string }
  }
  error: { message: string }
}

const open = (intent: Stripe.PaymentIntent, session: Stripe.CustomerSession) =>
  ask<Elements>('/v1/elements/sessions', {
    params: {
      client_secret: intent.client_secret ?? '',
      customer_session_client_secret: session.client_secret,
    },
  })

async function saved(number = '4242424242424242') {
  const intent = await newIntent()
  const { body } = await served.confirm(intent, buildCardConfirmParams(number, SAVES))
  if (body.status === 'requires_action')
    await served.answerChallenge(body.next_action.use_stripe_sdk.source, 'complete')
  const { data } = await stripe.paymentMethods.list({ customer })
  const [method] = data
  if (!method) throw new Error('nothing was saved')
  return method
}

const payWith = (intent: Stripe.PaymentIntent, method: string, rest = {}) =>
  served.confirm(intent, {
    payment_method: method,
    use_stripe_sdk: 'true',
    return_url: 'http://a.b',
    ...rest,
  })

describe('saving a card', () => {
  test('a paid card is saved if the cardholder agreed', async () => {
    const method = await saved()
    expect(method).toMatchObject({ customer, allow_redisplay: 'always', card: { last4: '4242' } })
    expect(served.eventTypes()).toContain('payment_method.attached')
  })

  test('no consent, a decline or no customer leaves a card unsaved', async () => {
    await served.confirm(await newIntent(), buildCardConfirmParams('4242424242424242'))
    await served.confirm(await newIntent(), buildCardConfirmParams('4000000000000002', SAVES))
    await served.confirm(await served.newIntent(), buildCardConfirmParams('4242424242424242', SAVES))
    expect((await stripe.paymentMethods.list({ customer })).data).toEqual([])
  })

  test('a server’s card is shown only with allow_redisplay "always"', async () => {
    const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    const shown = async () =>
      (await open(await newIntent(), await newSession())).body.customer.payment_methods
    expect(await shown()).toEqual([])
    await stripe.paymentMethods.update(id, { allow_redisplay: 'limited' })
    expect(await shown()).toEqual([])
    await stripe.paymentMethods.update(id, { allow_redisplay: 'always' })
    expect(await shown()).toHaveLength(1)
  })
})

describe('a customer session', () => {
  test('a customer session opens once within half an hour, with three cards', async () => {
    for (const number of ['4242424242424242', '5555555555554444', '378282246310005', '4000002500000003'])
      await saved(number)
    const session = await newSession()
    expect(session.expires_at - session.created).toBe(1800)
    const intent = await newIntent()
    const { body } = await open(intent, session)
    expect(body.customer.payment_methods.map((one) => one.card?.last4)).toEqual(['0003', '0005', '4444'])
    expect((await open(intent, session)).status).toBe(400)
    const late = await newSession()
    served.now += 1800_000
    expect((await open(intent, late)).body.error.message).toMatch(/expired/)
  })

  test('a customer session does not open a payment of another customer', async () => {
    const other = await stripe.customers.create({})
    expect((await open(await newIntent(), await newSession(other.id))).status).toBe(400)
    expect((await open(await served.newIntent(), await newSession())).status).toBe(400)
  })

  test('a customer session requires a customer, and usage for saving', async () => {
    expect(await catchStripeError(newSession('cus_no'))).toMatchObject({
      code: 'resource_missing',
      param: 'customer',
    })
    const { payment_method_save_usage: _, ...without } = features
    const refused = stripe.customerSessions.create({
      customer,
      components: { payment_element: { enabled: true, features: without } },
    })
    expect(await catchStripeError(refused)).toMatchObject({ statusCode: 400 })
  })

  test('a session’s key detaches only its customer’s cards until it expires', async () => {
    const mine = await saved()
    const other = await stripe.customers.create({})
    const theirs = await stripe.paymentMethods.attach('pm_card_visa', { customer: other.id })
    const { body } = await open(await newIntent(), await newSession())
    const key = body.customer.customer_session.api_key
    const detach = (id: string) => ask(`/v1/payment_methods/${id}/detach`, { key, method: 'POST' })
    expect((await detach(theirs.id)).status).toBe(404)
    expect((await ask('/v1/customers', { key })).status).toBe(403)
    expect((await detach(mine.id)).status).toBe(200)
    expect((await stripe.paymentMethods.list({ customer })).data).toEqual([])
    const { status, body: refused } = await payWith(await newIntent(), mine.id)
    expect([status, refused.error.message]).toEqual([400, expect.stringMatching(/may not be used again/)])
    served.now += 1800_000
    expect((await detach(mine.id)).status).toBe(401)
  })
})

describe('paying with a saved card', () => {
  test('a payment with a saved card does not save another card', async () => {
    const { id } = await saved()
    const { body } = await payWith(await newIntent(), id)
    expect(body).toMatchObject({ status: 'succeeded', payment_method: id })
    expect((await stripe.paymentMethods.list({ customer })).data).toHaveLength(1)
  })

  test('a saved card is refused without its customer', async () => {
    const { id } = await saved()
    const other = await stripe.customers.create({})
    for (const intent of [await served.newIntent(), await newIntent({ customer: other.id })]) {
      expect((await payWith(intent, id)).status).toBe(400)
      expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
        status: 'requires_payment_method',
      })
    }
  })

  test('a payment with a saved 3-D Secure card requires 3-D Secure again', async () => {
    const { id } = await saved('4000002760003184')
    const { body } = await payWith(await newIntent(), id)
    expect(body.status).toBe('requires_action')
    const answer = await served.answerChallenge(body.next_action.use_stripe_sdk.source, 'complete')
    expect(answer).toMatchObject({ status: 'succeeded' })
  })

  test('a card that can be saved but not charged is declined', async () => {
    const { id } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    const { status, body } = await payWith(await newIntent(), id)
    expect([status, body.error.code]).toEqual([402, 'card_declined'])
  })

  test('a security code’s token, where required, is valid once', async () => {
    const { id } = await saved()
    const wanting = () => newIntent({ payment_method_options: { card: { require_cvc_recollection: true } } })
    expect((await payWith(await wanting(), id)).body.error.code).toBe('parameter_missing')
    const token = await ask<{ id: string }>('/v1/tokens', {
      method: 'POST',
      params: { 'cvc_update[cvc]': '123' },
    })
    const code = { 'payment_method_options[card][cvc_token]': token.body.id }
    expect((await payWith(await wanting(), id, code)).body.status).toBe('succeeded')
    expect((await payWith(await wanting(), id, code)).body.error.code).toBe('token_already_used')
    expect(
      (await served.confirm(await wanting(), buildCardConfirmParams('4242424242424242'))).body.status,
    ).toBe('succeeded')
  })
})

test('an intent’s customer is set once before its cancellation', async () => {
  const intent = await served.newIntent()
  const options = { payment_method_options: { card: { require_cvc_recollection: true } } }
  const updated = await stripe.paymentIntents.update(intent.id, { customer, ...options })
  expect(updated).toMatchObject({ customer, ...options })
  await stripe.paymentIntents.update(intent.id, { customer })
  const other = await stripe.customers.create({})
  expect(
    await catchStripeError(stripe.paymentIntents.update(intent.id, { customer: other.id })),
  ).toMatchObject({
    statusCode: 400,
  })
  expect(
    await catchStripeError(stripe.paymentIntents.update(intent.id, { customer: 'cus_no' })),
  ).toMatchObject({
    code: 'resource_missing',
  })
  await stripe.paymentIntents.cancel(intent.id)
  expect(await catchStripeError(stripe.paymentIntents.update(intent.id, { customer }))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
})

test('updating a payment intent keeps the card options that are left out', async () => {
  const intent = await served.newIntent({
    payment_method_options: { card: { request_three_d_secure: 'any' } },
  })
  const update = { payment_method_options: { card: { require_cvc_recollection: true } } }
  const { payment_method_options } = await stripe.paymentIntents.update(intent.id, update)
  expect(payment_method_options).toEqual({
    card: { request_three_d_secure: 'any', require_cvc_recollection: true },
  })
})

test('a typed number and its test ID share a fingerprint', async () => {
  const pay = async (params: Record<string, string>) => {
    const intent = await served.newIntent()
    await served.confirm(intent, params)
    const { data } = await stripe.charges.list({ payment_intent: intent.id })
    return data[0]?.payment_method_details?.card?.fingerprint
  }
  const typed = await pay(buildCardConfirmParams('4242424242424242'))
  expect(typed).toMatch(/^\w{16}$/)
  expect(await pay({ payment_method: 'pm_card_visa' })).toBe(typed)
  expect(await pay({ payment_method: 'pm_card_mastercard' })).not.toBe(typed)
})

test('lists payment method domains by name', async () => {
  const domains = stripe.paymentMethodDomains
  const wallet = { status: 'active' as const }
  const domain = { domain_name: 'pay.example.com', enabled: true, apple_pay: wallet, google_pay: wallet }
  served.change(({ paymentMethodDomains }) =>
    paymentMethodDomains.push(['pmd_1', { id: 'pmd_1', created: 1, ...domain }]),
  )
  expect((await domains.list({ domain_name: 'other.example.com' })).data).toEqual([])
  const { data } = await domains.list({ domain_name: 'pay.example.com' })
  expect(data).toMatchObject([{ enabled: true, apple_pay: { status: 'active' } }])
})

test('a saved card can be charged after a dump is loaded', async () => {
  const { id } = await saved()
  const dump = structuredClone(served.emulator.dump())
  served.emulator.reset()
  served.emulator.load(dump)
  expect((await payWith(await newIntent(), id)).body.status).toBe('succeeded')
  expect(served.unknown).toEqual([])
})
