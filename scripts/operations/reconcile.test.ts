import type Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../../domain/duration.ts'
import { sweep } from '../../netlify/server/endpoints/sweep.ts'
import { record, testInEmptyWorld, world } from '../../netlify/testing/emptyWorld.ts'
import { started } from '../../netlify/testing/payments.ts'
import { requestOf } from '../../netlify/testing/world.ts'
import { CommandError } from './commandError.ts'
import { reconcile } from './reconcile.ts'

testInEmptyWorld()

const DAY = '2026-11-20'
const HEAD = `What cards paid on ${DAY} (UTC), and where it is now.`
const lines = async (day?: string) => (await reconcile(world.context, day)).lines

async function paid(changes: Parameters<typeof requestOf>[1] = {}) {
  const uid = await world.person()
  const request = requestOf(uid, changes)
  const { paymentIntentId: id } = await started(request)
  await world.pay(id)
  return { id, record: () => record(uid, request.attemptId) }
}
const sent = async () => {
  const { id, record } = await paid()
  await record()
  return id
}

test('a day without payments adds up', async () => {
  expect(await lines(DAY)).toEqual([HEAD, 'Nothing was paid.', 'It adds up.'])
})

test('recorded charges are sent, others are given back, and Stripe’s fees are shown', async () => {
  await sent()
  const { id, record } = await paid()
  await world.context.db.doc(`users/${world.sandbox.stripe.paymentIntents().at(-1)?.metadata.uid}`).delete()
  await record()
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id }])
  expect(await lines(DAY)).toEqual([
    HEAD,
    '2 in EUR: €200.00',
    '  Sent, and nobody pays out here €100.00',
    '  Given back                     €100.00',
    'Stripe has kept €3.50 for it.',
    'It adds up.',
  ])
  expect(await reconcile(world.context, DAY)).toMatchObject({ isBad: false })
})

test('fees in an unsupported currency are shown in its minor units', async () => {
  await sent()
  const { stripe } = world.context
  const inFrancs = (charge: Stripe.Charge): Stripe.Charge => ({
    ...charge,
    balance_transaction: {
      ...(charge.balance_transaction as Stripe.BalanceTransaction),
      currency: 'chf',
    },
  })
  vi.spyOn(stripe.charges, 'list').mockImplementationOnce((async (asked: Stripe.ChargeListParams) => {
    const page = await stripe.charges.list(asked)
    return { ...page, data: page.data.map(inFrancs) }
  }) as unknown as typeof stripe.charges.list)
  expect(await lines(DAY)).toContain('Stripe has kept 175 minor units of CHF for it.')
})

test('a transfer that is disputed after it was paid out is a loss', async () => {
  world.payOutAsDeployed()
  const { id, record } = await paid({ recipientPhone: '+224660000000', receivingMethod: 'mtn_money' })
  await record()
  world.pass(2 * MINUTE)
  await sweep(world.context)
  expect(await lines(DAY)).toContain('  Delivered                      €100.00')
  world.sandbox.stripe.dispute(id)
  expect((await lines(DAY)).slice(2)).toEqual([
    '  Delivered                      €100.00',
    '  Taken by a bank                €100.00',
    '  Sent, and taken back: lost     -€100.00',
    'Stripe has kept €16.75 for it.',
    'It adds up.',
  ])
})

test('a charge that is not recorded is reported after an hour', async () => {
  const { id } = await paid()
  expect(await lines(DAY)).toContain('  Being recorded                 €100.00')
  world.pass(2 * HOUR)
  expect((await lines(DAY)).slice(1)).toEqual([
    '1 in EUR: €100.00',
    'Stripe has kept €1.75 for it.',
    `Differs by €100.00: ${id}, charged, and neither recorded nor owed back.`,
    `1 of them does not add up: npm run ops -- explain ${id}`,
  ])
  expect(await reconcile(world.context, DAY)).toMatchObject({ isBad: true })
})

test('a record without a charge, and one with another amount, are reported', async () => {
  const id = await sent()
  const stored = world.context.db.doc(`transactions/${id}`)
  await world.context.db.doc('transactions/pi_forged').set((await stored.get()).data() ?? {})
  await stored.update({ amount: 87 })
  expect((await lines(DAY)).filter((line) => line.startsWith('Differs'))).toEqual([
    `Differs by €10.00: ${id}, recorded with another amount than was charged.`,
    'Differs by -€100.00: pi_forged, recorded, and not charged.',
  ])
})

test('each day has its own charges, and another deployment’s are left alone', async () => {
  await sent()
  const metadata = { deployment: 'passerelle-staging', kind: 'transfer', uid: 'ada', attemptKey: 'x' }
  const { stripe } = world.context
  const { id } = await stripe.paymentIntents.create({ amount: 1000, currency: 'eur', metadata })
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa', return_url: 'http://localhost/' })
  expect(await lines(DAY)).toContain('1 in EUR: €100.00')
  expect(await lines('2026-11-19')).toContain('Nothing was paid.')
  world.pass(24 * HOUR)
  // Yesterday's, when none is named.
  expect(await lines()).toEqual(await lines(DAY))
})

test.each(['20/11/2026', '2026-13-01', '2026-02-31', '2027-01-01'])('%s is refused as a day', async (day) => {
  await expect(lines(day)).rejects.toThrow(CommandError)
})
