import { expect, test } from 'vitest'
import { recordPayment, resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../testing/payments.ts'
import { activatePlan, readStoredSubscription } from '../../testing/plans.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { runDueWork } from '../endpoints/dueWork.ts'
import { updateDelivery } from '../payouts/deliver.ts'
import { byHandProvider } from '../payouts/providers/byHand.ts'

resetWorldForEachTest()

test('a refund never raises a plan above its allowance @spec-allowance-maximum', async () => {
  world.payOutBy(byHandProvider)
  const uid = await world.person()
  const request = buildTransferRequest(uid, {
    couponCode: 'ZERO',
    expected: { fee: 0, converted: 1_060_000 },
  })
  const { paymentIntentId: id } = await expectTransferPaymentStarted(request)
  await world.pay(id)
  expect(await recordPayment(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  await activatePlan(uid, 'basic')
  const { tier, lastReset: slotPeriod, transactionsLeft } = await readStoredSubscription(uid)
  expect({ tier, transactionsLeft }).toEqual({ tier: 'basic', transactionsLeft: 2 })
  const { docs } = await world.context.db.collection('attempts').where('paymentIntentId', '==', id).get()
  for (const { ref } of docs) await ref.update({ slotPeriod })

  const giveUp = { type: 'order.markFailed', failure: 'canceled', at: world.now() } as const
  await updateDelivery(world.context, id, () => giveUp)
  await runDueWork(world.context)
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
  expect((await readStoredSubscription(uid)).transactionsLeft).toBe(2)
})
