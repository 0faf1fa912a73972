import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AnyStateMachine, assign, createActor, setup } from 'xstate'
import { type Message, type Told, tellOn } from './tell.ts'

// XState throws an error that nobody takes in a task of its own: `vi.runAllTimers` throws it.
beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const NOW = 1_800_000_000_000

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

/** A tab, with what it keeps. */
function tabOf(on: Omit<ReturnType<typeof channel>, 'told'>, tab = 'a', before: readonly Told[] = []) {
  let kept = before
  const memory = {
    read: () => kept,
    write: (steps: readonly Told[]) => {
      kept = steps
    },
  }
  return { ...tellOn(on, tab, memory), kept: () => kept }
}

const unpressed = { kind: 'ceiling', owner: '… 10 characters', presses: 0, isDim: true }
const pressed = { ...unpressed, presses: '… a number' }
const first = { tab: 'a', machine: 'lamp', actor: 1 }
const second = { ...first, actor: 2 }
const off = { step: 1, value: 'off', event: 'xstate.init' }
const warming = { step: 2, value: { on: 'warming' }, event: 'press' }
const broken = { step: 3, value: 'broken', event: 'break' }

test('each step of each machine is told, and with its end the last one', () => {
  const { told, ...on } = channel()
  const { inspect } = tabOf(on)
  const one = createActor(lampMachine, { inspect }).start()
  const other = createActor(lampMachine, { inspect }).start()
  one.send({ type: 'press' })
  expect(told()).toEqual([
    { kind: 'running', ...first, ...off, at: NOW, context: unpressed },
    { kind: 'running', ...second, ...off, at: NOW, context: unpressed },
    { kind: 'running', ...first, ...warming, at: NOW, context: pressed },
  ])
  one.send({ type: 'break' })
  other.stop()
  expect(told()).toEqual([
    { kind: 'ended', ...first, ...broken },
    { kind: 'ended', ...second, step: 2, value: 'off', event: 'xstate.stop' },
  ])
})

test('a page that asks is told of what runs and of the last steps, and a tab that is left says so', () => {
  const { told, ...on } = channel()
  const { inspect, leave } = tabOf(on)
  const actor = createActor(lampMachine, { inspect }).start()
  const other = createActor(lampMachine, { inspect }).start()
  actor.send({ type: 'press' })
  other.send({ type: 'press' })
  other.send({ type: 'break' })
  told()
  on.hear({ kind: 'ask' })
  expect(told()).toEqual([
    {
      kind: 'here',
      tab: 'a',
      running: [{ ...first, ...warming, at: NOW, context: pressed }],
      steps: [
        ...[first, second].map((one) => ({ ...one, ...off })),
        ...[first, second].map((one) => ({ ...one, ...warming })),
        { ...second, ...broken },
      ],
    },
  ])
  on.hear({ kind: 'ended', tab: 'b', actor: null })
  expect(told()).toEqual([])
  leave()
  expect(told()).toEqual([{ kind: 'ended', tab: 'a', actor: null }])
})

test('a page that asks is told the last twenty steps of each machine', () => {
  const { told, ...on } = channel()
  const { inspect } = tabOf(on)
  createActor(lampMachine, { inspect }).start().send({ type: 'press' })
  const bell = createActor(bellMachine, { inspect }).start()
  for (let ring = 1; ring <= 30; ring++) bell.send({ type: 'ring' })
  told()
  on.hear({ kind: 'ask' })
  const steps = told().flatMap((message) => (message.kind === 'here' ? message.steps : []))
  expect(steps.map(({ machine, step }) => `${machine} ${step}`)).toEqual([
    'lamp 1',
    'lamp 2',
    ...Array.from({ length: 20 }, (_, place) => `bell ${place + 12}`),
  ])
})

test('of what a machine knows nothing of a person is told', () => {
  const { told, ...on } = channel()
  const { inspect, kept } = tabOf(on)
  createActor(lampMachine, { inspect }).start().send({ type: 'press' })
  on.hear({ kind: 'ask' })
  on.hear({ kind: 'askReport', id: 'x' })
  const all = told()
  expect(all.map(({ kind }) => kind)).toEqual(['running', 'running', 'here', 'report'])
  expect(JSON.stringify([all, kept()])).not.toContain('Awa')
})

test('a page that asks for a report is told all steps of the tab, of actors that have ended too, and nothing of what they knew', () => {
  const { told, ...on } = channel()
  const { inspect } = tabOf(on)
  on.hear({ kind: 'askReport', id: 'x' })
  expect(told()).toEqual([{ kind: 'report', id: 'x', steps: [] }])

  const actor = createActor(lampMachine, { inspect }).start()
  actor.send({ type: 'press' })
  createActor(lampMachine, { inspect }).start()
  actor.send({ type: 'break' })
  told()
  on.hear({ kind: 'askReport', id: 'y' })
  expect(told()).toEqual([
    {
      kind: 'report',
      id: 'y',
      steps: [
        { ...first, ...off },
        { ...first, ...warming },
        { ...second, ...off },
        { ...first, ...broken },
      ],
    },
  ])
})

test.each([
  [{ kind: 'ask' }, 'here'],
  [{ kind: 'askReport', id: 'x' }, 'report'],
] as const)('who asks by %j gets nothing but %s', (question, answer) => {
  const { told, ...on } = channel()
  createActor(lampMachine, { inspect: tabOf(on).inspect }).start()
  told()
  on.hear(question)
  expect(told().map((message) => message.kind)).toEqual([answer])
})

test('a report has the last 500 steps, and so has what is kept', () => {
  const { told, ...on } = channel()
  const { inspect, kept } = tabOf(on)
  const actor = createActor(lampMachine, { inspect }).start()
  const reported = () => {
    told()
    on.hear({ kind: 'askReport', id: 'x' })
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
  expect(kept()).toEqual(later)
})

test('what the tab has kept is told as its own, and its actors are counted on', () => {
  const { told, ...on } = channel()
  const { inspect } = tabOf(on, 'b', [
    { ...second, ...off },
    { ...first, ...broken },
  ])
  createActor(lampMachine, { inspect }).start()
  told()
  on.hear({ kind: 'askReport', id: 'x' })
  expect(told()).toEqual([
    {
      kind: 'report',
      id: 'x',
      steps: [
        { ...second, ...off, tab: 'b' },
        { ...first, ...broken, tab: 'b' },
        { ...first, ...off, tab: 'b', actor: 3 },
      ],
    },
  ])
})

const tear = () => {
  throw new Error('The rope is torn')
}

const bellMachine = setup({
  types: { events: {} as { type: 'ring' } | { type: 'ringAndTear' } | { type: 'tear' } },
  actions: {
    tear,
    /** Before the step that it belongs to has ended. */
    ringAtOnce: ({ self }) => self.send({ type: 'ring' }),
  },
}).createMachine({
  id: 'bell',
  initial: 'hanging',
  states: {
    hanging: {
      on: {
        ring: {},
        ringAndTear: { target: 'fallen', actions: ['ringAtOnce', 'tear'] },
        tear: { target: 'fallen', actions: 'tear' },
      },
    },
    fallen: {},
  },
})

/** A machine around the bell. */
const towerOf = (taken: { onError?: string }) =>
  setup({ actors: { bell: bellMachine } }).createMachine({
    id: 'tower',
    initial: 'used',
    states: { used: { invoke: { src: 'bell', id: 'bell', systemId: 'bell', ...taken } }, silent: {} },
  })

const bell = { tab: 'a', machine: 'bell', actor: 1 }

describe('a machine that breaks', () => {
  test('is told with the event at which it broke and where it was, and runs no longer', async () => {
    const { told, ...on } = channel()
    const { inspect, kept } = tabOf(on)
    const actor = createActor(bellMachine, { inspect }).start()
    told()
    actor.send({ type: 'tear' })
    // Nobody takes it any longer, and XState says so.
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    actor.send({ type: 'ring' })
    expect(warn).toHaveBeenCalledOnce()
    await Promise.resolve()
    const last = { ...bell, step: 2, event: 'tear', value: 'hanging', failed: true }
    expect(told()).toEqual([{ kind: 'ended', ...last }])
    expect(kept().at(-1)).toEqual(last)
    on.hear({ kind: 'ask' })
    expect(told()).toMatchObject([{ kind: 'here', running: [] }])
    expect(() => vi.runAllTimers()).toThrow('The rope is torn')
  })

  test('is told with the event that it was taking, though others wait or were sent before', async () => {
    const { told, ...on } = channel()
    const { inspect, kept } = tabOf(on)
    createActor(bellMachine, { inspect }).start().send({ type: 'ringAndTear' })
    const early = createActor(bellMachine, { inspect })
    for (const type of ['ring', 'tear', 'ring'] as const) early.send({ type })
    early.start()
    await Promise.resolve()
    expect(told().filter(({ kind }) => kind === 'ended')).toMatchObject([
      { actor: 1, event: 'ringAndTear', step: 2, failed: true },
      { actor: 2, event: 'tear', step: 3, failed: true },
    ])
    expect(kept()).toHaveLength(5)
    expect(() => vi.runAllTimers()).toThrow('The rope is torn')
  })

  test('at its start is told to have ended there', async () => {
    const { told, ...on } = channel()
    const logic = setup({ actions: { tear } }).createMachine({
      ...{ id: 'torn', initial: 'hanging' },
      states: { hanging: { entry: 'tear' } },
    })
    createActor(logic, { inspect: tabOf(on).inspect }).start()
    await Promise.resolve()
    const only = { tab: 'a', machine: 'torn', actor: 1, step: 1, event: 'xstate.init', value: 'hanging' }
    expect(told()).toEqual([{ kind: 'ended', ...only, failed: true }])
    expect(() => vi.runAllTimers()).toThrow('The rope is torn')
  })

  test('by an error that it does not take is told once', async () => {
    const { told, ...on } = channel()
    const actor = createActor(towerOf({}), { inspect: tabOf(on).inspect }).start()
    told()
    actor.system.get('bell').send({ type: 'tear' })
    await Promise.resolve()
    const step = { step: 2, failed: true }
    expect(told()).toMatchObject([
      { kind: 'ended', machine: 'tower', event: 'xstate.error.actor.bell', ...step },
      { kind: 'ended', machine: 'bell', event: 'tear', ...step },
    ])
    expect(() => vi.runAllTimers()).toThrow('The rope is torn')
  })

  // What XState does by itself, and with the recorder.
  describe.each([
    ['alone', () => undefined],
    ['while it is told', () => tabOf(channel()).inspect],
  ])('%s', (_, inspection) => {
    const inspect = inspection()
    const start = (logic: AnyStateMachine) => createActor(logic, inspect ? { inspect } : {}).start()

    test('is reported where nobody takes the error', async () => {
      start(bellMachine).send({ type: 'tear' })
      await Promise.resolve()
      expect(() => vi.runAllTimers()).toThrow('The rope is torn')
    })

    test('is left to whoever observes errors, or is the machine around it', async () => {
      const errors: unknown[] = []
      const actor = start(bellMachine)
      actor.subscribe({ error: (error) => errors.push(error) })
      actor.send({ type: 'tear' })
      const tower = start(towerOf({ onError: 'silent' }))
      tower.system.get('bell').send({ type: 'tear' })
      await Promise.resolve()
      expect(errors).toEqual([new Error('The rope is torn')])
      expect(tower.getSnapshot().value).toBe('silent')
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})
