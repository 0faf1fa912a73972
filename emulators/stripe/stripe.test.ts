import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failure, publishableKey, type ServedStripe, serveStripe } from './testing.ts'

let served: ServedStripe
let stripe: Stripe
beforeEach(async () => {
  served = await serveStripe()
  stripe = served.stripe
})
afterEach(() => served.stop())

describe('the surface', () => {
  test('refuses a key that it does not know, and a publishable key for the secret side', async () => {
    expect(await failure(served.sdk('sk_test_other').paymentIntents.list())).toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    )
    expect((await fetch(`${served.origin}/v1/payment_intents`)).status).toBe(401)
    expect(await failure(served.sdk(publishableKey).paymentIntents.list())).toMatchObject({
      statusCode: 403,
      code: 'secret_key_required',
    })
  })

  test('reports what it does not stand in for', async () => {
    expect(await failure(stripe.coupons.create({ percent_off: 10 }))).toMatchObject({
      statusCode: 501,
      message: expect.stringContaining('POST /v1/coupons'),
    })
    await failure(served.newIntent({ statement_descriptor_suffix: 'x' }))
    await failure(served.newIntent({ expand: ['nonsense'] }))
    await failure(stripe.paymentIntents.search({ query: "metadata['attempt']:'a1'" }))
    expect((await fetch(`${served.origin}/sandbox/stripe/nothing`)).status).toBe(501)
    expect(served.unknown).toEqual([
      'stripe: POST /v1/coupons',
      'stripe: POST /v1/payment_intents parameter statement_descriptor_suffix',
      'stripe: POST /v1/payment_intents expand nonsense',
      'stripe: GET /v1/payment_intents/search',
      'stripe: GET /sandbox/stripe/nothing',
    ])
  })

  test('leaves the addresses of Firestore alone', async () => {
    expect((await fetch(`${served.origin}/v1/projects/p/databases/d/documents`)).status).toBe(404)
    expect(served.unknown).toEqual([])
  })

  test('answers other origins', async () => {
    const response = await fetch(`${served.origin}/v1/payment_intents/pi_1/confirm`, {
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
      const response = await fetch(`${served.origin}/sandbox/stripe/${path}`)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(await response.text()).not.toMatch(/ style=|<style|<script>| on\w+=/)
    }
    const script = await fetch(`${served.origin}/sandbox/stripe/stripe.js`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test('comes back from a snapshot, with the webhooks that were still under way', async () => {
    const intent = await stripe.paymentIntents.create(
      { amount: 500, currency: 'eur' },
      { idempotencyKey: 'attempt-1' },
    )
    const dump = JSON.parse(JSON.stringify(served.emulator.dump()))
    served.emulator.reset()
    expect(served.emulator.paymentIntents()).toEqual([])
    served.received = []
    served.emulator.load(dump)
    await served.emulator.settled()
    expect(served.received.length).toBeGreaterThan(0)
    expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent)
    const again = await stripe.paymentIntents.create(
      { amount: 500, currency: 'eur' },
      { idempotencyKey: 'attempt-1' },
    )
    expect(again.id).toBe(intent.id)
  })
})
