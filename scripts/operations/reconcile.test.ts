import type Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../../domain/common/duration.ts'
import type { JournalDocument } from '../../domain/journal/entry.ts'
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
  expect(await lines(DAY)).toEqual([HEAD, 'Nothing was charged.', 'Charges and books agree.'])
})

test('the report shows where the money of charges and refunds is', async () => {
  await sent()
  const { id, record } = await paid()
  await world.context.db.doc(`users/${world.sandbox.stripe.paymentIntents().at(-1)?.metadata.uid}`).delete()
  await record()
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id }])
  expect(await lines(DAY)).toEqual([
    HEAD,
    'Charges in EUR: 2, €200.00.',
    'EUR:',
    '  assets:stripe       €96.50  Our balance at Stripe',
    "  expenses:stripe     €3.50  Stripe's fees",
    '  liabilities:payers  -€100.00  Owed to payers, until their money has arrived',
    '  Sum: €0.00. Kept for clients (safeguarding): €100.00.',
    'Charges and books agree.',
  ])
  expect(await showReconciliation(world.context, DAY)).toMatchObject({ isBad: false })
})

test('the report shows a fee in an unsupported currency in minor units', async () => {
  const { stripe } = world.context
  vi.spyOn(stripe.charges, 'retrieve').mockImplementationOnce((async (id: string, asked: object) => {
    const charge = (await stripe.charges.list({ expand: ['data.balance_transaction'] }))
      .data[0] as Stripe.Charge
    expect({ id, asked }).toMatchObject({ id: charge.id })
    const booked = { ...(charge.balance_transaction as Stripe.BalanceTransaction), currency: 'chf' }
    return { ...charge, balance_transaction: booked }
  }) as unknown as typeof stripe.charges.retrieve)
  await sent()
  expect(await lines(DAY)).toContain("  expenses:stripe  175 minor units of CHF  Stripe's fees")
})

test('the report shows a transfer disputed after its payout as a loss', async () => {
  world.payOutAsDeployed()
  const { id, record } = await paid({ recipientPhone: '+224660000000', receivingMethod: 'mtn_money' })
  await record()
  world.pass(2 * MINUTE)
  await runDueWork(world.context)
  expect(await lines(DAY)).toContain('  revenues:fees    -€3.00  Fees earned')
  const dispute = world.sandbox.stripe.dispute(id) ?? ''
  await runDueWork(world.context)
  expect(await lines(DAY)).toContain('  assets:disputes  €100.00  Taken by banks that have not decided')
  await world.context.stripe.disputes.close(dispute)
  await runDueWork(world.context)
  const report = await lines(DAY)
  expect(report).toContain('  expenses:reversals  €100.00  Taken back although the payment stands: lost')
  expect(report.at(-1)).toBe('Charges and books agree.')
})

test('the report follows a lost dispute that is won later', async () => {
  const { id, record } = await paid()
  const dispute = world.sandbox.stripe.dispute(id) ?? ''
  await record()
  await world.context.stripe.disputes.close(dispute)
  await runDueWork(world.context)
  expect((await lines(DAY)).at(-1)).toBe('Charges and books agree.')
  world.sandbox.stripe.returnDisputedFunds(dispute, 4_000)
  const differs = (amount: string) =>
    `Differs by ${amount}: ${id}, the books and our balance at Stripe differ.`
  expect(await lines(DAY)).toContain(differs('€40.00'))
  world.sandbox.stripe.returnDisputedFunds(dispute)
  expect(await lines(DAY)).toContain(differs('€100.00'))
  // The checks of the debt have ended, and its event was lost.
  await world.context.db.doc(`refunds/${id}`).update({ checkAt: null })
  await runDueWork(world.context)
  expect((await lines(DAY)).at(-1)).toBe('Charges and books agree.')
})

test('the report shows a done refund whose payer can still claim', async () => {
  const id = await sent()
  const debt = { uid: 'ada', status: 'done', reason: 'undelivered', createdAt: 0, since: 0, checkAt: null }
  await world.context.db.doc(`refunds/${id}`).set(debt)
  expect(await lines(DAY)).toContain(
    `Differs by €100.00: ${id}, its refund is done, but its payer can still claim a part.`,
  )
})

test('the report shows a charge that is not booked after an hour', async () => {
  const { id } = await paid()
  expect((await lines(DAY)).slice(1)).toEqual(['Charges in EUR: 1, €100.00.', 'Charges and books agree.'])
  world.pass(2 * HOUR)
  expect((await lines(DAY)).slice(1)).toEqual([
    'Charges in EUR: 1, €100.00.',
    `Differs by €100.00: ${id}, charged, but not in the books.`,
    `Payments that differ: 1. To find out why: npm run ops -- explain ${id}`,
  ])
  expect(await showReconciliation(world.context, DAY)).toMatchObject({ isBad: true })
})

test('the report shows entries without a charge or with another amount', async () => {
  const id = await sent()
  const stored = world.context.db.doc(`journal/${id}_received`)
  const booked = (await stored.get()).data() as JournalDocument
  const [, fee] = booked.entries
  await world.context.db.doc('journal/pi_forged_received').set({ ...booked, about: 'pi_forged' })
  await stored.update({
    entries: [{ kind: 'cardIn', lines: [{ ...booked.entries[0]?.lines[0], minor: 9_000 }] }, fee],
  })
  expect((await lines(DAY)).filter((line) => line.startsWith('Differs'))).toEqual([
    `Differs by €10.00: ${id}, the books and our balance at Stripe differ.`,
    'Differs by -€98.25: pi_forged, in the books, but not charged.',
  ])
})

test('the report separates days, and ignores payments of another deployment', async () => {
  await sent()
  const metadata = { deployment: 'passerelle-staging', kind: 'transfer', uid: 'ada', attemptKey: 'x' }
  const { stripe } = world.context
  const { id } = await stripe.paymentIntents.create({ amount: 1000, currency: 'eur', metadata })
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa', return_url: 'http://localhost/' })
  expect(await lines(DAY)).toContain('Charges in EUR: 1, €100.00.')
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
