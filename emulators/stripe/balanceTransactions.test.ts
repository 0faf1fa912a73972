import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Served, serve } from '../serve.ts'
import { createStripe, type StripeEmulator } from './stripe.ts'

let emulator: StripeEmulator
let server: Served
let stripe: Stripe
let time = Date.UTC(2026, 10, 20, 12)

beforeEach(async () => {
  time = Date.UTC(2026, 10, 20, 12)
  emulator = createStripe({
    secretKey: 'sk_test_sandbox',
    publishableKey: 'pk_test_sandbox',
    webhookSecret: 'whsec_sandbox',
    clock: { now: () => time },
    reportUnknown: (service, what) => expect.unreachable(`${service}: ${what}`),
    publicOrigin: () => server.origin,
    webhookUrl: () => null,
  })
  server = await serve((request) => emulator.app.fetch(request))
  const { port } = server
  stripe = new Stripe('sk_test_sandbox', { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 })
})
afterEach(() => server.close())

async function paidWith(payment_method: string, currency = 'eur') {
  const { id } = await stripe.paymentIntents.create({ amount: 10_000, currency })
  await stripe.paymentIntents
    .confirm(id, { payment_method, return_url: 'http://localhost/' })
    .catch(() => undefined)
  return id
}
const chargeOf = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] }))
    .latest_charge as Stripe.Charge
/** Newest first. */
const booked = async () =>
  (await stripe.balanceTransactions.list()).data.map(({ reporting_category: of, amount, fee, net }) => [
    of,
    amount,
    fee,
    net,
  ])

test('a charge is booked with its fee, and can be expanded', async () => {
  const charge = await chargeOf(await paidWith('pm_card_visa'))
  expect(charge.balance_transaction).toMatchObject({
    object: 'balance_transaction',
    type: 'charge',
    source: charge.id,
    amount: 10_000,
    currency: 'eur',
    exchange_rate: null,
    fee: 175,
    net: 9_825,
  })
  const { id } = charge.balance_transaction as Stripe.BalanceTransaction
  expect(await stripe.balanceTransactions.retrieve(id)).toMatchObject({ source: charge.id })
  expect((await stripe.balanceTransactions.list({ source: charge.id })).data).toHaveLength(1)
  await expect(stripe.balanceTransactions.retrieve('txn_none')).rejects.toMatchObject({ statusCode: 404 })
})

test('a charge that failed is not', async () => {
  await paidWith('pm_card_chargeDeclined')
  expect(await booked()).toEqual([])
})

test('francs of Guinea are exchanged to euros', async () => {
  const { balance_transaction: transaction } = await chargeOf(await paidWith('pm_card_visa', 'gnf'))
  expect(transaction).toMatchObject({ currency: 'eur', amount: 94, fee: 26, net: 68 })
})

test('a refund brings no fee back', async () => {
  const payment_intent = await paidWith('pm_card_visa')
  await stripe.refunds.create({ payment_intent, amount: 4_000 })
  expect(await booked()).toEqual([
    ['refund', -4_000, 0, -4_000],
    ['charge', 10_000, 175, 9_825],
  ])
})

test('a dispute takes the amount and a fee, and gives the amount back when it is won', async () => {
  const payment_intent = await paidWith('pm_card_createDispute')
  const { data } = await stripe.disputes.list({ payment_intent })
  const id = data[0]?.id ?? ''
  expect((await booked())[0]).toEqual(['dispute', -10_000, 1_500, -11_500])
  const evidence = { uncategorized_text: 'winning_evidence' }
  const won = await stripe.disputes.update(id, { evidence, submit: true })
  expect(won.balance_transactions.map(({ amount }) => amount)).toEqual([-10_000, 10_000])
  expect((await booked())[0]).toEqual(['dispute_reversal', 10_000, 0, 10_000])
})

test('a refund that is pending is booked when it is done, and once more when it fails', async () => {
  const payment_intent = await paidWith('pm_card_pendingRefund')
  const { id, balance_transaction: none } = await stripe.refunds.create({ payment_intent })
  expect(none).toBeNull()
  time += 120_000
  expect((await stripe.refunds.retrieve(id)).balance_transaction).toMatch(/^txn_/)
  const failing = await paidWith('pm_card_refundFail')
  await stripe.refunds.create({ payment_intent: failing })
  time += 120_000
  await stripe.refunds.list()
  expect((await booked()).map(([of, amount]) => [of, amount])).toEqual([
    ['refund_failure', 10_000],
    ['refund', -10_000],
    ['charge', 10_000],
    ['refund', -10_000],
    ['charge', 10_000],
  ])
})
