import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../serve.ts'
import { createStripeEmulator, type StripeEmulator } from './stripe.ts'

let emulator: StripeEmulator
let server: RunningServer
let stripe: Stripe

beforeEach(async () => {
  emulator = createStripeEmulator({
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
const fetchDispute = async (payment_intent: string) =>
  (await stripe.disputes.list({ payment_intent })).data[0]?.id ?? ''
const listEventTypes = () =>
  emulator
    .events()
    .map(({ type }) => type)
    .filter((type) => !type.startsWith('payment_intent') && type !== 'charge.succeeded')
const fetchCharge = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })).latest_charge as Stripe.Charge
const evidence = (uncategorized_text: string) => ({ evidence: { uncategorized_text }, submit: true })

describe('a disputed charge', () => {
  test('a disputed or lost charge can’t be refunded', async () => {
    const id = await paidWith('pm_card_createDispute')
    expect(await fetchCharge(id)).toMatchObject({ disputed: true, refunded: false })
    const refund = () => stripe.refunds.create({ payment_intent: id })
    await expect(refund()).rejects.toMatchObject({ statusCode: 400, code: 'charge_disputed' })
    const dispute = await stripe.disputes.retrieve(await fetchDispute(id))
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
    expect(listEventTypes()).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.dispute.closed',
    ])
  })

  test('a disputed charge can be refunded once the dispute is won', async () => {
    const id = await paidWith('pm_card_createDispute')
    const dispute = await stripe.disputes.update(await fetchDispute(id), evidence('winning_evidence'))
    expect(dispute).toMatchObject({ status: 'won', is_charge_refundable: true })
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 10_000 })
    expect(await fetchCharge(id)).toMatchObject({ disputed: true, refunded: true })
  })

  test('a charge under an inquiry can be refunded immediately', async () => {
    const id = await paidWith('pm_card_createDisputeInquiry')
    expect(await stripe.disputes.retrieve(await fetchDispute(id))).toMatchObject({
      status: 'warning_needs_response',
      is_charge_refundable: true,
    })
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ status: 'succeeded' })
  })

  test('closing a dispute loses it, and the rest stays refundable', async () => {
    const id = await paidWith('pm_card_visa')
    emulator.dispute(id, 4000)
    expect(await stripe.disputes.close(await fetchDispute(id))).toMatchObject({
      amount: 4000,
      status: 'lost',
    })
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 6000 })
  })

  test('money back from a lost dispute can be refunded', async () => {
    const id = await paidWith('pm_card_createDispute')
    const dispute = await stripe.disputes.close(await fetchDispute(id))
    emulator.returnDisputedFunds(dispute.id, 4000)
    const after = await stripe.disputes.retrieve(dispute.id)
    expect(after.status).toBe('lost')
    expect(after.balance_transactions.map(({ amount }) => amount)).toEqual([-10_000, 4000])
    await expect(stripe.refunds.create({ payment_intent: id, amount: 4001 })).rejects.toMatchObject({
      statusCode: 400,
    })
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 4000 })
  })

  test('a lost dispute whose money comes back is won', async () => {
    const id = await paidWith('pm_card_createDispute')
    const dispute = await stripe.disputes.close(await fetchDispute(id))
    emulator.returnDisputedFunds(dispute.id, 4000)
    emulator.returnDisputedFunds(dispute.id)
    const after = await stripe.disputes.retrieve(dispute.id)
    expect(after.status).toBe('won')
    expect(after.balance_transactions.map(({ amount }) => amount)).toEqual([-10_000, 4000, 6000])
    emulator.returnDisputedFunds(dispute.id)
    expect(listEventTypes().slice(-3)).toEqual([
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ])
  })
})

test('the fraud warning card raises an early fraud warning', async () => {
  const id = await paidWith('pm_card_createIssuerFraudRecord')
  const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id })
  expect(data).toMatchObject([{ actionable: true, fraud_type: 'unauthorized_use_of_card' }])
  expect(await stripe.radar.earlyFraudWarnings.retrieve(data[0]?.id ?? '')).toEqual(data[0])
  expect(listEventTypes()).toEqual(['radar.early_fraud_warning.created'])
})

describe('a review', () => {
  test('a review is open and listed until it is approved', async () => {
    const id = await paidWith('pm_card_riskLevelElevated')
    const { review } = await fetchCharge(id)
    expect((await stripe.reviews.list()).data).toMatchObject([{ id: review, open: true, payment_intent: id }])
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ review })
    expect(await stripe.reviews.approve(review as string)).toMatchObject({
      open: false,
      closed_reason: 'approved',
    })
    expect((await stripe.reviews.list()).data).toEqual([])
    await expect(stripe.reviews.approve(review as string)).rejects.toMatchObject({ statusCode: 400 })
    expect(listEventTypes()).toEqual(['review.opened', 'review.closed'])
  })

  test.each([
    ['fraudulent' as const, 'refunded_as_fraud'],
    [undefined, 'refunded'],
  ])('a refund for %s closes its charge’s review as %s', async (reason, closed) => {
    const id = await paidWith('pm_card_riskLevelElevated')
    await stripe.refunds.create({ payment_intent: id, ...(reason && { reason }) })
    const { review } = await fetchCharge(id)
    expect(await stripe.reviews.retrieve(review as string)).toMatchObject({
      open: false,
      closed_reason: closed,
    })
  })

  test('a review closes when the charge is disputed', async () => {
    const id = await paidWith('pm_card_riskLevelElevated')
    emulator.dispute(id)
    const { review } = await fetchCharge(id)
    expect(await stripe.reviews.retrieve(review as string)).toMatchObject({ closed_reason: 'disputed' })
  })
})

test('each declined attempt is listed as a separate charge and event', async () => {
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
