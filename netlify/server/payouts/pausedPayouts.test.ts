import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { runCommand } from '../../../scripts/operations/commands.ts'
import { claimDueOrders } from '../../../scripts/operations/handPayments.ts'
import { addSignature } from '../../../scripts/operations/testing/addSignature.ts'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../testing/payments.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { liftPause, OPERATOR_PAUSE_CAUSE, pausePayments } from '../events/pauses.ts'
import { advanceDelivery } from './deliver.ts'
import { byHandProvider } from './providers/byHand.ts'

resetWorldForEachTest({ isMoneyChecked: true })

async function begin(uid: string, changes = {}) {
  const request = buildTransferRequest(uid, changes)
  return { uid, attemptId: request.attemptId, ...(await expectTransferPaymentStarted(request)) }
}

async function send(uid: string, card?: string, changes = {}): Promise<string> {
  const { paymentIntentId: id, attemptId } = await begin(uid, changes)
  await world.pay(id, card)
  await recordPayment(uid, attemptId)
  return id
}

const order = async (id: string) => (await world.context.db.doc(`deliveries/${id}`).get()).data()
async function run(command: string) {
  const words = command.split(' ')
  return (await runCommand(world.context, words, addSignature(words))).lines.join('\n')
}
const runDeliveries = (command: string) => run(`deliveries ${command}`)

async function runDueWorkLater() {
  world.pass(3_600_000)
  await runDueWork(world.context)
}

function setEmptyProvider() {
  world.payOutBy(world.payouts.provider)
  world.payouts.fill(1)
}

async function deliverEvents(type: string) {
  for (const event of world.sandbox.stripe.events()) if (event.type === type) await world.deliver(event)
}

describe('payouts during a pause', () => {
  test('a pause holds every unsent order until it is lifted', async () => {
    setEmptyProvider()
    const uid = await world.person()
    const ids = [await send(uid), await send(uid)]
    const other = await send(await world.person(), 'pm_card_mastercard')
    await runDueWorkLater()
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    for (const id of ids) expect(await order(id)).toMatchObject({ state: 'held', holds: ['stop'] })
    world.payouts.fill()
    const before = world.payouts.taken().length
    await runDueWorkLater()
    await runDueWorkLater()
    expect(world.payouts.taken().slice(before)).toMatchObject([{ transferId: other }])
    await liftPause(world.context, uid)
    for (const id of ids) {
      await advanceDelivery(world.context, id)
      await runDueWorkLater()
      expect(await order(id)).toMatchObject({ state: 'delivered', holds: [] })
    }
    expect(await world.checkInvariants()).toBeDefined()
  })

  test.each<[string, string, string | undefined, (id: string) => unknown]>([
    ['a dispute', 'charge.dispute.created', undefined, (id) => world.sandbox.stripe.dispute(id)],
    ['a fraud warning', 'radar.early_fraud_warning.created', 'pm_card_createIssuerFraudRecord', () => {}],
  ])('a pause for %s about one transfer holds the others', async (_, type, card, happen) => {
    world.payOutBy(byHandProvider)
    const uid = await world.person()
    const id = await send(uid)
    await happen(await send(uid, card))
    await deliverEvents(type)
    expect(await order(id)).toMatchObject({ state: 'held', holds: ['stop'] })
    expect(await runDeliveries('list')).toContain(`${id}: `)
    expect(await runDeliveries('claim')).toBe('No transfer is due.')
  })

  test('a pause holds a transfer paid before and recorded during it', async () => {
    world.payOutBy(world.payouts.provider)
    const uid = await world.person()
    const { paymentIntentId: id, attemptId } = await begin(uid)
    await world.pay(id)
    await world.context.db
      .doc(`restrictions/${uid}`)
      .set({ uid, open: [OPERATOR_PAUSE_CAUSE], lifted: [], since: world.now() })
    await recordPayment(uid, attemptId)
    expect(await order(id)).toMatchObject({ state: 'held', holds: ['stop'] })
    expect(world.payouts.taken()).toEqual([])
  })

  test('an order is held until every cause is lifted', async () => {
    world.payOutBy(byHandProvider)
    const uid = await world.person()
    const id = await send(uid)
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    await pausePayments(world.context, uid, 'du_1')
    await liftPause(world.context, uid, 'du_1')
    expect(await order(id)).toMatchObject({ state: 'held' })
    await liftPause(world.context, uid)
    expect(await order(id)).toMatchObject({ state: 'due', holds: [] })
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    expect(await order(id)).toMatchObject({ state: 'held' })
  })

  test('a pause holds orders of all accounts with the number', async () => {
    world.payOutBy(byHandProvider)
    const [uid, other] = [await world.person(), await world.person()]
    const id = await send(other)
    await world.context.db.doc(`deliveries/${id}`).update({ persons: [other, 'number'] })
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE, { known: ['number'] })
    expect(await order(id)).toMatchObject({ state: 'held' })
  })

  test('a pause holds orders of more recipients than a query takes', async () => {
    world.payOutBy(byHandProvider)
    const uid = await world.person()
    const ids: string[] = []
    for (let n = 10; n < 41; n += 1) {
      const expected = { fee: 30, converted: 102_820 }
      ids.push(
        await send(uid, 'pm_card_visa', { recipientPhone: `+2246209999${n}`, amount: 1_000, expected }),
      )
      world.pass(MINUTE)
    }
    const listStates = async () => new Set(await Promise.all(ids.map(async (id) => (await order(id))?.state)))
    const open = await begin(uid)
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    expect(await listStates()).toEqual(new Set(['held']))
    expect(await world.pay(open.paymentIntentId)).toBe('payment_intent_unexpected_state')
    await liftPause(world.context, uid)
    expect(await listStates()).toEqual(new Set(['due']))
  })

  describe.each<[string, () => Promise<unknown>, (uid: string) => Promise<unknown>]>([
    [
      'by an operator',
      () => Promise.resolve(),
      async (uid) => pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE),
    ],
    [
      'by a dispute',
      async () => {
        for (const { id } of world.sandbox.stripe.disputes())
          await world.context.stripe.disputes.update(id, {
            evidence: { uncategorized_text: 'winning_evidence' },
          })
        await deliverEvents('charge.dispute.closed')
      },
      async () => {
        world.sandbox.stripe.dispute(world.sandbox.stripe.charges()[0]?.payment_intent ?? '')
        await deliverEvents('charge.dispute.created')
      },
    ],
  ])('a pause %s', (_, win, stop) => {
    const recipientPhone = '+224620999999'

    test('a pause holds others’ payouts with its card or number', async () => {
      world.payOutBy(byHandProvider)
      const [uid, one, other] = [await world.person(), await world.person(), await world.person()]
      await send(uid, 'pm_card_visa', { recipientPhone })
      const sameCard = await send(one)
      await stop(uid)
      const sameNumber = await send(one, 'pm_card_mastercard', { recipientPhone, again: null })
      const neither = await send(other, 'pm_card_amex')
      await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [sameCard, sameNumber, neither] })
      expect(await order(sameCard)).toMatchObject({ state: 'held', holds: ['stop'] })
      expect(await order(sameNumber)).toMatchObject({ state: 'held', holds: ['stop'] })
      expect(await order(neither)).toMatchObject({ state: 'claimed' })

      await win()
      await liftPause(world.context, uid)
      expect(await order(sameCard)).toMatchObject({ state: 'due', holds: [] })
      expect(await order(sameNumber)).toMatchObject({ state: 'due', holds: [] })
      expect(await world.checkInvariants()).toBeDefined()
    })
  })

  test('an operator’s pause holds others’ payouts with a used card', async () => {
    world.payOutBy(world.payouts.provider)
    const [uid, other] = [await world.person(), await world.person()]
    const delivered = await send(uid)
    await runDueWorkLater()
    expect(await order(delivered)).toMatchObject({ state: 'delivered' })
    await run(`people stop ${uid}`)
    world.payOutBy(byHandProvider)
    const [sameCard, otherCard] = [await send(other), await send(other, 'pm_card_mastercard')]
    await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [sameCard, otherCard] })
    expect(await order(sameCard)).toMatchObject({ state: 'held', holds: ['stop'] })
    expect(await order(otherCard)).toMatchObject({ state: 'claimed' })
    await liftPause(world.context, uid)
    expect(await order(sameCard)).toMatchObject({ state: 'due', holds: [] })
  })

  test('a paused sender’s claimed order is not to be paid', async () => {
    world.payOutBy(byHandProvider)
    const uid = await world.person()
    const id = await send(uid)
    await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [id] })
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    expect(await order(id)).toMatchObject({ state: 'claimed', holds: ['stop'] })
    expect(await runDeliveries('batch b1')).toMatch(/held by stop, so don't pay it, and release it\.$/)
    expect(await runDeliveries(`release ${id}`)).toMatch(/: held by stop\.$/)
  })

  test('releasing one transfer does not lift the pause of its sender', async () => {
    world.payOutBy(byHandProvider)
    const uid = await world.person()
    const id = await send(uid)
    await pausePayments(world.context, uid, OPERATOR_PAUSE_CAUSE)
    expect(await runDeliveries(`release ${id}`)).toContain(`npm run ops -- people resume ${uid}`)
    expect(await order(id)).toMatchObject({ state: 'held' })
  })
})
