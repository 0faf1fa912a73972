import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE } from '../../domain/common/duration.ts'
import { createDueItems } from '../../netlify/testing/dueItems.ts'
import { createWorld, type World } from '../../netlify/testing/world.ts'
import { DUE_ITEM_KINDS } from './job.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

async function countCalls(items: number, make: () => Promise<unknown>, isPaidOut: boolean) {
  world.reset()
  if (isPaidOut) world.payOutAsDeployed()
  for (let n = 0; n < items; n += 1) await make()
  world.pass(31 * MINUTE)
  const before = world.requests.length
  await world.invoke('due-work', {})
  const calls = world.requests.slice(before)
  const count = (path: RegExp) => calls.filter((request) => path.test(request)).length
  return {
    stripe: count(/ \/v1\/(?!projects)/),
    firestore: count(/ \/v1\/projects\//),
    provider: count(/ \/disbursement\/v1_0/),
  }
}

test.each([
  ['form', 'abandonForm', false],
  ['payment', 'payUnheard', false],
  ['refund', 'oweRefund', false],
  ['order', 'postponeOrder', true],
  ['check', 'leavePending', true],
] as const)('another due %s takes the calls that the simulation assumes', async (name, kind, isPaidOut) => {
  const make = createDueItems(world)[kind]
  const one = await countCalls(1, () => make(), isPaidOut)
  const three = await countCalls(3, () => make(), isPaidOut)
  const { stripe, firestore, provider }: Partial<typeof one> = {
    provider: 0,
    stripe: 0,
    ...DUE_ITEM_KINDS[name].calls,
  }
  expect({
    stripe: (three.stripe - one.stripe) / 2,
    firestore: (three.firestore - one.firestore) / 2,
    provider: (three.provider - one.provider) / 2,
  }).toEqual({ stripe, firestore, provider })
})
