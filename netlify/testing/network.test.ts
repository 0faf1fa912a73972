import { expect, test } from 'vitest'
import { createNetwork, LATENCIES } from './network.ts'
import { createSimulatedTime } from './simulatedTime.ts'

const HOST = 'http://127.0.0.1'
const STRIPE = `${HOST}/v1/payment_intents`

function createTestNetwork() {
  const time = createSimulatedTime()
  const network = createNetwork(time)
  const arrivals: number[] = []
  const fetch = network.delay(async () => {
    arrivals.push(time.elapsed())
    return new Response('done')
  })
  return { time, network, arrivals, fetch }
}

test.each([
  ['stripe', '/v1/payment_intents'],
  ['firestore', '/v1/projects/demo/databases/(default)/documents:commit'],
  ['provider', '/disbursement/v1_0/transfer'],
  ['google', '/identitytoolkit.googleapis.com/v1/projects/demo/accounts:lookup'],
] as const)('the latency of a call to %s varies within its range', async (service, path) => {
  const { time, fetch } = createTestNetwork()
  const [least, most] = LATENCIES[service]
  const durations: number[] = []
  for (let calls = 0; calls < 50; calls += 1) {
    const begin = time.elapsed()
    await time.run(() => fetch(HOST + path))
    durations.push(time.elapsed() - begin)
  }
  expect(Math.min(...durations)).toBeGreaterThanOrEqual(least)
  expect(Math.max(...durations)).toBeLessThanOrEqual(most)
  expect(new Set(durations).size).toBeGreaterThan(10)
})

test('a seed determines the latencies', async () => {
  const durations = async (seed: number) => {
    const { time, network, fetch } = createTestNetwork()
    network.begin(seed)
    await time.run(() => Promise.all(Array.from({ length: 20 }, () => fetch(STRIPE))))
    return time.elapsed()
  }
  expect(await durations(1)).toBe(await durations(1))
  expect(await durations(2)).not.toBe(await durations(1))
})

test('parallel requests may arrive in another order than they were sent', async () => {
  const { time, arrivals, fetch } = createTestNetwork()
  const order: number[] = []
  await time.run(() =>
    Promise.all(Array.from({ length: 20 }, (_, index) => fetch(STRIPE).then(() => order.push(index)))),
  )
  expect(arrivals).toHaveLength(20)
  expect(order).not.toEqual(order.toSorted((a, b) => a - b))
})

test('a call outside of a run or path takes no time', async () => {
  const { time, fetch } = createTestNetwork()
  await fetch(STRIPE)
  await time.run(() => fetch(`${HOST}/sandbox/auth/jwks`))
  expect(time.elapsed()).toBe(0)
})

test('a request arrives even if its sender gives up', async () => {
  const { time, network, arrivals, fetch } = createTestNetwork()
  network.slow('stripe', [20_000, 20_000])
  const failure = await time.run(async () => {
    const signal = AbortSignal.timeout(100)
    return fetch(STRIPE, { signal }).catch((error: Error) => `${error.name} ${time.elapsed()}`)
  })
  expect(failure).toBe('TimeoutError 100')
  expect(arrivals).toHaveLength(1)
})

test('a function beyond its host’s limit sends nothing more', async () => {
  const { time, network, arrivals, fetch } = createTestNetwork()
  let answers = 0
  const work = async () => {
    for (;;) {
      await fetch(STRIPE)
      answers += 1
    }
  }
  expect(await time.run(() => network.runWithin(1_000, work))).toBe(null)
  const before = answers
  await time.run(() => time.wait(10_000))
  expect(arrivals.length).toBeGreaterThan(1)
  expect(answers).toBe(before)
  expect(arrivals.length).toBeLessThanOrEqual(before + 1)
})

test('a function that ends in time returns its result', async () => {
  const { time, network, fetch } = createTestNetwork()
  const answer = await time.run(() => network.runWithin(1_000, async () => (await fetch(STRIPE)).text()))
  expect(answer).toBe('done')
})
