import type Stripe from 'stripe'
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

describe('refunding a payment', () => {
  test('a refund returns the whole amount by default, and only once', async () => {
    const intent = await served.newIntent()
    await served.confirm(intent, buildCardConfirmParams('4242424242424242'))
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
    const error = await catchStripeError(stripe.refunds.create({ payment_intent: intent.id }))
    expect(error).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' })
    expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund)
    expect((await stripe.refunds.list({ payment_intent: intent.id })).data).toEqual([refund])
    const { id: other } = await served.newIntent()
    expect((await stripe.refunds.list({ payment_intent: other })).data).toEqual([])
    expect(await stripe.charges.retrieve(String(refund.charge))).toMatchObject({
      amount_refunded: 10_000,
      refunded: true,
    })
    expect(served.emulator.events().findLast(({ type }) => type === 'charge.refunded')).toMatchObject({
      type: 'charge.refunded',
      data: { object: { object: 'charge', amount_refunded: 10_000, refunded: true } },
    })
  })

  test('a partial refund never exceeds the remaining amount', async () => {
    const intent = await served.newIntent()
    await served.confirm(intent, buildCardConfirmParams('4242424242424242'))
    await stripe.refunds.create({ payment_intent: intent.id, amount: 4000 })
    const error = await catchStripeError(stripe.refunds.create({ payment_intent: intent.id, amount: 6001 }))
    expect(error).toMatchObject({ statusCode: 400, param: 'amount' })
    expect((await stripe.refunds.create({ payment_intent: intent.id })).amount).toBe(6000)
    expect(served.emulator.refunds().map(({ amount }) => amount)).toEqual([4000, 6000])
  })

  test('a slow refund is pending for a minute, then succeeds', async () => {
    const intent = await served.newIntent()
    await served.confirm(intent, buildCardConfirmParams('4000000000007726'))
    const { id, ...refund } = await stripe.refunds.create({ payment_intent: intent.id })
    expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' })
    const again = await catchStripeError(stripe.refunds.create({ payment_intent: intent.id }))
    expect(again).toMatchObject({ code: 'charge_already_refunded' })
    served.now += 59_000
    expect(await stripe.refunds.retrieve(id)).toMatchObject({ status: 'pending' })
    served.now += 1000
    const decided = await stripe.refunds.retrieve(id)
    expect(decided.status).toBe('succeeded')
    expect(decided.pending_reason).toBeUndefined()
    const [made, event, ...more] = served.emulator.events().filter(({ type }) => type.startsWith('refund.'))
    expect(made).toMatchObject({ type: 'refund.created', data: { object: { id, status: 'pending' } } })
    expect(event).toMatchObject({ type: 'refund.updated', data: { object: { id, status: 'succeeded' } } })
    expect(more).toEqual([])
  })

  test('a failing refund fails after a minute, the next succeeds', async () => {
    const intent = await served.newIntent()
    await served.confirm(intent, buildCardConfirmParams('4000000000005126'))
    const { id, status } = await stripe.refunds.create({ payment_intent: intent.id })
    expect(status).toBe('succeeded')
    served.now += 60_000
    const { charge, ...failed } = await stripe.refunds.retrieve(id)
    expect(failed).toMatchObject({ status: 'failed', failure_reason: 'expired_or_canceled_card' })
    expect(await stripe.charges.retrieve(String(charge))).toMatchObject({
      amount_refunded: 0,
      refunded: false,
    })
    expect(served.emulator.events().at(-1)).toMatchObject({ type: 'refund.failed', data: { object: { id } } })
    const second = await stripe.refunds.create({ payment_intent: intent.id })
    served.now += 60_000
    expect(await stripe.refunds.retrieve(second.id)).toMatchObject({ status: 'succeeded' })
  })

  test('a refund is pending while the balance is empty, and then succeeds', async () => {
    const intent = await served.newIntent()
    await served.confirm(intent, buildCardConfirmParams('4242424242424242'))
    served.emulator.setBalanceEmpty(true)
    const made = await stripe.refunds.create({ payment_intent: intent.id })
    expect(made).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' })
    served.now += 60 * 86_400_000
    expect(await stripe.refunds.retrieve(made.id)).toMatchObject({ status: 'pending' })
    served.emulator.setBalanceEmpty(false)
    expect(await stripe.refunds.retrieve(made.id)).toMatchObject({ status: 'succeeded' })
  })

  test('a refund requires a successful charge', async () => {
    const intent = await served.newIntent()
    expect(await catchStripeError(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      statusCode: 400,
      param: 'payment_intent',
    })
    await served.confirm(intent, buildCardConfirmParams('4000000000000002'))
    expect(await catchStripeError(stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      statusCode: 400,
    })
    expect(served.emulator.refunds()).toEqual([])
  })
})
