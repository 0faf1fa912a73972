import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { claimDueOrders } from '../../../scripts/operations/handPayments.ts'
import { enableSimulatedProvider, passTimeWithJob, payTransfer } from '../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { WORLD_START } from '../../testing/world.ts'
import { syncDebt } from '../payments/refunds.ts'
import { updateDelivery } from './deliver.ts'
import { byHandProvider } from './providers/byHand.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const readDelivery = async (id: string) =>
  (await world.context.db.doc(`transactions/${id}`).get()).data()?.delivery
const writes = () => world.sandbox.firestore.counts().writes

const ORDERED = {
  stage: 'ordered',
  by: 'mtn',
  isLate: false,
  isChecked: false,
  answerBy: null,
  isCancelable: false,
  cancelableUntil: null,
  canceledAt: null,
  handedOverAt: null,
  deliveredAt: null,
  proof: null,
  failure: null,
}

test('a transfer has no delivery status while no payout provider is set', async () => {
  const { id } = await payTransfer()
  expect(await readDelivery(id)).toBe(null)
})

test('a delivery is shown as handed over, then delivered', async () => {
  enableSimulatedProvider()
  const { id } = await payTransfer()
  expect(await readDelivery(id)).toEqual({ ...ORDERED, stage: 'handedOver', handedOverAt: WORLD_START })
  await passTimeWithJob()
  expect(await readDelivery(id)).toEqual({
    ...ORDERED,
    stage: 'delivered',
    handedOverAt: WORLD_START,
    deliveredAt: WORLD_START + MINUTE,
    proof: 'W1',
  })
})

test('the response that records a payment reports its delivery as ordered', async () => {
  enableSimulatedProvider()
  const { settle } = await payTransfer({ isRecorded: false })
  expect(await settle()).toMatchObject({
    value: {
      transaction: { delivery: { ...ORDERED, isCancelable: true, cancelableUntil: WORLD_START } },
    },
  })
})

test('a transfer waiting for the balance is late until handed over', async () => {
  enableSimulatedProvider()
  world.payouts.fill(1)
  const { id } = await payTransfer()
  await passTimeWithJob()
  const late = { ...ORDERED, isLate: true, isCancelable: true, cancelableUntil: WORLD_START }
  expect(await readDelivery(id)).toEqual(late)
  await passTimeWithJob()
  expect(await readDelivery(id)).toEqual(late)
  world.payouts.fill()
  await passTimeWithJob(HOUR)
  expect(await readDelivery(id)).toMatchObject({ stage: 'handedOver', isLate: false })
})

test('a final failure keeps its reason after a failed refund', async () => {
  enableSimulatedProvider()
  world.payouts.will('recipientUnknown')
  const { id } = await payTransfer({ card: 'pm_card_refundFail' })
  await passTimeWithJob()
  expect(await readDelivery(id)).toMatchObject({
    stage: 'paidBack',
    failure: 'recipientUnknown',
    proof: null,
  })
  world.pass(25 * HOUR)
  await syncDebt(world.context, id)
  expect(await readDelivery(id)).toMatchObject({ stage: 'failed', failure: 'recipientUnknown' })
})

test('a hold or dispute leaves the sender’s status unchanged', async () => {
  world.payOutBy(byHandProvider)
  const { id } = await payTransfer()
  const ordered = { ...ORDERED, by: 'byHand' }
  expect(await readDelivery(id)).toEqual({ ...ordered, isCancelable: true })
  const before = writes()
  await updateDelivery(world.context, id, () => ({ type: 'order.hold', cause: 'issfr_1' }))
  await updateDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
  expect(writes() - before).toBe(2)
  await claimDueOrders(world.context, { batch: 'b1', by: 'Awa', ids: [id] })
  // The claim ends the offer to cancel, so it wrote the order, its batch and the transfer.
  expect(writes() - before).toBe(5)
  await updateDelivery(world.context, id, () => ({ type: 'charge.reversed', reversal: 'disputed' }))
  expect(await readDelivery(id)).toEqual(ordered)
  const at = world.context.now()
  await updateDelivery(world.context, id, () => ({
    type: 'order.markDelivered',
    proof: 'PP261123.1042.A1',
    at,
  }))
  expect(await readDelivery(id)).toEqual({
    ...ordered,
    stage: 'delivered',
    deliveredAt: at,
    proof: 'PP261123.1042.A1',
  })
})
