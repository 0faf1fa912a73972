import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnyActorLogic, createActor } from 'xstate'
import { invoice } from './invoice.ts'
import { transfer } from './transfer.ts'

// A device whose database is open, and does not answer.
vi.mock('../cache/database.ts', () => ({ withRows: () => new Promise(() => {}) }))

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test.each([
  ['transfer', transfer.implementations.actors.findOpenAttempt as AnyActorLogic],
  ['invoice', invoice.implementations.actors.findOpenAttempt as AnyActorLogic],
])(
  'a device that does not say whether a %s is open is not waited for longer than 5 seconds',
  async (_, logic) => {
    const actor = createActor(logic, { input: { uid: 'u1' } })
    actor.subscribe({ error: () => undefined })
    actor.start()
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(4_900)
    expect(actor.getSnapshot().status).toBe('active')
    await vi.advanceTimersByTimeAsync(200)
    expect(actor.getSnapshot().status).toBe('error')
  },
)
