import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { createDueItems } from '../../testing/dueItems.ts'
import { findDueDocuments } from '../../testing/liveness.ts'
import { createWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => {
  world.reset()
  world.payOutAsDeployed()
  world.sandbox.mtn.addBalance(1_000_000_000)
})
afterAll(() => world.close())

async function repeat(times: number, make: () => Promise<unknown>) {
  for (let n = 0; n < times; n += 1) await make()
}

async function countOpen() {
  const { attempts, refunds, deliveries } = await world.records()
  const count = <T>(all: Iterable<T>, isOpen: (one: T) => boolean) => [...all].filter(isOpen).length
  return {
    attempts: count(attempts.values(), ({ status }) => status === 'reserved'),
    refunds: count(refunds.values(), ({ status }) => status === 'due'),
    orders: count(deliveries.values(), ({ state }) => state !== 'handedOver' && state !== 'delivered'),
    contacts: count(Object.keys(world.sandbox.firestore.documents()), (path) => path.startsWith('contacts/')),
  }
}

async function runForAnHour() {
  for (let runs = 0; runs < 4; runs += 1) {
    const begin = world.time.elapsed()
    await world.inTime(() => world.invoke('due-work', {}))
    world.pass(15 * MINUTE - (world.time.elapsed() - begin))
  }
}

test('500 items take an hour at most, even with slow Stripe', {
  timeout: 0,
}, async () => {
  const { abandonForm, payUnheard, oweRefund, postponeOrder, decideDeletion } = createDueItems(world)
  await repeat(200, () => abandonForm())
  await repeat(100, () => payUnheard())
  await repeat(100, oweRefund)
  await repeat(50, postponeOrder)
  await repeat(50, decideDeletion)
  expect(await countOpen()).toEqual({ attempts: 300, refunds: 100, orders: 50, contacts: 250 })
  world.pass(31 * MINUTE)
  world.network.slow('stripe', [160, 800])
  await runForAnHour()
  expect(world.ended, 'functions that took longer than their host lets them').toEqual([])
  expect(await countOpen()).toEqual({ attempts: 0, refunds: 0, orders: 0, contacts: 0 })
  expect(findDueDocuments(world, 45 * MINUTE)).toEqual([])
  await world.checkInvariants()
})
