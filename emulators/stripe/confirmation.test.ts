import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  buildCardConfirmParams,
  catchStripeError,
  type StripeTestServer,
  serveStripe,
} from '../testing/stripe.ts'

let served: StripeTestServer
let stripe: Stripe
beforeEach(async () => {
  served = await serveStripe()
  stripe = served.stripe
})
afterEach(() => served.stop())

describe('confirming a payment', () => {
  test.each(['4242424242424242', '4242 4242 4242 4242', '4000000000000077', '5555555555554444'])(
    'a payment with the card %s succeeds',
    async (number) => {
      const intent = await served.newIntent({ metadata: { attempt: 'a1' } })
      const { status, body } = await served.confirm(intent, buildCardConfirmParams(number))
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
  ])('after a decline of %s, another card pays', async (number, code, declineCode) => {
    const intent = await served.newIntent()
    const { status, body } = await served.confirm(intent, buildCardConfirmParams(number))
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
    expect(served.eventTypes()).toEqual([
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
    ])
    const retried = await served.confirm(intent, buildCardConfirmParams('4242424242424242'))
    expect(retried.body).toMatchObject({ status: 'succeeded', last_payment_error: null })
    expect(served.emulator.charges().map(({ paid }) => paid)).toEqual([false, true])
  })

  test.each([
    ['incorrect_number', 'number', buildCardConfirmParams('4242424242424241')],
    [
      'invalid_expiry_year',
      'exp_year',
      buildCardConfirmParams('4242424242424242', { 'payment_method_data[card][exp_year]': '25' }),
    ],
    [
      'invalid_expiry_month',
      'exp_month',
      buildCardConfirmParams('4242424242424242', {
        'payment_method_data[card][exp_month]': '10',
        'payment_method_data[card][exp_year]': '2026',
      }),
    ],
    [
      'invalid_cvc',
      'cvc',
      buildCardConfirmParams('4242424242424242', { 'payment_method_data[card][cvc]': '12' }),
    ],
  ])('refuses an invalid card with the code %s and without a charge', async (code, param, params) => {
    const intent = await served.newIntent()
    const { status, body } = await served.confirm(intent, params)
    expect({ status, error: body.error }).toMatchObject({
      status: 402,
      error: { type: 'card_error', code, param },
    })
    expect(served.eventTypes()).toEqual(['payment_intent.created'])
    expect(served.emulator.charges()).toEqual([])
  })

  test('two simultaneous confirmations of a payment charge the card once', async () => {
    const intent = await served.newIntent()
    const both = await Promise.all([
      served.confirm(intent, buildCardConfirmParams('4242424242424242')),
      served.confirm(intent, buildCardConfirmParams('4242424242424242')),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    const refused = both.find(({ status }) => status === 400)
    expect(refused?.body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
      payment_intent: { id: intent.id, status: 'succeeded' },
    })
    expect(served.emulator.charges()).toHaveLength(1)
  })

  test('refuses to confirm without a card or the right secret', async () => {
    const intent = await served.newIntent()
    const other = await served.newIntent()
    expect((await served.confirm(intent, { return_url: 'http://localhost/' })).body.error).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    expect(
      (
        await served.confirm(intent, {
          ...buildCardConfirmParams('4242424242424242'),
          client_secret: other.client_secret ?? '',
        })
      ).body.error,
    ).toMatchObject({ param: 'client_secret' })
    expect(served.emulator.charges()).toEqual([])
  })

  test('a server confirms a payment with a published payment method', async () => {
    const intent = await served.newIntent()
    const paid = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_visa',
      return_url: 'http://localhost/payment-complete',
      expand: ['payment_method'],
    })
    expect(paid).toMatchObject({
      status: 'succeeded',
      payment_method: { card: { brand: 'visa', last4: '4242' } },
    })
    const here = await served.newIntent()
    const declined = await catchStripeError(
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
  ])('on slow networks, %s stays processing, then changes to %s', async (number, end, event) => {
    served.emulator.setSlowNetworks(true)
    const intent = await served.newIntent()
    const { status, body } = await served.confirm(intent, buildCardConfirmParams(number))
    expect({ status, intent: body.status }).toEqual({ status: 200, intent: 'processing' })
    expect((await served.confirm(intent, buildCardConfirmParams(number))).body.error.code).toBe(
      'payment_intent_unexpected_state',
    )
    expect(await catchStripeError(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    expect(served.emulator.charges()).toEqual([])
    served.emulator.finishProcessing(intent.id)
    served.emulator.finishProcessing(intent.id)
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe(end)
    expect(served.eventTypes()).toEqual([
      'payment_intent.created',
      'payment_intent.processing',
      event === 'payment_intent.succeeded' ? 'charge.succeeded' : 'charge.failed',
      event,
    ])
  })
})

describe('a 3-D Secure challenge', () => {
  test.each(['4000002760003184', '4000000000003220'])(
    'a payment with the card %s requires 3-D Secure, then succeeds',
    async (number) => {
      const intent = await served.newIntent()
      const { status, body } = await served.confirm(intent, buildCardConfirmParams(number))
      expect({ status, intent: body }).toMatchObject({
        status: 200,
        intent: {
          status: 'requires_action',
          next_action: { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } },
        },
      })
      expect(served.emulator.charges()).toEqual([])
      const { source } = body.next_action.use_stripe_sdk
      const shown = await fetch(`${served.origin}/sandbox/stripe/3ds/${source}`)
      expect(await shown.json()).toEqual({
        amount: 10_000,
        currency: 'eur',
        last4: number.slice(-4),
        pending: true,
      })
      expect(await served.answerChallenge(source, 'complete')).toEqual({
        status: 'succeeded',
        returnUrl: `http://localhost/payment-complete?payment_intent=${intent.id}&payment_intent_client_secret=${intent.client_secret}&redirect_status=succeeded`,
      })
      await served.answerChallenge(source, 'fail')
      expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
        status: 'succeeded',
        next_action: null,
      })
      expect(served.emulator.charges()).toHaveLength(1)
      expect(served.eventTypes()).toEqual([
        'payment_intent.created',
        'payment_intent.requires_action',
        'charge.succeeded',
        'payment_intent.succeeded',
      ])
    },
  )

  test('a failed 3-D Secure challenge charges nothing and leaves the payment open', async () => {
    const intent = await served.newIntent()
    const { body } = await served.confirm(intent, buildCardConfirmParams('4000000000003220'))
    const answer = await served.answerChallenge(body.next_action.use_stripe_sdk.source, 'fail')
    expect(answer).toMatchObject({ status: 'requires_payment_method' })
    expect(answer.returnUrl).toContain('redirect_status=failed')
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: {
        type: 'invalid_request_error',
        code: 'payment_intent_authentication_failure',
      },
    })
    expect(served.emulator.charges()).toEqual([])
  })

  test('a card can be declined after a successful 3-D Secure challenge', async () => {
    const intent = await served.newIntent()
    const { body } = await served.confirm(intent, buildCardConfirmParams('4000008400001629'))
    await served.answerChallenge(body.next_action.use_stripe_sdk.source, 'complete')
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
    })
    expect(served.eventTypes()).toEqual([
      'payment_intent.created',
      'payment_intent.requires_action',
      'charge.failed',
      'payment_intent.payment_failed',
    ])
  })

  test("without Stripe.js, a 3-D Secure challenge redirects to the bank's page", async () => {
    const intent = await served.newIntent()
    const { body } = await served.confirm(
      intent,
      buildCardConfirmParams('4000000000003220', { use_stripe_sdk: 'false' }),
    )
    expect(body.next_action).toEqual({
      type: 'redirect_to_url',
      redirect_to_url: {
        url: expect.stringMatching(`^${served.origin}/sandbox/stripe/3ds\\?source=src_\\w+$`),
        return_url: 'http://localhost/payment-complete',
      },
    })
  })

  test('a challenge after a cancellation or another confirmation has no effect', async () => {
    const intent = await served.newIntent()
    const first = (await served.confirm(intent, buildCardConfirmParams('4000000000003220'))).body.next_action
      .use_stripe_sdk.source
    const second = (await served.confirm(intent, buildCardConfirmParams('4000000000003220'))).body.next_action
      .use_stripe_sdk.source
    expect(await served.answerChallenge(first, 'complete')).toMatchObject({ status: 'requires_action' })
    await stripe.paymentIntents.cancel(intent.id)
    expect(await served.answerChallenge(second, 'complete')).toMatchObject({ status: 'canceled' })
    expect(served.emulator.charges()).toEqual([])
  })
})
