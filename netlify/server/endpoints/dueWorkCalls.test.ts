import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MINUTE } from '../../../domain/common/duration.ts'
import { createDueItems } from '../../testing/dueItems.ts'
import { createWorld, type World } from '../../testing/world.ts'

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
  ['abandonForm', false, { stripe: 1, firestore: 3, provider: 0 }],
  ['payUnheard', false, { stripe: 3, firestore: 4, provider: 0 }],
  ['oweRefund', false, { stripe: 5, firestore: 5, provider: 0 }],
  ['postponeOrder', true, { stripe: 3, firestore: 6, provider: 2 }],
  ['leavePending', true, { stripe: 0, firestore: 2, provider: 1 }],
] as const)('another due item of %s takes the calls of docs/scale.md', async (kind, isPaidOut, calls) => {
  const make = createDueItems(world)[kind]
  const one = await countCalls(1, () => make(), isPaidOut)
  const three = await countCalls(3, () => make(), isPaidOut)
  expect({
    stripe: (three.stripe - one.stripe) / 2,
    firestore: (three.firestore - one.firestore) / 2,
    provider: (three.provider - one.provider) / 2,
  }).toEqual(calls)
})
