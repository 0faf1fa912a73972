import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../domain/duration.ts'
import { checkRefund } from './server/payments/refunds.ts'
import { updateDelivery } from './server/payouts/deliver.ts'
import { claim } from './server/payouts/handPayments.ts'
import { byHand } from './server/payouts/providers/byHand.ts'
import { later, mtn, paid } from './testing/deliveries.ts'
import { testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { START } from './testing/world.ts'

// What people may know of a delivery stands in the transfer itself: one document has all that a device shows.

testInEmptyWorld({ isMoneyChecked: true })

const news = async (id: string) => (await world.context.db.doc(`transactions/${id}`).get()).data()?.delivery
const writes = () => world.sandbox.firestore.counts().writes

/** As it is begun. */
const ORDERED = {
  stage: 'ordered',
  by: 'mtn',
  isLate: false,
  handedOverAt: null,
  deliveredAt: null,
  proof: null,
  failure: null,
}

test('a transfer says nothing of a delivery while nobody pays out', async () => {
  const { id } = await paid()
  expect(await news(id)).toBe(null)
})

test('a transfer says that it is handed over, and then that it has arrived', async () => {
  mtn()
  const { id } = await paid()
  expect(await news(id)).toEqual({ ...ORDERED, stage: 'handedOver', handedOverAt: START })
  await later()
  expect(await news(id)).toEqual({
    ...ORDERED,
    stage: 'delivered',
    handedOverAt: START,
    deliveredAt: START + MINUTE,
    proof: 'W1',
  })
})

test('who has just paid is answered that it is ordered', async () => {
  mtn()
  const { settle } = await paid({ isRecorded: false })
  expect(await settle()).toMatchObject({ value: { transaction: { delivery: ORDERED } } })
})

test('one that waits for us is late, before the promised time is over, until the provider has it', async () => {
  mtn()
  world.payouts.fill(1)
  const { id } = await paid()
  await later()
  const late = { ...ORDERED, isLate: true }
  expect(await news(id)).toEqual(late)
  await later()
  expect(await news(id)).toEqual(late)
  world.payouts.fill()
  await later(HOUR)
  expect(await news(id)).toMatchObject({ stage: 'handedOver', isLate: false })
})

test('a failure for good is told with its reason, and then that the card has everything back', async () => {
  mtn()
  world.payouts.will('recipientUnknown')
  const { id } = await paid({ card: 'pm_card_refundFail' })
  await later()
  expect(await news(id)).toMatchObject({ stage: 'paidBack', failure: 'recipientUnknown', proof: null })
  // The bank sends it back: it is owed once more.
  world.pass(25 * HOUR)
  await checkRefund(world.context, id)
  expect(await news(id)).toMatchObject({ stage: 'failed', failure: 'recipientUnknown' })
})

test('nothing is told of warnings, disputes and who has it in hand, and nothing is written for them', async () => {
  world.payOutBy(byHand)
  const { id } = await paid()
  const ordered = { ...ORDERED, by: 'byHand' }
  expect(await news(id)).toEqual(ordered)
  const before = writes()
  await updateDelivery(world.context, id, () => ({ type: 'order.hold', cause: 'issfr_1' }))
  await updateDelivery(world.context, id, () => ({ type: 'order.release', cause: null }))
  // The orders alone.
  expect(writes() - before).toBe(2)
  await claim(world.context, { batch: 'b1', by: 'Awa', ids: [id] })
  // With its batch.
  expect(writes() - before).toBe(4)
  await updateDelivery(world.context, id, () => ({ type: 'charge.reversed', reversal: 'disputed' }))
  expect(await news(id)).toEqual(ordered)
  const at = world.context.now()
  await updateDelivery(world.context, id, () => ({ type: 'order.arrived', proof: 'PP261123.1042.A1', at }))
  expect(await news(id)).toEqual({
    ...ordered,
    stage: 'delivered',
    deliveredAt: at,
    proof: 'PP261123.1042.A1',
  })
})
