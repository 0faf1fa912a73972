import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createActor, createMachine } from 'xstate'
import {
  broadcastSteps,
  type InspectionChannel,
  type InspectionMessage,
} from '../../src/inspection/broadcastSteps.ts'
import { collectSteps } from './collectSteps.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A message reaches all other channels that are open. */
function createFakeBrowser() {
  const ends = new Map<object, (event: { data: InspectionMessage }) => void>()
  return {
    ends,
    open() {
      const end: InspectionChannel & { close: () => void } = {
        postMessage(data) {
          for (const [other, listen] of ends) if (other !== end) listen({ data: structuredClone(data) })
        },
        addEventListener: (_, listen) => void ends.set(end, listen),
        close: () => void ends.delete(end),
      }
      return end
    },
  }
}

const lampMachine = createMachine({ id: 'lamp', initial: 'off', states: { off: {} } })

test('collects the steps of all tabs for each page that requests them', async () => {
  const { ends, open } = createFakeBrowser()
  for (const tab of ['a', 'b']) {
    const { inspect } = broadcastSteps(open(), tab, { read: () => [], write: () => undefined })
    createActor(lampMachine, { inspect }).start()
  }
  const one = collectSteps(open())
  const other = collectSteps(open())
  vi.runAllTimers()
  const step = { machine: 'lamp', actor: 1, step: 1, event: 'xstate.init', value: 'off' }
  const both = [
    { tab: 'a', ...step },
    { tab: 'b', ...step },
  ]
  expect(await one).toEqual(both)
  expect(await other).toEqual(both)
  expect(ends.size).toBe(2)
})

test('collects no steps if no tab is open', async () => {
  const nothing = collectSteps(createFakeBrowser().open())
  vi.runAllTimers()
  expect(await nothing).toEqual([])
})
