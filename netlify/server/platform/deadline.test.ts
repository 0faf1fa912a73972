import { afterAll, expect, test } from 'vitest'
import { createSandbox } from '../../../sandbox/sandbox.ts'
import { createContext } from './context.ts'
import { runUntil } from './deadline.ts'
import { readSettings } from './settings.ts'

const signals: (AbortSignal | null | undefined)[] = []
const silentFetch: typeof fetch = (_, init) => {
  const signal = init?.signal
  signals.push(signal)
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}

const sandbox = createSandbox({ origin: () => 'http://127.0.0.1:1', functionsOrigin: () => null })
const context = createContext(readSettings(sandbox.functionSettings()), { fetch: silentFetch })
afterAll(() => context.db.terminate())

test.each([
  ['a request to Stripe', () => context.stripe.paymentIntents.retrieve('pi_1', {}, { maxNetworkRetries: 0 })],
  ['a read of a Firestore document', () => context.db.doc('users/ada').get()],
  ['a Firestore query', () => context.db.collection('users').get()],
  ['a request to another service', () => context.fetch('http://127.0.0.1:1/')],
] as const)('a deadline aborts %s', async (_, ask) => {
  signals.length = 0
  const deadline = new AbortController()
  const asked = runUntil(deadline.signal, async () => ask()).catch((error: unknown) => error)
  await expect.poll(() => signals.length).toBeGreaterThan(0)
  deadline.abort()
  expect(await asked).toBeInstanceOf(Error)
})

test('a request without a deadline uses only its own signal', async () => {
  signals.length = 0
  const { signal } = new AbortController()
  void context.fetch('http://127.0.0.1:1/', { signal })
  void context.fetch('http://127.0.0.1:1/')
  expect(signals).toEqual([signal, undefined])
})
