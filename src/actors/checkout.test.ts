import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnyActorLogic, createActor } from 'xstate'
import { invoiceLogic } from './invoice.ts'
import { transferLogic } from './transfer.ts'

// A device whose open database does not respond.
vi.mock('../cache/database.ts', () => ({ withRows: () => new Promise(() => {}) }))

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each([
  ['transfer', transferLogic.implementations.actors.findOpenAttempt as AnyActorLogic],
  ['invoice', invoiceLogic.implementations.actors.findOpenAttempt as AnyActorLogic],
])('the search for an open %s fails if the device does not respond within 5 seconds', async (_, logic) => {
  const actor = createActor(logic, { input: { uid: 'u1' } })
  actor.subscribe({ error: () => undefined })
  actor.start()
  await vi.dynamicImportSettled()
  await vi.advanceTimersByTimeAsync(4_900)
  expect(actor.getSnapshot().status).toBe('active')
  await vi.advanceTimersByTimeAsync(200)
  expect(actor.getSnapshot().status).toBe('error')
})
