import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/common/duration.ts'
import { createCrashingContext } from '../../testing/crashingContext.ts'
import { enableSimulatedProvider, passTimeWithJob, payTransfer, readOrder } from '../../testing/deliveries.ts'
import { resetWorldForEachTest, world } from '../../testing/emptyWorld.ts'
import { recordTransfer } from '../endpoints/recordTransfer.ts'
import { waitForBackgroundWork } from '../platform/context.ts'
import { advanceDelivery, updateDelivery } from './deliver.ts'
import type { PayoutContext } from './payoutContext.ts'

resetWorldForEachTest({ isMoneyChecked: true })

const listCrashes = (steps: number) =>
  (['before', 'after'] as const).flatMap((when) =>
    Array.from({ length: steps }, (_, i) => [when, i + 1] as const),
  )

test('a payout that arrives after it was given up is booked once', async () => {
  enableSimulatedProvider()
  world.payouts.will('pending')
  const { id } = await payTransfer()
  await passTimeWithJob(25 * HOUR)
  await updateDelivery(world.context, id, () => ({
    type: 'order.markFailed',
    failure: 'rejected',
    at: world.now(),
  }))
  await passTimeWithJob()
  expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
  world.payouts.decide('delivered')
  await passTimeWithJob(HOUR)
  const alerts = () => world.logged.filter(({ event }) => event === 'deliveryAlert')
  expect(alerts()).toEqual([])
  await advanceDelivery(world.context, id, { isHint: true })
  expect(alerts()).toMatchObject([{ paymentIntentId: id, state: 'paidBack' }])
  world.pass(MINUTE)
  await advanceDelivery(world.context, id, { isHint: true })
  expect(alerts()).toHaveLength(1)
  const { journal, transactions } = await world.records()
  const [loss] = [...journal.values()].flatMap(({ entries }) => entries).slice(-1)
  expect(loss).toEqual({
    kind: 'payoutArrivedLate',
    lines: [{ debit: 'expenses:latePayouts', credit: 'assets:float:mtn', minor: 1_028_200, currency: 'GNF' }],
  })
  expect(transactions.get(id)).toMatchObject({ status: 'failed', delivery: { stage: 'paidBack' } })
  world.payouts.reset()
})

describe('a process that crashes', () => {
  test.each(listCrashes(8))('a crash %s step %i pays a recorded transfer out once', async (when, at) => {
    enableSimulatedProvider()
    const { id, uid, attemptId } = await payTransfer({ isRecorded: false })
    const { context, life } = createCrashingContext(world.context, at, when)
    await recordTransfer(context, { uid }, { attemptId }).catch(() => null)
    await waitForBackgroundWork(context)
    expect(life.hasCrashed).toBe(true)
    await passTimeWithJob(31 * MINUTE)
    await passTimeWithJob(31 * MINUTE)
    await passTimeWithJob(31 * MINUTE)
    expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
    expect(world.payouts.taken()).toHaveLength(1)
  })

  test.each(listCrashes(8))('a crash %s step %i refunds a failed transfer once', async (when, at) => {
    enableSimulatedProvider()
    world.payouts.will('recipientUnknown')
    const { id } = await payTransfer()
    world.pass(MINUTE)
    const { context, life } = createCrashingContext(world.context, at, when)
    await advanceDelivery(context, id).catch(() => null)
    expect(life.hasCrashed).toBe(true)
    await passTimeWithJob(31 * MINUTE)
    await passTimeWithJob(31 * MINUTE)
    expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
    expect(world.sandbox.stripe.refunds()).toHaveLength(1)
  })
})

describe('a late answer of a payout provider', () => {
  /** `happens` runs before each of the provider's answers arrives. */
  function createLateContext(happens: () => Promise<unknown>): PayoutContext {
    const { provider } = world.payouts
    const late = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        const answer = await call(...args)
        await happens()
        return answer
      }
    }
    const api = provider.api && {
      ...provider.api,
      send: late(provider.api.send),
      state: late(provider.api.state),
    }
    return { ...world.context, providers: [{ ...provider, api }] }
  }

  test('a former try’s answer is ignored during the next try', async () => {
    enableSimulatedProvider()
    world.payouts.fill(1)
    const { id } = await payTransfer()
    world.payouts.will('pending')
    world.pass(MINUTE)
    const slow = createLateContext(async () => {
      world.pass(HOUR)
      await advanceDelivery(world.context, id)
      world.payouts.fill()
      world.pass(HOUR)
      await advanceDelivery(world.context, id)
      expect(await readOrder(id)).toMatchObject({ state: 'handedOver', attempt: 2 })
    })
    await advanceDelivery(slow, id)
    expect(await readOrder(id)).toMatchObject({ state: 'handedOver', attempt: 2 })
    await passTimeWithJob(HOUR)
    await passTimeWithJob(HOUR)
    expect(world.payouts.taken()).toHaveLength(2)
  })

  test('ignores a late refusal of a payout that was sent again', async () => {
    enableSimulatedProvider()
    world.payouts.fallSilent('before')
    const { id } = await payTransfer()
    world.pass(MINUTE)
    world.payouts.refuse('recipientUnknown')
    let times = 0
    const slow = createLateContext(async () => {
      times += 1
      if (times !== 3) return
      world.payouts.refuse(null)
      world.payouts.fallSilent('not', 'after')
      world.pass(HOUR)
      await advanceDelivery(world.context, id)
      expect(world.payouts.taken()).toHaveLength(1)
    })
    await advanceDelivery(slow, id)
    expect(world.sandbox.stripe.refunds()).toEqual([])
    await passTimeWithJob(HOUR)
    await passTimeWithJob(HOUR)
    expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
  })
})

test('a process suspended before sending a payout never sends it', async () => {
  enableSimulatedProvider()
  world.payouts.fill(1)
  const { id } = await payTransfer()
  await passTimeWithJob()
  world.payouts.fill()
  world.pass(HOUR)
  const { stripe } = world.context
  const retrieve = async (of: string) => {
    const intent = await stripe.paymentIntents.retrieve(of)
    world.pass(2 * MINUTE)
    return intent
  }
  const paymentIntents = Object.create(stripe.paymentIntents, { retrieve: { value: retrieve } })
  const slept = {
    ...world.context,
    stripe: Object.create(stripe, { paymentIntents: { value: paymentIntents } }),
  }
  expect(await advanceDelivery(slept, id)).toBe('deliveryUnanswered')
  expect(world.payouts.taken()).toHaveLength(1)
  expect(await readOrder(id)).toMatchObject({ state: 'handingOver', attempt: 2 })
  await passTimeWithJob(HOUR)
  await passTimeWithJob(HOUR)
  expect(await readOrder(id)).toMatchObject({ state: 'delivered' })
})

test('an operator ends a payout that the provider never gets', async () => {
  enableSimulatedProvider()
  world.payouts.fallSilent('before', ...Array.from({ length: 9 }, () => ['not', 'before'] as const).flat())
  const { id } = await payTransfer()
  expect(await passTimeWithJob(HOUR)).toMatchObject({ deliveryUnanswered: 1 })
  const failed = { type: 'order.markFailed', failure: 'canceled', at: world.now() } as const
  expect(await updateDelivery(world.context, id, () => failed)).toMatchObject({ todo: [] })
  await passTimeWithJob(HOUR)
  expect(await readOrder(id)).toMatchObject({ state: 'paidBack' })
  expect(world.payouts.taken()).toEqual([])
  expect(world.sandbox.stripe.refunds()).toMatchObject([{ payment_intent: id, amount: 10_000 }])
})
