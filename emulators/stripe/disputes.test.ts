import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Served, serve } from '../serve.ts'
import { createStripe, type StripeEmulator } from './stripe.ts'

let emulator: StripeEmulator
let server: Served
let stripe: Stripe

beforeEach(async () => {
  emulator = createStripe({
    secretKey: 'sk_test_sandbox',
    publishableKey: 'pk_test_sandbox',
    webhookSecret: 'whsec_sandbox',
    clock: { now: () => Date.UTC(2026, 10, 20, 12) },
    reportUnknown: (service, what) => expect.unreachable(`${service}: ${what}`),
    publicOrigin: () => server.origin,
    webhookUrl: () => null,
  })
  server = await serve((request) => emulator.app.fetch(request))
  const { port } = server
  stripe = new Stripe('sk_test_sandbox', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 })
})
afterEach(() => server.close())

async function paidWith(card: string) {
  const { id } = await stripe.paymentIntents.create({ amount: 10_000, currency: 'eur' })
  await stripe.paymentIntents.confirm(id, { payment_method: card, return_url: 'http://localhost/' })
  return id
}
const disputeOf = async (payment_intent: string) =>
  (await stripe.disputes.list({ payment_intent })).data[0]?.id ?? ''
const told = () =>
  emulator
    .events()
    .map(({ type }) => type)
    .filter((type) => !type.startsWith('payment_intent') && type !== 'charge.succeeded')
const chargeOf = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })).latest_charge as Stripe.Charge
const evidence = (uncategorized_text: string) => ({ evidence: { uncategorized_text }, submit: true })

describe('a disputed charge', () => {
  test('can not be refunded while the bank has the money, nor once it is lost', async () => {
    const id = await paidWith('pm_card_createDispute')
    expect(await chargeOf(id)).toMatchObject({ disputed: true, refunded: false })
    const refund = () => stripe.refunds.create({ payment_intent: id })
    await expect(refund()).rejects.toMatchObject({ statusCode: 400, code: 'charge_disputed' })
    const dispute = await stripe.disputes.retrieve(await disputeOf(id))
    expect(dispute).toMatchObject({
      amount: 10_000,
      payment_intent: id,
      status: 'needs_response',
      is_charge_refundable: false,
    })
    expect(await stripe.disputes.update(dispute.id, evidence('losing_evidence'))).toMatchObject({
      status: 'lost',
    })
    await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' })
    await expect(stripe.disputes.close(dispute.id)).rejects.toMatchObject({ statusCode: 400 })
    expect(told()).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.dispute.closed',
    ])
  })

  test('can be refunded once the dispute is won', async () => {
    const id = await paidWith('pm_card_createDispute')
    const dispute = await stripe.disputes.update(await disputeOf(id), evidence('winning_evidence'))
    expect(dispute).toMatchObject({ status: 'won', is_charge_refundable: true })
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 10_000 })
    expect(await chargeOf(id)).toMatchObject({ disputed: true, refunded: true })
  })

  test('of which the bank only asks can be refunded at once', async () => {
    const id = await paidWith('pm_card_createDisputeInquiry')
    expect(await stripe.disputes.retrieve(await disputeOf(id))).toMatchObject({
      status: 'warning_needs_response',
      is_charge_refundable: true,
    })
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ status: 'succeeded' })
  })

  test('in part can be refunded for the rest, and is lost when nothing is said', async () => {
    const id = await paidWith('pm_card_visa')
    emulator.dispute(id, 4000)
    expect(await stripe.disputes.close(await disputeOf(id))).toMatchObject({ amount: 4000, status: 'lost' })
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 6000 })
  })
})

test('an issuer warns of fraud', async () => {
  const id = await paidWith('pm_card_createIssuerFraudRecord')
  const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id })
  expect(data).toMatchObject([{ actionable: true, fraud_type: 'unauthorized_use_of_card' }])
  expect(await stripe.radar.earlyFraudWarnings.retrieve(data[0]?.id ?? '')).toEqual(data[0])
  expect(told()).toEqual(['radar.early_fraud_warning.created'])
})

describe('a review', () => {
  test('is open until somebody approves it', async () => {
    const id = await paidWith('pm_card_riskLevelElevated')
    const { review } = await chargeOf(id)
    expect((await stripe.reviews.list()).data).toMatchObject([{ id: review, open: true, payment_intent: id }])
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ review })
    expect(await stripe.reviews.approve(review as string)).toMatchObject({
      open: false,
      closed_reason: 'approved',
    })
    expect((await stripe.reviews.list()).data).toEqual([])
    await expect(stripe.reviews.approve(review as string)).rejects.toMatchObject({ statusCode: 400 })
    expect(told()).toEqual(['review.opened', 'review.closed'])
  })

  test.each([
    ['fraudulent' as const, 'refunded_as_fraud'],
    [undefined, 'refunded'],
  ])('ends with the refund of its charge (%s)', async (reason, closed) => {
    const id = await paidWith('pm_card_riskLevelElevated')
    await stripe.refunds.create({ payment_intent: id, ...(reason && { reason }) })
    const { review } = await chargeOf(id)
    expect(await stripe.reviews.retrieve(review as string)).toMatchObject({
      open: false,
      closed_reason: closed,
    })
  })

  test('ends when the charge is disputed', async () => {
    const id = await paidWith('pm_card_riskLevelElevated')
    emulator.dispute(id)
    const { review } = await chargeOf(id)
    expect(await stripe.reviews.retrieve(review as string)).toMatchObject({ closed_reason: 'disputed' })
  })
})

test('every decline of a payment is a charge of its own, and events are listed by kind and time', async () => {
  const { id } = await stripe.paymentIntents.create({ amount: 10_000, currency: 'eur' })
  for (const payment_method of ['pm_card_visa_chargeDeclined', 'pm_card_visa_chargeDeclined', 'pm_card_visa'])
    await stripe.paymentIntents
      .confirm(id, { payment_method, return_url: 'http://localhost/' })
      .catch(() => null)
  const { data } = await stripe.charges.list({ payment_intent: id })
  expect(data.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'failed'])
  const types = ['payment_intent.payment_failed', 'payment_intent.succeeded']
  const since = async (gte: number) =>
    (await stripe.events.list({ types, created: { gte } })).data.map(({ type }) => type)
  const now = Date.UTC(2026, 10, 20, 12) / 1000
  expect(await since(now)).toEqual([types[1], types[0], types[0]])
  expect(await since(now + 1)).toEqual([])
})
