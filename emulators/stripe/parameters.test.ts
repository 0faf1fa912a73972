import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningServer, serve } from '../serve.ts'
import { createStripeEmulator } from './stripe.ts'

const secretKey = 'sk_test_parameters'
let unknown: string[]
let server: RunningServer
let stripe: Stripe

beforeEach(async () => {
  unknown = []
  const emulator = createStripeEmulator({
    secretKey,
    publishableKey: 'pk_test_parameters',
    webhookSecret: 'whsec_parameters',
    clock: Date,
    reportUnknown: (_, what) => unknown.push(what),
    publicOrigin: () => server.origin,
    webhookUrl: () => null,
  })
  server = await serve(emulator.app.fetch)
  const port = Number(new URL(server.origin).port)
  stripe = new Stripe(secretKey, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 })
})

afterEach(() => server.close())

const euros = { amount: 10_000, currency: 'eur' }

describe('filters of lists', () => {
  test.each<[string, (stripe: Stripe) => PromiseLike<unknown>, string]>([
    ['refunds', ({ refunds }) => refunds.list({ payment_intent: 'pi_no' }), 'payment_intent'],
    ['refunds of a charge', ({ refunds }) => refunds.list({ charge: 'ch_no' }), 'charge'],
    ['charges', ({ charges }) => charges.list({ payment_intent: 'pi_no' }), 'payment_intent'],
    ['disputes', ({ disputes }) => disputes.list({ payment_intent: 'pi_no' }), 'payment_intent'],
    ['warnings', ({ radar }) => radar.earlyFraudWarnings.list({ charge: 'ch_no' }), 'charge'],
    ['subscriptions', ({ subscriptions }) => subscriptions.list({ customer: 'cus_no' }), 'customer'],
    ['invoices', ({ invoices }) => invoices.list({ subscription: 'sub_no' }), 'subscription'],
    ['payments of an invoice', (api) => api.invoicePayments.list({ invoice: 'in_no' }), 'invoice'],
    ['checkouts', ({ checkout }) => checkout.sessions.list({ customer: 'cus_no' }), 'customer'],
  ])('refuses a list of %s filtered by a missing object', async (_, ask, param) => {
    await expect(ask(stripe)).rejects.toMatchObject({ statusCode: 400, code: 'resource_missing', param })
  })
})

describe('metadata', () => {
  test('an empty value removes a metadata key, an empty text all', async () => {
    const { id } = await stripe.paymentIntents.create({ ...euros, metadata: { a: '1', b: '2' } })
    const less = await stripe.paymentIntents.update(id, { metadata: { a: '' } })
    expect(less.metadata).toEqual({ b: '2' })
    expect((await stripe.paymentIntents.update(id, { metadata: '' })).metadata).toEqual({})
  })
})

test.each<[string, (stripe: Stripe) => PromiseLike<unknown>]>([
  ['parameter confirm', (api) => api.paymentIntents.create({ ...euros, confirm: true })],
  ['currency=jpy', (api) => api.paymentIntents.create({ ...euros, currency: 'jpy' })],
  ['parameter reason', (api) => api.reviews.approve('prv_1', { reason: 'known' } as object)],
  ['parameter reason', (api) => api.disputes.retrieve('du_1', { reason: 'known' } as object)],
  ['status=draft', (api) => api.invoices.list({ status: 'draft' })],
])('answers 501 to the unsupported %s and reports it', async (what, ask) => {
  await expect(ask(stripe)).rejects.toMatchObject({ statusCode: 501 })
  expect(unknown).toEqual([expect.stringContaining(what)])
})
