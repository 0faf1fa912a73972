import { expect, test } from 'vitest'
import { createActor, setup } from 'xstate'
import { type Message, tellOn } from './tell.ts'

const lampMachine = setup({
  types: { events: {} as { type: 'press' } | { type: 'break' } },
}).createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: { on: { press: 'on' } },
    on: { initial: 'warming', states: { warming: {} }, on: { break: 'broken' } },
    broken: { type: 'final' },
  },
})

function channel() {
  const told: Message[] = []
  const listeners: ((event: { data: Message }) => void)[] = []
  return {
    told: () => told.splice(0),
    hear: (data: Message) => {
      for (const listen of listeners) listen({ data })
    },
    postMessage: (message: Message) => told.push(message),
    addEventListener: (_: 'message', listen: (event: { data: Message }) => void) => listeners.push(listen),
  }
}

const lamp = { kind: 'running', tab: 'a', machine: 'lamp' }

test('each step of each machine is told, and its end', () => {
  const { told, ...on } = channel()
  const { inspect } = tellOn(on, 'a')
  const first = createActor(lampMachine, { inspect }).start()
  const second = createActor(lampMachine, { inspect }).start()
  first.send({ type: 'press' })
  expect(told()).toEqual([
    { ...lamp, actor: 1, value: 'off', event: 'xstate.init' },
    { ...lamp, actor: 2, value: 'off', event: 'xstate.init' },
    { ...lamp, actor: 1, value: { on: 'warming' }, event: 'press' },
  ])
  first.send({ type: 'break' })
  second.stop()
  expect(told()).toEqual([
    { kind: 'ended', tab: 'a', actor: 1 },
    { kind: 'ended', tab: 'a', actor: 2 },
  ])
})

test('a page that asks is told of what runs, and a tab that is left says so', () => {
  const { told, ...on } = channel()
  const { inspect, leave } = tellOn(on, 'a')
  const actor = createActor(lampMachine, { inspect }).start()
  createActor(lampMachine, { inspect }).start().stop()
  actor.send({ type: 'press' })
  told()
  on.hear({ kind: 'ask' })
  expect(told()).toEqual([{ ...lamp, actor: 1, value: { on: 'warming' }, event: 'press' }])
  on.hear({ kind: 'ended', tab: 'b', actor: null })
  expect(told()).toEqual([])
  leave()
  expect(told()).toEqual([{ kind: 'ended', tab: 'a', actor: null }])
})
