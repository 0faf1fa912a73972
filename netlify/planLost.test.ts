import { expect, test } from 'vitest'
import { DAY } from '../domain/duration.ts'
import { byHand } from './server/deliveries/byHand.ts'
import { sweep } from './server/endpoints/sweep.ts'
import { rebuild } from './server/operations/rebuild.ts'
import { tellDelivery } from './server/payments/deliver.ts'
import { record, testInEmptyWorld, world } from './testing/emptyWorld.ts'
import { started } from './testing/payments.ts'
import { active, stored } from './testing/plans.ts'
import { requestOf } from './testing/world.ts'

testInEmptyWorld()

async function send(uid: string, changes: Parameters<typeof requestOf>[1]) {
  const request = requestOf(uid, changes)
  const { paymentIntentId: id } = await started(request)
  await world.pay(id)
  expect(await record(uid, request.attemptId)).toMatchObject({ value: { outcome: 'paid' } })
  return id
}
const sendByPlan = (uid: string) => send(uid, { amount: 2_000, expected: { fee: 100, converted: 201_400 } })

/** Attempts were once written again with a transfer of the plan although the profile was lost. */
async function holdOfPlan(uid: string, id: string) {
  const { lastReset: slotPeriod } = await stored(uid)
  const { docs } = await world.context.db.collection('attempts').where('paymentIntentId', '==', id).get()
  for (const { ref } of docs) await ref.update({ slotPeriod })
}

test.each<[string, number, (uid: string, id: string) => Promise<unknown>]>([
  ['one was sent since', 1, sendByPlan],
  ['an earlier version wrote its attempt again', 2, holdOfPlan],
])(
  'a plan whose profile was lost gets back no more than it brings, also when %s @spec-allowance-maximum',
  async (_, left, since) => {
    world.payOutBy(byHand)
    await sweep(world.context)
    const backup = world.sandbox.firestore.dump()
    const uid = await world.person()
    const profile = world.context.db.doc(`users/${uid}`)
    const lost = (await profile.get()).data() ?? {}
    await active(uid, 'basic')
    const id = await send(uid, { couponCode: 'ZERO', expected: { fee: 0, converted: 1_060_000 } })
    world.sandbox.firestore.load(backup)
    expect(await rebuild(world.context)).toMatchObject({ lostProfiles: [uid], isOpen: true })
    await profile.set(lost)
    world.pass(1.1 * DAY)
    await sweep(world.context)
    expect(await stored(uid)).toMatchObject({ tier: 'basic', transactionsLeft: 2 })
    await since(uid, id)
    const giveUp = { type: 'order.giveUp', failure: 'canceled', at: world.now() } as const
    await tellDelivery(world.context, id, () => giveUp)
    await sweep(world.context)
    expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
    expect((await stored(uid)).transactionsLeft).toBe(left)
  },
)
