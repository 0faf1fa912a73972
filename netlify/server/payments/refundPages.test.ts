import { expect, test } from 'vitest'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { expectTransferPaymentStarted } from '../../testing/payments.ts'
import { buildTransferRequest } from '../../testing/world.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'

resetWorldForEachTest({ isMoneyChecked: true })

test('counts a partial refund that is not on Stripe’s first page', async () => {
  const uid = await world.person()
  const { paymentIntentId } = await expectTransferPaymentStarted(buildTransferRequest(uid))
  await world.pay(paymentIntentId)
  const { stripe } = world.context
  for (const amount of [2_000, 3_000])
    await stripe.refunds.create({ payment_intent: paymentIntentId, amount, metadata: { byHand: 'yes' } })
  const list: typeof stripe.refunds.list = (asked) => stripe.refunds.list({ ...asked, limit: 1 })
  const refunds = Object.create(stripe.refunds, { list: { value: list } })
  const paged = { ...world.context, stripe: Object.create(stripe, { refunds: { value: refunds } }) }
  expect(await recordTransfer(paged, { uid }, { paymentIntentId })).toMatchObject({
    value: { outcome: 'refunded' },
  })
  expect(world.sandbox.stripe.refunds().map(({ amount }) => amount)).toEqual([2_000, 3_000, 5_000])
})
