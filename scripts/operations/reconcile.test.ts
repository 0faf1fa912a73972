import type Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../../domain/common/duration.ts'
import { runDueWork } from '../../netlify/server/endpoints/dueWork.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../netlify/testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../netlify/testing/payments.ts'
import { buildTransferRequest } from '../../netlify/testing/world.ts'
import { CommandError } from './commandError.ts'
import { showReconciliation } from './reconcile.ts'

resetWorldForEachTest()

const DAY = '2026-11-20'
const HEAD = `Card charges of ${DAY} (UTC), and where the money is now.`
const lines = async (day?: string) => (await showReconciliation(world.context, day)).lines

async function paid(changes: Parameters<typeof buildTransferRequest>[1] = {}) {
  const uid = await world.person()
  const request = buildTransferRequest(uid, changes)
  const { paymentIntentId: id } = await expectTransferPaymentStarted(request)
  await world.pay(id)
  return { id, record: () => recordPayment(uid, request.attemptId) }
}
const sent = async () => {
  const { id, record } = await paid()
  await record()
  return id
}

test('the report balances a day without payments', async () => {
  expect(await lines(DAY)).toEqual([HEAD, 'Nothing was charged.', 'Charges and records agree.'])
})

test('the report shows recorded charges, refunds and Stripe’s fees', async () => {
  await sent()
  const { id, record } = await paid()
  await world.context.db.doc(`users/${world.sandbox.stripe.paymentIntents().at(-1)?.metadata.uid}`).delete()
  await record()
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id }])
  expect(await lines(DAY)).toEqual([
    HEAD,
    '2 in EUR: €200.00',
    '  Recorded; payouts not set up   €100.00',
    '  Refunded                       €100.00',
    "Stripe's fees: €3.50.",
    'Charges and records agree.',
  ])
  expect(await showReconciliation(world.context, DAY)).toMatchObject({ isBad: false })
})

test('the report shows fees in an unsupported currency in minor units', async () => {
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
  expect(await lines(DAY)).toContain("Stripe's fees: 175 minor units of CHF.")
})

test('the report shows a transfer disputed after its payout as a loss', async () => {
  world.payOutAsDeployed()
  const { id, record } = await paid({ recipientPhone: '+224660000000', receivingMethod: 'mtn_money' })
  await record()
  world.pass(2 * MINUTE)
  await runDueWork(world.context)
  expect(await lines(DAY)).toContain('  Delivered                      €100.00')
  world.sandbox.stripe.dispute(id)
  expect((await lines(DAY)).slice(2)).toEqual([
    '  Delivered                      €100.00',
    '  Taken by a dispute             €100.00',
    '  Delivered, then reversed: lost -€100.00',
    "Stripe's fees: €16.75.",
    'Charges and records agree.',
  ])
})

test('the report follows a lost dispute that is won later', async () => {
  const { id, record } = await paid()
  const dispute = world.sandbox.stripe.dispute(id) ?? ''
  await record()
  await world.context.stripe.disputes.close(dispute)
  await runDueWork(world.context)
  expect(await lines(DAY)).toContain('  Taken by a dispute             €100.00')
  world.sandbox.stripe.returnDisputedFunds(dispute, 4_000)
  const shares = await lines(DAY)
  expect(shares).toContain('  Owed to the card               €40.00')
  expect(shares).toContain('  Taken by a dispute             €60.00')
  world.sandbox.stripe.returnDisputedFunds(dispute)
  expect(await lines(DAY)).toContain('  Owed to the card               €100.00')
  // The checks of the debt have ended, and its event was lost.
  await world.context.db.doc(`refunds/${id}`).update({ checkAt: null })
  expect(await lines(DAY)).toContain(
    `Differs by €100.00: ${id}, counts as refunded, but was not refunded in full.`,
  )
  await runDueWork(world.context)
  expect(await lines(DAY)).toContain('  Refunded                       €100.00')
})

test('the report shows a charge that is not recorded after an hour', async () => {
  const { id } = await paid()
  expect(await lines(DAY)).toContain('  Being recorded                 €100.00')
  world.pass(2 * HOUR)
  expect((await lines(DAY)).slice(1)).toEqual([
    '1 in EUR: €100.00',
    "Stripe's fees: €1.75.",
    `Differs by €100.00: ${id}, charged, but neither recorded nor owed back.`,
    `Payments that differ: 1. To find out why: npm run ops -- explain ${id}`,
  ])
  expect(await showReconciliation(world.context, DAY)).toMatchObject({ isBad: true })
})

test('the report shows records without a charge or with another amount', async () => {
  const id = await sent()
  const stored = world.context.db.doc(`transactions/${id}`)
  await world.context.db.doc('transactions/pi_forged').set((await stored.get()).data() ?? {})
  await stored.update({ amount: 87 })
  expect((await lines(DAY)).filter((line) => line.startsWith('Differs'))).toEqual([
    `Differs by €10.00: ${id}, recorded with a different amount than charged.`,
    'Differs by -€100.00: pi_forged, recorded, but not charged.',
  ])
})

test('the report separates days, and ignores payments of another deployment', async () => {
  await sent()
  const metadata = { deployment: 'passerelle-staging', kind: 'transfer', uid: 'ada', attemptKey: 'x' }
  const { stripe } = world.context
  const { id } = await stripe.paymentIntents.create({ amount: 1000, currency: 'eur', metadata })
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa', return_url: 'http://localhost/' })
  expect(await lines(DAY)).toContain('1 in EUR: €100.00')
  expect(await lines('2026-11-19')).toContain('Nothing was charged.')
  world.pass(24 * HOUR)
  expect(await lines()).toEqual(await lines(DAY))
})

test.each(['20/11/2026', '2026-13-01', '2026-02-31', '2027-01-01'])(
  'the report rejects %s as a day',
  async (day) => {
    await expect(lines(day)).rejects.toThrow(CommandError)
  },
)
