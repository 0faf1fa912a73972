import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createWorld, type World } from './world.ts'

const DOCUMENTS = '/v1/projects/demo-passerelle/databases/%28default%29/documents'

// Hoisted above the imports, because Firestore's SDK reads `setTimeout` when it is loaded.
const waits = vi.hoisted(() => vi.spyOn(globalThis, 'setTimeout'))

let world: World
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(async () => {
  waits.mockRestore()
  await world.close()
})

const aborted = { kind: 'abort' } as const
const unavailable = { kind: 'status', status: 503 } as const

test.each([
  [
    'a Firestore transaction',
    { on: `POST ${DOCUMENTS}:commit`, times: 4, what: aborted },
    ({ db }: World['context']) => db.runTransaction(async (tx) => tx.set(db.doc('rows/r1'), { at: 1 })),
  ],
  [
    'a Firestore write outside of a transaction',
    { on: `POST ${DOCUMENTS}:commit`, times: 12, what: aborted },
    ({ db }: World['context']) => db.doc('rows/r1').set({ at: 1 }),
  ],
  [
    'a Firestore read',
    { on: `POST ${DOCUMENTS}:batchGet`, times: 4, what: unavailable },
    ({ db }: World['context']) => db.doc('rows/r1').get(),
  ],
  [
    'a call to Stripe',
    { on: 'GET /v1/', times: 2, what: unavailable },
    ({ stripe }: World['context']) => stripe.paymentIntents.list(),
  ],
])('the SDK retries %s without waiting', async (_, fault, call) => {
  waits.mockClear()
  world.sandbox.faults.add(fault)
  await call(world.context)
  expect(world.sandbox.faults.pending(), 'Each fault was met by another try').toEqual([])
  // Ignore timers of six seconds and more: they are timeouts of requests, not waits between tries.
  const waited = waits.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms >= 10 && ms < 6000)
  expect(
    waited,
    'The SDK waits between two tries (ms) in spite of netlify/testing/removeRetryDelays.ts',
  ).toEqual([])
})
