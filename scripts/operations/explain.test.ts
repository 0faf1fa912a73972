import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../domain/common/duration.ts'
import { cancelPaymentIntent } from '../../netlify/server/endpoints/cancelPaymentIntent.ts'
import { createPaymentIntent } from '../../netlify/server/endpoints/createPaymentIntent.ts'
import { createSubscription } from '../../netlify/server/endpoints/createSubscription.ts'
import { runDueWork } from '../../netlify/server/endpoints/dueWork.ts'
import { payInvoice } from '../../netlify/server/endpoints/payInvoice.ts'
import { recordTransfer } from '../../netlify/server/endpoints/recordTransfer.ts'
import { verifySubscription } from '../../netlify/server/endpoints/verifySubscription.ts'
import { cancelTransfer } from '../../netlify/server/payouts/cancelTransfer.ts'
import { byHandProvider } from '../../netlify/server/payouts/providers/byHand.ts'
import { buildReference } from '../../netlify/server/payouts/reference.ts'
import { waitForBackgroundWork } from '../../netlify/server/platform/context.ts'
import { buildAttemptKey } from '../../netlify/server/platform/records.ts'
import { buildTransferRequest, createWorld, type World } from '../../netlify/testing/world.ts'
import { explainPayment } from './explain.ts'
import { settleDebt } from './settleDebt.ts'
import { keepUnknownPayment } from './unknownPayments.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterEach(() => expect(world.sandbox.unknownCalls).toEqual([]))
afterAll(() => world.close())

const explained = async (id: string) => {
  const before = JSON.stringify(world.sandbox.dump())
  const lines = await explainPayment(world.context, id)
  expect(JSON.stringify(world.sandbox.dump())).toBe(before)
  return lines
}

async function started({ minutes }: { minutes?: number } = {}) {
  const uid = await world.person()
  const own = buildTransferRequest(uid, { recipientPhone: '+224 620 00 00 00' })
  const request = { ...own, expected: { ...own.expected, ...(minutes && { minutes }) } }
  const result = await createPaymentIntent(world.context, { uid }, request)
  if (!result.ok) throw new Error(`refused: ${result.error.code}`)
  const { attemptId } = request
  return { uid, attemptId, key: buildAttemptKey(uid, attemptId), id: result.value.paymentIntentId }
}
async function record(uid: string, attemptId: string) {
  const recorded = await recordTransfer(world.context, { uid }, { attemptId })
  await waitForBackgroundWork(world.context)
  return recorded
}

const getLast = async (id: string, lines: number) => (await explained(id)).slice(-lines)
const NOON = '2026-11-20 12:00:00 UTC'
const OWED = `Passerelle owes the payer €100.00 since ${NOON}.`
const SETTLED = ['Nothing is owed.', 'A bank takes 5 to 10 days to show a refund.']
const describeDifference = (id: string, amount: string) =>
  `Differs by ${amount}: ${id}, the books and our balance at Stripe differ.`

const promise = (uid: string) =>
  `At 2026-11-20 12:00:00 UTC user ${uid} was promised: €100.00 from the card, €3.00 of it as the fee; €97.00 at a rate of EUR 1 = GNF 10,600 arrives as GNF 1,028,200 at +224*******00.`

test('explain describes a paid transfer', async () => {
  const { uid, attemptId, key, id } = await started()
  world.pass(2 * MINUTE)
  await world.pay(id)
  world.pass(MINUTE)
  await record(uid, attemptId)
  expect(await explained(id)).toEqual([
    `${id} is the payment of a transfer.`,
    promise(uid),
    `The attempt ${key} is recorded. The reserved amount counts in the total of 2026-11.`,
    `At Stripe it is succeeded: €100.00, requested at ${NOON}.`,
    'The transaction was recorded at 2026-11-20 12:03:00 UTC; its status is completed, and it was expected to arrive by 2026-11-20 13:03:00 UTC.',
    '2026-11-20 12:03:00 UTC: The card paid €100.00 to our balance at Stripe, and the payer can claim it.',
    '2026-11-20 12:03:00 UTC: Stripe took €1.75 as its fee.',
    'Passerelle owes the payer €100.00 since 2026-11-20 12:03:00 UTC.',
  ])
})

test('explain describes a delivered transfer', async () => {
  world.payOutBy(world.payouts.provider)
  const { uid, attemptId, id } = await started()
  await world.pay(id)
  await record(uid, attemptId)
  expect(await explained(id)).toContain(
    `Its delivery (mtn): with mtn since 2026-11-20 12:00:00 UTC, reference ${buildReference(id, 1)}.`,
  )
  world.pass(MINUTE)
  await runDueWork(world.context)
  const lines = await explained(id)
  expect(lines).toContain('Its delivery (mtn): delivered at 2026-11-20 12:01:00 UTC, reference W1.')
  expect(lines).toContain('2026-11-20 12:01:00 UTC: The money arrived: €97.00 for GNF 1,028,200.')
  expect(lines.at(-1)).toBe('Nothing is owed.')
})

test('explain describes a transfer with a promised arrival', async () => {
  const { uid, attemptId, id } = await started({ minutes: 1440 })
  await world.pay(id)
  await record(uid, attemptId)
  const lines = await explained(id)
  expect(lines).toContain(promise(uid).replace(/\.$/, ', within 24 hours of the payment.'))
  expect(lines).toContain(
    'The transaction was recorded at 2026-11-20 12:00:00 UTC; its status is completed, and it was promised to arrive by 2026-11-21 12:00:00 UTC.',
  )
})

test('explain describes a transfer that could not be paid out', async () => {
  world.payOutBy(world.payouts.provider)
  world.payouts.will('recipientUnknown')
  const { uid, attemptId, id } = await started()
  await world.pay(id)
  await record(uid, attemptId)
  world.pass(MINUTE)
  await runDueWork(world.context)
  const lines = await explained(id)
  expect(lines).toContain('Its delivery (mtn): failed (recipientUnknown), and paid back.')
  expect(lines.slice(-2)).toEqual(SETTLED)
})

test('explain describes a transfer that its sender canceled', async () => {
  world.payOutBy(byHandProvider)
  const { uid, attemptId, id } = await started()
  await world.pay(id)
  await record(uid, attemptId)
  world.pass(MINUTE)
  await cancelTransfer(world.context, { uid }, { id })
  expect(await explained(id)).toContain(
    'Its delivery (byHand): canceled by its sender at 2026-11-20 12:01:00 UTC, and paid back.',
  )
})

test('explain describes a payment of another deployment with the same Stripe account', async () => {
  const { id } = await started()
  const { stripe } = world.context
  await stripe.paymentIntents.update(id, { metadata: { deployment: 'passerelle-staging' } })
  expect(await explained(id)).toEqual([
    `${id} is a payment.`,
    `At Stripe it is requires_payment_method: €100.00, requested at ${NOON}.`,
    'It belongs to the deployment passerelle-staging, and this one (demo-passerelle) ignores it: repeat the command with the settings of passerelle-staging.',
  ])
})

test('explain describes a charge that is not recorded yet', async () => {
  const { key, id } = await started()
  await world.pay(id)
  const lines = await explained(id)
  expect(lines).toContain(`The attempt ${key} is reserved. It holds €100.00 of the cap of 2026-11.`)
  expect(lines).toContain('Nothing is recorded for it.')
  expect(lines).toContain(`The books don't contain ${id}.`)
  expect(lines.at(-1)).toBe(
    'The charge is not recorded yet: the webhook records it, or the first run of the due-work job after 2026-11-20 12:30:00 UTC.',
  )
})

test('explain describes an unrecorded charge until Stripe accepts the refund', async () => {
  const { uid, attemptId, key, id } = await started()
  await world.pay(id)
  await world.context.db.doc(`users/${uid}`).delete()
  world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 9, what: { kind: 'status', status: 400 } })
  await record(uid, attemptId)
  const owed =
    'At 2026-11-20 12:00:00 UTC the charge was recorded as owed back, because the profile was deleted; the debt is'
  const lines = await explained(id)
  expect(lines).toContain(`${owed} due.`)
  expect(lines.slice(-2)).toEqual([OWED, 'The due-work job refunds it in its next run.'])

  world.sandbox.faults.reset()
  world.pass(15 * MINUTE)
  await runDueWork(world.context)
  const after = await explained(id)
  expect(after).toContain(
    `The attempt ${key} is refunded. It held €100.00 of the cap of 2026-11, and released it.`,
  )
  expect(after).toContain(`${owed} done.`)
  expect(after).toContain('2026-11-20 12:15:00 UTC: €100.00 went back to the card.')
  expect(after.slice(-2)).toEqual(SETTLED)
})

/** The charge is owed back, because it can't be recorded. */
async function paidBack(card: string) {
  const { uid, attemptId, id } = await started()
  await world.pay(id, card)
  await world.context.db.doc(`users/${uid}`).delete()
  await record(uid, attemptId)
  return { id }
}

test('explain describes a refund that is pending at the bank', async () => {
  const { id } = await paidBack('pm_card_pendingRefund')
  expect(await getLast(id, 3)).toEqual([
    `${NOON}: €100.00 went back to the card.`,
    'Nothing is owed.',
    'The bank is processing the refund.',
  ])
})

test('explain blames no bank for a refund awaiting our balance', async () => {
  world.sandbox.stripe.setBalanceEmpty(true)
  const { id } = await paidBack('pm_card_visa')
  world.pass(29 * 24 * HOUR)
  expect(await getLast(id, 2)).toEqual([
    OWED,
    'Its refund waits, because the Stripe balance does not suffice. Add funds in Stripe, Balances.',
  ])
  world.sandbox.stripe.setBalanceEmpty(false)
})

test('explain describes a refund that keeps failing', async () => {
  world.sandbox.faults.add({ on: 'POST /v1/refunds', times: 9, what: { kind: 'status', status: 400 } })
  const { id } = await paidBack('pm_card_visa')
  await runDueWork(world.context)
  world.sandbox.faults.reset()
  expect(await getLast(id, 2)).toEqual([
    OWED,
    'Its refunds keep failing, and the due-work job tries again after 2026-11-20 12:15:00 UTC.',
  ])
})

test('explain describes a dispute lost, returned in part, then won', async () => {
  const { uid, attemptId, id } = await started()
  await world.pay(id, 'pm_card_createDispute')
  await record(uid, attemptId)
  const [dispute] = world.sandbox.stripe.disputes()
  await world.context.stripe.disputes.close(dispute?.id ?? '')
  await runDueWork(world.context)
  expect(await getLast(id, 2)).toEqual([
    `${NOON}: The dispute of €100.00 is lost: the cardholder has the money.`,
    'Nothing is owed.',
  ])
  world.sandbox.stripe.returnDisputedFunds(dispute?.id ?? '', 4_000)
  expect((await explained(id)).at(-1)).toBe(describeDifference(id, '€40.00'))
  world.sandbox.stripe.returnDisputedFunds(dispute?.id ?? '')
  expect((await explained(id)).at(-1)).toBe(describeDifference(id, '€100.00'))
  await runDueWork(world.context)
  expect(await getLast(id, 2)).toEqual(SETTLED)
})

async function failRefund() {
  world.pass(MINUTE)
  world.sandbox.stripe.runDueBilling()
  const [event] = world.sandbox.stripe.events().filter(({ type }) => type === 'refund.failed')
  return { deliver: () => world.deliver(event ?? {}) }
}

test('explain describes a failed refund, until another one succeeds', async () => {
  const { id } = await paidBack('pm_card_refundFail')
  expect(await getLast(id, 2)).toEqual(SETTLED)
  const failed = await failRefund()
  expect(await getLast(id, 3)).toEqual([...SETTLED, describeDifference(id, '€100.00')])
  await failed.deliver()
  expect(await getLast(id, 3)).toEqual([
    '2026-11-20 12:01:00 UTC: The refund of €100.00 failed, and the money is in our balance again.',
    'Passerelle owes the payer €100.00 since 2026-11-20 12:01:00 UTC.',
    'The due-work job refunds it in its next run.',
  ])
  await runDueWork(world.context)
  expect(await getLast(id, 2)).toEqual(SETTLED)
})

test('explain describes a debt that was settled in another way', async () => {
  const { id } = await paidBack('pm_card_refundFail')
  await (await failRefund()).deliver()
  world.pass(MINUTE)
  await settleDebt(world.context, id, 'R1')
  expect(await getLast(id, 3)).toEqual([
    '2026-11-20 12:02:00 UTC: €100.00 went back to the payer from our bank.',
    'Nothing is owed.',
    'The debt was settled without a refund to the card.',
  ])
})

test('explain describes a manual refund as a loss, once it is booked', async () => {
  const { uid, attemptId, id } = await started()
  await world.pay(id)
  await record(uid, attemptId)
  await world.context.stripe.refunds.create({ payment_intent: id, amount: 2_500 })
  expect(await getLast(id, 2)).toEqual([OWED, describeDifference(id, '-€25.00')])
  await runDueWork(world.context)
  expect(await getLast(id, 2)).toEqual([OWED, `Passerelle has lost €25.00 since ${NOON}.`])
})

test('explain describes a dispute, before and after the payment is recorded', async () => {
  const early = await started()
  await world.pay(early.id, 'pm_card_createDispute')
  await record(early.uid, early.attemptId)
  const lines = await explained(early.id)
  expect(lines).toContain(
    'At 2026-11-20 12:00:00 UTC the charge was recorded as owed back, because the cardholder disputes it; the debt is disputed.',
  )
  expect(lines.slice(-3)).toEqual([
    OWED,
    `The bank holds €100.00 since ${NOON}, until it decides.`,
    'Nothing is refunded until the bank decides about the dispute.',
  ])

  const late = await started()
  await world.pay(late.id)
  await record(late.uid, late.attemptId)
  world.sandbox.stripe.dispute(late.id)
  const [dispute] = world.sandbox.stripe.disputes().slice(-1)
  await world.context.stripe.disputes.close(dispute?.id ?? '')
  await runDueWork(world.context)
  const after = await explained(late.id)
  expect(after).toContain('The cardholder disputed it at the bank: see Stripe, Disputes.')
  expect(after.slice(-3)).toEqual([
    `${NOON}: Stripe took €15.00 as its fee.`,
    OWED,
    `Passerelle has lost €100.00 since ${NOON}.`,
  ])
})

test('explain describes an abandoned attempt, open and then ended', async () => {
  const { uid, attemptId, key, id } = await started()
  await world.pay(id, 'pm_card_visa_chargeDeclined')
  const lines = await explained(id)
  expect(lines).toContain(`At Stripe it is requires_payment_method: €100.00, requested at ${NOON}.`)
  expect(lines).toContain('The last attempt to pay was declined: card_declined, generic_decline.')
  expect(lines.at(-1)).toBe(
    'Nothing was charged. The attempt is still open and ends with the first run of the due-work job after 2026-11-20 12:30:00 UTC.',
  )
  world.pass(HOUR)
  expect((await explained(id)).at(-1)).toMatch(/ends with the next run of the due-work job\.$/)

  await cancelPaymentIntent(world.context, { uid }, { attemptId })
  const ended = await explained(id)
  expect(ended).toContain(
    `The attempt ${key} is released. It held €100.00 of the cap of 2026-11, and released it.`,
  )
  expect(ended).toContain('It was canceled at 2026-11-20 13:00:00 UTC.')
  expect(ended.at(-1)).toBe('Nothing was charged, and this payment can no longer be charged.')
})

test('explain describes a payment that waits for the bank', async () => {
  const { id } = await started()
  await world.pay(id, 'pm_card_authenticationRequired')
  expect((await explained(id)).at(-1)).toBe(
    'Not charged yet: the bank or its customer has to act (requires_action). Repeat the command later.',
  )
})

test('explain describes an invoice payment', async () => {
  await world.sandbox.invoices.issue()
  const uid = await world.person()
  const [bill] = Object.entries(world.sandbox.firestore.documents()).filter(
    ([path, { status, currency }]) =>
      path.startsWith('invoices/edf_') && status === 'due' && currency === 'EUR',
  )
  const [path = '', { amount = 0, dueDate = '' } = {}] = bill ?? []
  const reference = path.replace('invoices/edf_', '')
  const cents = Math.round(Number(amount) * 100)
  const attemptId = crypto.randomUUID()
  const expected = { amount: cents, currency: 'EUR' as const, dueDate: String(dueDate) }
  const begun = await payInvoice(world.context, { uid }, { attemptId, supplier: 'edf', reference, expected })
  if (!begun.ok) throw new Error(`refused: ${begun.error.code}`)
  const id = begun.value.paymentIntentId
  const written = `€${(cents / 100).toFixed(2)}`
  const key = buildAttemptKey(uid, attemptId)
  expect((await explained(id)).slice(0, 3)).toEqual([
    `${id} is the payment of an invoice.`,
    `At 2026-11-20 12:00:00 UTC user ${uid} began to pay ${written} for Invoice ${reference} of EDF.`,
    `The attempt ${key} is reserved. It holds the invoice, which no other user can pay meanwhile.`,
  ])

  await world.pay(id)
  await record(uid, attemptId)
  const lines = await explained(id)
  expect(lines).toContain(`The attempt ${key} is recorded. The invoice counts as paid.`)
  expect(lines).toContain(
    'The payment of the invoice was recorded at 2026-11-20 12:00:00 UTC; its status is completed.',
  )
  expect(lines).toContain('Its supplier was not notified: the notice is held.')
  expect(lines.at(-1)).toBe(`Passerelle owes the supplier ${written} since ${NOON}.`)
})

test('explain describes a plan, by its payment and by its subscription', async () => {
  const uid = await world.person()
  const request = { tier: 'premium', userId: uid, locale: 'fr' } as const
  const created = await createSubscription(world.context, { uid }, request, world.origin)
  const back = await world.payCheckout(created.ok ? created.value.url : '')
  const session = new URL(back ?? '').searchParams.get('session_id') ?? ''
  await verifySubscription(world.context, { uid }, { session_id: session })
  await world.deliver(world.sandbox.stripe.events().find(({ type }) => type === 'invoice.paid') ?? {})
  const [{ id: subscription = '' } = {}] = world.sandbox.stripe.subscriptions()
  const [{ id: payment = '' } = {}] = world.sandbox.stripe.paymentIntents()
  const plan = [
    `${subscription} is the premium plan of user ${uid}: active at Stripe since 2026-11-20 12:00:00 UTC, its period ends at 2026-12-20 12:00:00 UTC.`,
    `The profile has Premium Plan, active, by ${subscription}: 5 of 5 transfers left this month.`,
  ]
  expect(await explained(subscription)).toEqual([`${subscription} is a subscription.`, ...plan])
  const lines = await explained(payment)
  expect(lines.slice(0, 4)).toEqual([
    `${payment} is a payment of a plan.`,
    `At Stripe it is succeeded: €5.00, requested at ${NOON}.`,
    ...plan,
  ])
  expect(lines).toContain(`${NOON}: The card paid €5.00 for a plan.`)
  expect(lines.at(-1)).toBe('Nothing is owed.')
})

test.each(['pi_unknown', 'sub_unknown'])('explain reports an unknown ID: %s', async (id) => {
  expect((await explained(id)).join('\n')).toMatch(
    new RegExp(`knows? ${id}[^]*Check that the ID is complete, and that the settings are for the mode`),
  )
})

test('explain describes a payment that only Stripe knows', async () => {
  const { uid, attemptId, key, id } = await started()
  await world.pay(id)
  await world.context.db.doc(`attempts/${key}`).delete()
  await recordTransfer(world.context, { uid }, { paymentIntentId: id })
  expect(await record(uid, attemptId)).toMatchObject({ error: { code: 'paymentNotFound' } })
  const lines = await explained(id)
  expect(lines).toContain(`${id} has no attempt in the database.`)
  expect(lines).toContain(`Its attempt would be ${key}.`)
  expect(lines.at(-1)).toBe(
    'Nothing is refunded automatically, because the payment is missing in the database. Decide about it: npm run ops -- unknown-payments list (docs/running.md, Unknown payments).',
  )
  await keepUnknownPayment(world.context, id)
  expect((await explained(id)).at(-1)).toBe(
    'The payment is missing in the database, and an operator decided to keep it, because its transfer was delivered.',
  )
})

test('explain describes a payment that is missing at Stripe', async () => {
  const { uid, attemptId } = await started()
  const ref = world.context.db.doc(`attempts/${buildAttemptKey(uid, attemptId)}`)
  await ref.update({ paymentIntentId: 'pi_of_another_account' })
  const lines = await explained('pi_of_another_account')
  expect(lines).toContain(promise(uid))
  expect(lines.at(-1)).toBe('Only the Stripe account of the payment can tell where the money is.')
})
