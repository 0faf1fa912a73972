import { expect, test } from 'vitest'
import { sweep } from './server/endpoints/sweep.ts'
import { updateDelivery } from './server/payouts/deliver.ts'
import { byHand } from './server/payouts/providers/byHand.ts'
import { record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { started } from './testing/payments.ts'
import { active, stored } from './testing/plans.ts'
import { requestOf } from './testing/world.ts'

testInEmptyWorld()

test('a plan gets back no more than it brings @spec-allowance-maximum', async () => {
  world.payOutBy(byHand)
  const uid = await world.person()
  const request = requestOf(uid, { couponCode: 'ZERO', expected: { fee: 0, converted: 1_060_000 } })
  const { paymentIntentId: id } = await started(request)
  await world.pay(id)
  expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  await active(uid, 'basic')
  const { tier, lastReset: slotPeriod, transactionsLeft } = await stored(uid)
  expect({ tier, transactionsLeft }).toEqual({ tier: 'basic', transactionsLeft: 2 })
  const { docs } = await world.context.db.collection('attempts').where('paymentIntentId', '==', id).get()
  for (const { ref } of docs) await ref.update({ slotPeriod })

  const giveUp = { type: 'order.giveUp', failure: 'canceled', at: world.now() } as const
  await updateDelivery(world.context, id, () => giveUp)
  await sweep(world.context)
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
  expect((await stored(uid)).transactionsLeft).toBe(2)
})
