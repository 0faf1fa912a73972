import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  buildCardConfirmParams,
  catchStripeError,
  type StripeTestServer,
  serveStripe,
  TEST_PUBLISHABLE_KEY,
  TEST_SECRET_KEY,
} from '../testing/stripe.ts'

let served: StripeTestServer
let stripe: Stripe
beforeEach(async () => {
  served = await serveStripe()
  stripe = served.stripe
})
afterEach(() => served.stop())

describe('payment intents', () => {
  test('creates a payment intent with the requested values', async () => {
    const intent = await served.newIntent({
      metadata: { attempt: 'a1' },
      description: 'Transfer to +224 ** 00',
    })
    expect(intent).toMatchObject({
      object: 'payment_intent',
      amount: 10_000,
      amount_received: 0,
      currency: 'eur',
      created: served.now / 1000,
      description: 'Transfer to +224 ** 00',
      metadata: { attempt: 'a1' },
      payment_method_types: ['card'],
      latest_charge: null,
      last_payment_error: null,
      status: 'requires_payment_method',
    })
    expect(intent.id).toMatch(/^pi_\w{24}$/)
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_\\w{25}$`))
    expect(intent.lastResponse.requestId).toMatch(/^req_/)
    expect(served.emulator.paymentIntents()).toEqual([expect.objectContaining({ id: intent.id })])
  })

  test('a payment intent allows cards as the only payment method type', async () => {
    const cards = { amount: 10_000, currency: 'eur', allowed_payment_method_types: ['card'] }
    expect(await stripe.paymentIntents.create(cards)).toMatchObject({
      allowed_payment_method_types: ['card'],
      payment_method_types: ['card'],
    })
    const debits = { ...cards, allowed_payment_method_types: ['card', 'sepa_debit'] }
    expect(await catchStripeError(stripe.paymentIntents.create(debits))).toMatchObject({ statusCode: 501 })
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
    [{ metadata: { note: 'x'.repeat(501) } }, undefined, 'metadata[note]'],
  ])('refuses a payment intent with %o', async (params, code, param) => {
    const error = await catchStripeError(served.newIntent(params))
    expect(error).toBeInstanceOf(Stripe.errors.StripeInvalidRequestError)
    expect({ statusCode: error.statusCode, code: error.code, param: error.param }).toEqual({
      statusCode: 400,
      code,
      param,
    })
    expect(served.emulator.paymentIntents()).toEqual([])
  })

  test('a client secret lets browsers read an intent without its metadata', async () => {
    const intent = await served.newIntent({ metadata: { attempt: 'a1' } })
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent)
    const browser = served.sdk(TEST_PUBLISHABLE_KEY)
    const seen = await browser.paymentIntents.retrieve(intent.id, {
      client_secret: intent.client_secret ?? '',
    })
    expect(seen).toMatchObject({ id: intent.id, amount: 10_000, status: 'requires_payment_method' })
    expect(seen).not.toHaveProperty('metadata')
    expect(await catchStripeError(browser.paymentIntents.retrieve(intent.id))).toMatchObject({
      code: 'parameter_missing',
      param: 'client_secret',
    })
    expect(
      await catchStripeError(
        browser.paymentIntents.retrieve(intent.id, { client_secret: `${intent.id}_secret_x` }),
      ),
    ).toMatchObject({ statusCode: 400, param: 'client_secret' })
    for (const id of ['pi_none', 'not an id'])
      expect(await catchStripeError(stripe.paymentIntents.retrieve(id))).toMatchObject({
        statusCode: 404,
        code: 'resource_missing',
        message: `No such payment_intent: '${id}'`,
      })
  })

  test('updating a payment intent merges its metadata by key', async () => {
    const intent = await served.newIntent({ metadata: { keep: '1', drop: '2' } })
    const updated = await stripe.paymentIntents.update(intent.id, { metadata: { drop: '', add: '3' } })
    expect(updated.metadata).toEqual({ keep: '1', add: '3' })
  })

  test('payment intents are listed newest first, in pages and by time', async () => {
    const intents: Stripe.PaymentIntent[] = []
    for (let index = 0; index < 5; index += 1) {
      intents.push(await served.newIntent())
      served.now += 1000
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
    const since = intents[3]?.created ?? 0
    const recent = await stripe.paymentIntents.list({ created: { gte: since } })
    expect(recent.data.map(({ id }) => id)).toEqual([fifth, fourth])
    const all: string[] = []
    for await (const { id } of stripe.paymentIntents.list({ limit: 2 })) all.push(id)
    expect(all).toEqual([fifth, fourth, third, second, first])
  })

  test('a payment intent can be canceled once, and not after the payment', async () => {
    const intent = await served.newIntent()
    expect(await stripe.paymentIntents.cancel(intent.id)).toMatchObject({
      status: 'canceled',
      canceled_at: served.now / 1000,
    })
    expect(await catchStripeError(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: intent.id, status: 'canceled' },
    })
    expect(
      (await served.confirm(intent, buildCardConfirmParams('4242424242424242'))).body.error,
    ).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { status: 'canceled' },
    })
    const paid = await served.newIntent()
    await served.confirm(paid, buildCardConfirmParams('4242424242424242'))
    expect(await catchStripeError(stripe.paymentIntents.cancel(paid.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: paid.id, status: 'succeeded' },
    })
    expect(served.eventTypes()).toEqual([
      'payment_intent.created',
      'payment_intent.canceled',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
    ])
  })
})

describe('idempotency keys', () => {
  const params = { amount: 10_000, currency: 'eur', metadata: { b: '2', a: '1' } }
  const key = { idempotencyKey: 'attempt-1' }

  test('a repeated request with the same idempotency key returns the first response', async () => {
    const first = await stripe.paymentIntents.create(params, key)
    await served.confirm(first, buildCardConfirmParams('4242424242424242'))
    const second = await stripe.paymentIntents.create({ ...params, metadata: { a: '1', b: '2' } }, key)
    expect(second).toEqual(first)
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(served.emulator.paymentIntents()).toHaveLength(1)
  })

  test('refuses an idempotency key used for another request', async () => {
    const intent = await stripe.paymentIntents.create(params, key)
    const error = await catchStripeError(stripe.paymentIntents.create({ ...params, amount: 10_001 }, key))
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    expect(error.statusCode).toBe(400)
    expect(await catchStripeError(stripe.paymentIntents.cancel(intent.id, {}, key))).toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    )
    expect(served.emulator.paymentIntents()).toEqual([expect.objectContaining({ amount: 10_000 })])
  })

  test('simultaneous requests with one idempotency key create one intent', async () => {
    const patient = new Stripe(TEST_SECRET_KEY, {
      host: '127.0.0.1',
      port: served.port,
      protocol: 'http',
      maxNetworkRetries: 5,
    })
    const intents = await Promise.all(
      Array.from({ length: 10 }, () => patient.paymentIntents.create(params, key)),
    )
    expect(new Set(intents.map(({ id }) => id)).size).toBe(1)
    expect(served.emulator.paymentIntents()).toHaveLength(1)
  })

  test('an idempotency key stores a decline, but not a validation error', async () => {
    const intent = await served.newIntent()
    const decline = () =>
      stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclined' }, key)
    const [first, second] = [await catchStripeError(decline()), await catchStripeError(decline())]
    expect(second.charge).toBe(first.charge)
    expect(served.emulator.charges()).toHaveLength(1)
    const corrected = { idempotencyKey: 'attempt-2' }
    await catchStripeError(stripe.paymentIntents.create({ ...params, amount: 1 }, corrected))
    expect(await stripe.paymentIntents.create(params, corrected)).toMatchObject({ amount: 10_000 })
  })

  test('an idempotency key expires after 24 hours', async () => {
    const first = await stripe.paymentIntents.create(params, key)
    served.now += 24 * 60 * 60 * 1000 - 1
    expect((await stripe.paymentIntents.create(params, key)).id).toBe(first.id)
    served.now += 1
    expect((await stripe.paymentIntents.create(params, key)).id).not.toBe(first.id)
  })
})
