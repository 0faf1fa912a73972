import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createActor, createMachine } from 'xstate'
import { type Channel, type Message, tellOn } from '../../src/inspection/tell.ts'
import { gathered } from './gathered.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** What one tab says all others hear, until they close their ends. */
function browser() {
  const ends = new Map<object, (event: { data: Message }) => void>()
  return {
    ends,
    open() {
      const end: Channel & { close: () => void } = {
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

test('the steps of all tabs are one report, each with its tab, for the page that asked', async () => {
  const { ends, open } = browser()
  for (const tab of ['a', 'b']) {
    const { inspect } = tellOn(open(), tab, { read: () => [], write: () => undefined })
    createActor(lampMachine, { inspect }).start()
  }
  const one = gathered(open())
  const other = gathered(open())
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

test('where no tab is open there is nothing', async () => {
  const nothing = gathered(browser().open())
  vi.runAllTimers()
  expect(await nothing).toEqual([])
})
