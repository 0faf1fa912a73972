import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { getBalance, listEntries, sumEntries } from '../../../domain/journal/balances.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import {
  buildInvoiceRequest,
  startInvoicePayment,
  startInvoicePaymentOrThrow,
  storeInvoice,
} from '../../testing/invoices.ts'
import { attachSavedCard } from '../../testing/savedCards.ts'
import { getCardKeys } from '../accounts/persons.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { liftPause, OPERATOR_PAUSE_CAUSE, pausePayments } from '../events/pauses.ts'
import { journal, parseJournalDocument } from '../platform/journal.ts'
import { NEW_INVOICES_LIMIT, NEW_PAYER_HOLD, NEW_PAYER_PERIOD } from './supplierNotices.ts'

resetWorldForEachTest({ isMoneyChecked: true })

let last = 2000
async function payInvoice(uid: string, card?: string) {
  last += 1
  const bill = { supplier: 'edf', reference: `6012-${last}` }
  await storeInvoice({}, bill)
  const request = buildInvoiceRequest(bill)
  const { paymentIntentId: id } = await startInvoicePaymentOrThrow(uid, request)
  await world.pay(id, card)
  await recordPayment(uid, request.attemptId)
  return id
}

/** The payer's first payment is old enough that the next notice is not held. */
async function createKnownPayer() {
  const uid = await world.person()
  await payInvoice(uid, 'pm_card_amex')
  world.pass(NEW_PAYER_PERIOD)
  await runDueWork(world.context)
  return uid
}

const notice = async (id: string) => (await world.context.db.doc(`supplierNotices/${id}`).get()).data()
const status = async (id: string) => (await world.context.db.doc(`invoicePayments/${id}`).get()).get('status')
const HELD = { state: 'held', toldAt: null }
const buildNotice = (state: 'paid' | 'reversed', at = world.now()) => ({ state, toldAt: at, checkAt: null })

/** In cents. */
async function fetchBookedDebt(id: string) {
  const { docs } = await journal(world.context.db).where('about', '==', id).get()
  const entries = listEntries(docs.flatMap((document) => parseJournalDocument(document) ?? []))
  return 0 - getBalance(sumEntries(entries), 'EUR', 'liabilities:suppliers')
}

const decide = (dispute: string | null, evidence: 'winning_evidence' | 'losing_evidence') =>
  world.context.stripe.disputes.update(dispute ?? '', { evidence: { uncategorized_text: evidence } })

async function deliverEvents(type: string) {
  for (const event of world.sandbox.stripe.events()) if (event.type === type) await world.deliver(event)
}

describe('the supplier of a paid invoice @spec-supplier-notice', () => {
  test('a new payer’s supplier is notified a day later', async () => {
    const id = await payInvoice(await world.person())
    expect(await notice(id)).toMatchObject({ supplier: 'edf', amount: 84.5, currency: 'EUR', ...HELD })
    await runDueWork(world.context)
    world.pass(NEW_PAYER_HOLD - 1)
    await runDueWork(world.context)
    expect(await notice(id)).toMatchObject(HELD)
    world.pass(1)
    await runDueWork(world.context)
    expect(await notice(id)).toMatchObject(buildNotice('paid'))
  })

  test('a payer known for a week has the next run notify', async () => {
    const uid = await world.person()
    await payInvoice(uid)
    world.pass(NEW_PAYER_PERIOD - 1)
    const early = await payInvoice(uid)
    world.pass(1)
    const later = await payInvoice(uid)
    await runDueWork(world.context)
    expect(await notice(early)).toMatchObject(HELD)
    expect(await notice(later)).toMatchObject(buildNotice('paid'))
  })

  test('a paused person’s supplier is notified after the pause', async () => {
    const uid = await createKnownPayer()
    const id = await payInvoice(uid)
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    for (let n = 0; n < 3; n += 1) {
      await runDueWork(world.context)
      expect(await notice(id)).toMatchObject(HELD)
      world.pass(60 * MINUTE)
    }
    await liftPause(world.context, uid)
    await runDueWork(world.context)
    expect(await notice(id)).toMatchObject(buildNotice('paid'))
  })

  test('a pause of the card holds the supplier’s notice', async () => {
    const uid = await createKnownPayer()
    const [marked, other] = [
      await payInvoice(uid, 'pm_card_visa'),
      await payInvoice(uid, 'pm_card_mastercard'),
    ]
    const [charge] = world.sandbox.stripe.charges().filter(({ payment_intent: of }) => of === marked)
    const [card = ''] = getCardKeys(
      world.context,
      await world.context.stripe.charges.retrieve(charge?.id ?? ''),
    )
    await world.context.db
      .doc(`restrictions/${card}`)
      .set({ uid: '', open: ['du_1'], lifted: [], since: world.now() })
    await runDueWork(world.context)
    expect(await notice(marked)).toMatchObject(HELD)
    expect(await notice(other)).toMatchObject(buildNotice('paid'))
  })

  test('a card with eleven invoices a day has its notices held @spec-invoice-day', async () => {
    const [uid, other] = [await createKnownPayer(), await createKnownPayer()]
    const ids = []
    for (let n = 0; n <= NEW_INVOICES_LIMIT.most; n += 1) {
      ids.push(await payInvoice(n % 2 ? uid : other, 'pm_card_visa'))
      world.pass(MINUTE)
    }
    const free = await payInvoice(uid, 'pm_card_mastercard')
    await runDueWork(world.context)
    const states = await Promise.all([...ids, free].map(async (id) => (await notice(id))?.state))
    expect(states).toEqual([...Array(NEW_INVOICES_LIMIT.most).fill('paid'), 'held', 'paid'])
    world.pass(NEW_PAYER_HOLD)
    await runDueWork(world.context)
    expect(await notice(ids.at(-1) ?? '')).toMatchObject({ state: 'paid' })
  })

  test('a saved card that paid ten invoices today is refused @spec-invoice-day', async () => {
    const holder = await world.person()
    await attachSavedCard(world, holder, 'pm_card_visa')
    const others = [await world.person(), await world.person()]
    for (let n = 0; n < NEW_INVOICES_LIMIT.most; n += 1) {
      await payInvoice(others[n % 2] ?? '', 'pm_card_visa')
      world.pass(MINUTE)
    }
    const bill = { supplier: 'edf', reference: '6012-1999' }
    await storeInvoice({}, bill)
    const begin = () => startInvoicePayment(holder, buildInvoiceRequest(bill))
    expect(await begin()).toMatchObject({ error: { code: 'tooManyRequests' } })
    world.pass(NEW_INVOICES_LIMIT.windowMs)
    expect(await begin()).toMatchObject({ ok: true })
  })

  test('a payment reversed before its notice never notifies the supplier', async () => {
    const id = await payInvoice(await world.person())
    world.sandbox.stripe.dispute(id)
    await deliverEvents('charge.dispute.created')
    expect([await notice(id), await status(id)]).toMatchObject([
      { state: 'reversed', toldAt: null },
      'canceled',
    ])
    world.pass(NEW_PAYER_HOLD)
    await runDueWork(world.context)
    expect(await notice(id)).toMatchObject({ state: 'reversed', toldAt: null })
  })

  test('a lost dispute before the notice ends the debt to the supplier @spec-journal', async () => {
    const id = await payInvoice(await world.person())
    const dispute = world.sandbox.stripe.dispute(id)
    await deliverEvents('charge.dispute.created')
    expect(await fetchBookedDebt(id), 'the bank has not decided').toBe(8450)
    await decide(dispute, 'losing_evidence')
    await deliverEvents('charge.dispute.closed')
    expect(await fetchBookedDebt(id)).toBe(0)
  })

  test('a refund that fails before the notice renews the debt @spec-journal', async () => {
    const id = await payInvoice(await world.person(), 'pm_card_refundFail')
    await world.context.stripe.refunds.create({ payment_intent: id, metadata: { byHand: 'yes' } })
    await deliverEvents('charge.refunded')
    expect(await fetchBookedDebt(id)).toBe(0)
    world.pass(NEW_PAYER_HOLD)
    world.sandbox.stripe.runDueBilling()
    await deliverEvents('refund.failed')
    expect(await notice(id)).toMatchObject(buildNotice('paid'))
    expect(await fetchBookedDebt(id)).toBe(8450)
  })

  test('a refund after the notice leaves the debt to the supplier @spec-journal', async () => {
    const id = await payInvoice(await createKnownPayer())
    await runDueWork(world.context)
    await world.context.stripe.refunds.create({ payment_intent: id, metadata: { byHand: 'yes' } })
    await deliverEvents('charge.refunded')
    expect(await fetchBookedDebt(id)).toBe(8450)
  })

  test('a dispute and its win notify the supplier', async () => {
    const uid = await createKnownPayer()
    const id = await payInvoice(uid)
    await runDueWork(world.context)
    expect([await notice(id), await status(id)]).toMatchObject([buildNotice('paid'), 'completed'])
    world.pass(MINUTE)
    const dispute = world.sandbox.stripe.dispute(id)
    await deliverEvents('charge.dispute.created')
    expect([await notice(id), await status(id)]).toMatchObject([buildNotice('reversed'), 'canceled'])
    world.pass(MINUTE)
    await decide(dispute, 'winning_evidence')
    await deliverEvents('charge.dispute.closed')
    expect([await notice(id), await status(id)]).toMatchObject([buildNotice('paid'), 'completed'])
  })

  test.each([
    ['in full', undefined, 'canceled'],
    ['in part', 100, 'completed'],
  ])('a refund %s notifies the supplier, and its failure too', async (_, amount, shown) => {
    const id = await payInvoice(await createKnownPayer(), 'pm_card_refundFail')
    await runDueWork(world.context)
    world.pass(MINUTE)
    await world.context.stripe.refunds.create({
      payment_intent: id,
      ...(amount && { amount }),
      metadata: { byHand: 'yes' },
    })
    await deliverEvents('charge.refunded')
    expect([await notice(id), await status(id)]).toMatchObject([buildNotice('reversed'), shown])
    const since = world.now()
    world.pass(MINUTE / 2)
    await deliverEvents('charge.refunded')
    expect(await notice(id), 'the supplier is notified once').toMatchObject(buildNotice('reversed', since))
    world.pass(MINUTE)
    world.sandbox.stripe.runDueBilling()
    await deliverEvents('refund.failed')
    expect([await notice(id), await status(id)]).toMatchObject([buildNotice('paid'), 'completed'])
  })

  test('a payment refunded in part is notified once its hold is over', async () => {
    const id = await payInvoice(await world.person())
    await runDueWork(world.context)
    await world.context.stripe.refunds.create({
      payment_intent: id,
      amount: 100,
      metadata: { byHand: 'yes' },
    })
    await deliverEvents('charge.refunded')
    expect([await notice(id), await status(id)]).toMatchObject([HELD, 'completed'])
    world.pass(NEW_PAYER_HOLD)
    await runDueWork(world.context)
    expect(await notice(id)).toMatchObject(buildNotice('reversed'))
  })

  test('notifies the supplier of a dispute whose webhook was lost', async () => {
    const id = await payInvoice(await createKnownPayer())
    await runDueWork(world.context)
    world.sandbox.stripe.dispute(id)
    world.pass(15 * MINUTE)
    await runDueWork(world.context)
    expect(await notice(id)).toMatchObject(buildNotice('reversed'))
  })

  test('does not notify the supplier of an abandoned payment', async () => {
    await storeInvoice()
    await startInvoicePaymentOrThrow(await world.person(), buildInvoiceRequest())
    world.pass(31 * MINUTE)
    await runDueWork(world.context)
    expect((await world.context.db.collection('supplierNotices').get()).size).toBe(0)
  })
})
