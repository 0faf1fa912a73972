import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  catchStripeError,
  type StripeTestServer,
  serveStripe,
  TEST_PUBLISHABLE_KEY,
} from '../testing/stripe.ts'

let served: StripeTestServer
let stripe: Stripe
beforeEach(async () => {
  served = await serveStripe()
  stripe = served.stripe
})
afterEach(() => served.stop())

describe('the HTTP API', () => {
  test('refuses an unknown key, or a publishable one for secrets', async () => {
    expect(await catchStripeError(served.sdk('sk_test_other').paymentIntents.list())).toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    )
    expect((await fetch(`${served.origin}/v1/payment_intents`)).status).toBe(401)
    expect(await catchStripeError(served.sdk(TEST_PUBLISHABLE_KEY).paymentIntents.list())).toMatchObject({
      statusCode: 403,
      code: 'secret_key_required',
    })
  })

  test('the Stripe emulator answers unsupported calls with 501 and reports them', async () => {
    expect(await catchStripeError(stripe.coupons.create({ percent_off: 10 }))).toMatchObject({
      statusCode: 501,
      message: expect.stringContaining('POST /v1/coupons'),
    })
    await catchStripeError(served.newIntent({ statement_descriptor_suffix: 'x' }))
    await catchStripeError(served.newIntent({ expand: ['nonsense'] }))
    await catchStripeError(stripe.paymentIntents.search({ query: "metadata['attempt']:'a1'" }))
    expect((await fetch(`${served.origin}/sandbox/stripe/nothing`)).status).toBe(501)
    expect(served.unknown).toEqual([
      'stripe: POST /v1/coupons',
      'stripe: POST /v1/payment_intents parameter statement_descriptor_suffix',
      'stripe: POST /v1/payment_intents expand nonsense',
      'stripe: GET /v1/payment_intents/search',
      'stripe: GET /sandbox/stripe/nothing',
    ])
  })

  test('the Stripe emulator ignores the paths of Firestore', async () => {
    expect((await fetch(`${served.origin}/v1/projects/p/databases/d/documents`)).status).toBe(404)
    expect(served.unknown).toEqual([])
  })

  test('the Stripe emulator allows requests from another origin', async () => {
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

  test('the pages have a policy that forbids inline code', async () => {
    for (const path of ['payment-element', '3ds']) {
      const response = await fetch(`${served.origin}/sandbox/stripe/${path}`)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(await response.text()).not.toMatch(/ style=|<style|<script>| on\w+=/)
    }
    const script = await fetch(`${served.origin}/sandbox/stripe/stripe.js`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test('the Stripe emulator restores a dump together with its pending webhooks', async () => {
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
