import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
    clock: Date,
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
const fetchCharge = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] }))
    .latest_charge as Stripe.Charge
test('a charge expands to its balance transaction, which contains the fee', async () => {
  const charge = await fetchCharge(await paidWith('pm_card_visa'))
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
})

test('the balance transaction of a charge in Guinean francs is in euros', async () => {
  const { balance_transaction: transaction } = await fetchCharge(await paidWith('pm_card_visa', 'gnf'))
  expect(transaction).toMatchObject({ currency: 'eur', amount: 94, fee: 26, net: 68 })
})

test('a refund leaves the balance, and returns to it if it fails', async () => {
  const payment_intent = await paidWith('pm_card_visa')
  const { id } = await stripe.refunds.create({ payment_intent, amount: 400 })
  const expand = ['balance_transaction', 'failure_balance_transaction']
  expect(await stripe.refunds.retrieve(id, { expand })).toMatchObject({
    balance_transaction: { type: 'refund', source: id, amount: -400, fee: 0, net: -400 },
    failure_balance_transaction: null,
  })
})

test('a dispute withdraws amount and fee; winning returns the amount', async () => {
  const payment_intent = await paidWith('pm_card_createDispute')
  const { data } = await stripe.disputes.list({ payment_intent })
  const id = data[0]?.id ?? ''
  expect(data[0]?.balance_transactions).toMatchObject([
    { reporting_category: 'dispute', amount: -10_000, fee: 1_500, net: -11_500 },
  ])
  const evidence = { uncategorized_text: 'winning_evidence' }
  const won = await stripe.disputes.update(id, { evidence, submit: true })
  expect(won.balance_transactions).toMatchObject([
    { reporting_category: 'dispute' },
    { reporting_category: 'dispute_reversal', amount: 10_000, fee: 0, net: 10_000 },
  ])
})
