import { expect, test } from 'vitest'
import { assign, createActor, setup } from 'xstate'
import { type Message, tellOn } from './tell.ts'

const lampMachine = setup({
  types: {
    context: {} as { kind: string; owner: string; presses: number; isDim: boolean },
    events: {} as { type: 'press' } | { type: 'break' },
  },
  actions: { count: assign({ presses: ({ context }) => context.presses + 1 }) },
}).createMachine({
  id: 'lamp',
  context: { kind: 'ceiling', owner: 'Awa Diallo', presses: 0, isDim: true },
  initial: 'off',
  states: {
    off: { on: { press: { target: 'on', actions: 'count' } } },
    on: {
      initial: 'warming',
      states: { warming: {} },
      on: { press: { target: 'off', actions: 'count' }, break: 'broken' },
    },
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
    // As it goes through a real one, which keeps no ties to the tab.
    postMessage: (message: Message) => told.push(structuredClone(message)),
    addEventListener: (_: 'message', listen: (event: { data: Message }) => void) => listeners.push(listen),
  }
}

const unpressed = { kind: 'ceiling', owner: '… 10 characters', presses: 0, isDim: true }
const pressed = { ...unpressed, presses: '… a number' }
const lamp = { kind: 'running', tab: 'a', machine: 'lamp', step: 1, context: unpressed }

test('each step of each machine is told, and its end', () => {
  const { told, ...on } = channel()
  const { inspect } = tellOn(on, 'a')
  const first = createActor(lampMachine, { inspect }).start()
  const second = createActor(lampMachine, { inspect }).start()
  first.send({ type: 'press' })
  expect(told()).toEqual([
    { ...lamp, actor: 1, value: 'off', event: 'xstate.init' },
    { ...lamp, actor: 2, value: 'off', event: 'xstate.init' },
    { ...lamp, step: 2, context: pressed, actor: 1, value: { on: 'warming' }, event: 'press' },
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
  expect(told()).toEqual([
    { ...lamp, step: 2, context: pressed, actor: 1, value: { on: 'warming' }, event: 'press' },
  ])
  on.hear({ kind: 'ended', tab: 'b', actor: null })
  expect(told()).toEqual([])
  leave()
  expect(told()).toEqual([{ kind: 'ended', tab: 'a', actor: null }])
})

test('of what a machine knows nothing of a person is told', () => {
  const { told, ...on } = channel()
  const { inspect } = tellOn(on, 'a')
  createActor(lampMachine, { inspect }).start().send({ type: 'press' })
  on.hear({ kind: 'ask' })
  on.hear({ kind: 'askReport' })
  const all = told()
  expect(all.map(({ kind }) => kind)).toEqual(['running', 'running', 'running', 'report'])
  expect(JSON.stringify(all)).not.toContain('Awa')
})

test('a page that asks for a report is told all steps of the tab, of actors that have ended too, and nothing of what they knew', () => {
  const { told, ...on } = channel()
  const { inspect } = tellOn(on, 'a')
  on.hear({ kind: 'askReport' })
  expect(told()).toEqual([{ kind: 'report', tab: 'a', steps: [] }])

  const first = createActor(lampMachine, { inspect }).start()
  first.send({ type: 'press' })
  createActor(lampMachine, { inspect }).start()
  first.send({ type: 'break' })
  told()
  on.hear({ kind: 'askReport' })
  const step = { machine: 'lamp', actor: 1 }
  expect(told()).toEqual([
    {
      kind: 'report',
      tab: 'a',
      steps: [
        { ...step, value: 'off', event: 'xstate.init' },
        { ...step, value: { on: 'warming' }, event: 'press' },
        { ...step, actor: 2, value: 'off', event: 'xstate.init' },
        { ...step, value: 'broken', event: 'break' },
      ],
    },
  ])
})

test.each([
  ['ask', 'running'],
  ['askReport', 'report'],
] as const)('who asks by %s gets nothing but %s', (kind, answer) => {
  const { told, ...on } = channel()
  createActor(lampMachine, { inspect: tellOn(on, 'a').inspect }).start()
  told()
  on.hear({ kind })
  expect(told().map((message) => message.kind)).toEqual([answer])
})

test('a report has the last 500 steps', () => {
  const { told, ...on } = channel()
  const { inspect } = tellOn(on, 'a')
  const actor = createActor(lampMachine, { inspect }).start()
  const reported = () => {
    told()
    on.hear({ kind: 'askReport' })
    return told().flatMap((message) => (message.kind === 'report' ? message.steps : []))
  }
  for (let press = 1; press < 500; press++) actor.send({ type: 'press' })
  const all = reported()
  expect(all).toHaveLength(500)
  expect(all[0]).toMatchObject({ value: 'off', event: 'xstate.init' })

  actor.send({ type: 'press' })
  actor.send({ type: 'break' })
  const later = reported()
  expect(later).toHaveLength(500)
  expect(later.slice(0, 498)).toEqual(all.slice(2))
})
