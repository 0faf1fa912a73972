import { expect, test } from 'vitest'
import { MINUTE } from '../../domain/common/duration.ts'
import { getBalance, listEntries, sumEntries } from '../../domain/journal/balances.ts'
import type { JournalAccount } from '../../domain/journal/entry.ts'
import { runDueWork } from '../../netlify/server/endpoints/dueWork.ts'
import { journal, parseJournalDocument } from '../../netlify/server/platform/journal.ts'
import { enableSimulatedProvider } from '../../netlify/testing/deliveries.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../netlify/testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../netlify/testing/payments.ts'
import { buildTransferRequest } from '../../netlify/testing/world.ts'
import { bookMovement } from './booksMove.ts'
import { runCommand } from './commands.ts'
import { addSignature } from './testing/addSignature.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const ops = async (...words: readonly string[]) =>
  (await runCommand(world.context, words, addSignature(words))).lines
const settle = async (id: string) => {
  const words = ['refunds', 'settle', id]
  return (await runCommand(world.context, words, addSignature(words, { reference: 'REMB-1' }))).lines
}

/** The transfer is undeliverable, and its refund is on its way to a closed card. */
async function payUndeliverable() {
  enableSimulatedProvider()
  world.payouts.will('recipientUnknown')
  const uid = await world.person()
  const request = buildTransferRequest(uid)
  const { paymentIntentId: id } = await expectTransferPaymentStarted(request)
  await world.pay(id, 'pm_card_refundFail')
  await recordPayment(uid, request.attemptId)
  world.pass(MINUTE)
  await runDueWork(world.context)
  return id
}

async function deliverEvents(type: string) {
  for (const event of world.sandbox.stripe.events()) if (event.type === type) await world.deliver(event)
}

async function failRefund() {
  world.pass(MINUTE)
  world.sandbox.stripe.runDueBilling()
  await deliverEvents('refund.failed')
}

test('a debt that our bank pays is settled once, in order, journal and transfer', async () => {
  const id = await payUndeliverable()
  await failRefund()
  const stage = async () => (await world.context.db.doc(`transactions/${id}`).get()).get('delivery.stage')
  expect(await stage()).toBe('failed')
  world.pass(MINUTE)
  expect(await settle(id)).toEqual([`${id} is settled: pay €100.00 from our bank under REMB-1.`])
  expect(await stage()).toBe('paidBack')
  expect((await ops('books', 'statement', id)).slice(-2)).toEqual([
    '2026-11-20 12:03:00 UTC: €100.00 went back to the payer from our bank.',
    'Nothing is owed.',
  ])
  expect(await settle(id)).toEqual([`${id} is settled already. Don't pay it again.`])
  world.pass(MINUTE)
  expect(await runDueWork(world.context)).not.toHaveProperty('paidBack')
  expect(world.sandbox.stripe.refunds()).toHaveLength(1)
})

test('a dispute after the settlement is a loss that alerts @spec-journal', async () => {
  const id = await payUndeliverable()
  await failRefund()
  await settle(id)
  const before = (await world.records()).refunds.get(id)
  const dispute = world.sandbox.stripe.dispute(id) ?? ''
  await deliverEvents('charge.dispute.created')
  expect(world.logged).toContainEqual(
    expect.objectContaining({ event: 'recordedPaymentReversed', paymentIntentId: id, reversal: 'disputed' }),
  )
  world.pass(MINUTE)
  await world.context.stripe.disputes.update(dispute, { evidence: { uncategorized_text: 'losing_evidence' } })
  await deliverEvents('charge.dispute.closed')
  expect((await ops('books', 'statement', id)).slice(-2)).toEqual([
    '2026-11-20 12:03:00 UTC: The dispute of €100.00 is lost: the cardholder has the money.',
    'Passerelle has lost €100.00 since 2026-11-20 12:03:00 UTC.',
  ])
  expect((await world.records()).refunds.get(id)).toMatchObject({
    status: 'settled',
    checkAt: before?.checkAt,
  })
  expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  world.sandbox.stripe.returnDisputedFunds(dispute)
  await deliverEvents('charge.dispute.funds_reinstated')
  expect(world.logged).toContainEqual(
    expect.objectContaining({ level: 'error', event: 'chargeOwedAgain', paymentIntentId: id }),
  )
})

test('a refund after the settlement can be booked back', async () => {
  const id = await payUndeliverable()
  await failRefund()
  await settle(id)
  await world.context.stripe.refunds.create({ payment_intent: id, metadata: { byHand: 'yes' } })
  await deliverEvents('charge.refunded')
  await bookMovement(world.context, 'REMB-1-back', 'reversals', 'bank', '100EUR')
  const { docs } = await journal(world.context.db).get()
  const balances = sumEntries(listEntries(docs.flatMap((document) => parseJournalDocument(document) ?? [])))
  const balance = (account: JournalAccount) => getBalance(balances, 'EUR', account)
  expect([balance('assets:bank'), balance('expenses:reversals'), balance('liabilities:payers')]).toEqual([
    0, 0, 0,
  ])
})

test('a debt whose refund stands is not settled', async () => {
  const id = await payUndeliverable()
  await expect(settle(id)).rejects.toThrow(`Nothing was changed: the debt of ${id} is done.`)
  await expect(settle('pi_none')).rejects.toThrow('Nothing was changed: pi_none is not owed back.')
})

test('a debt without a claim in the books is not settled', async () => {
  const id = await payUndeliverable()
  await failRefund()
  const { docs } = await journal(world.context.db).get()
  await Promise.all(docs.map(({ ref }) => ref.delete()))
  await expect(settle(id)).rejects.toThrow(`by the books, nothing of ${id} is owed to the payer`)
  await Promise.all(docs.map((document) => document.ref.set(document.data())))
})
