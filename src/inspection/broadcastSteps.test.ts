import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type AnyStateMachine, assign, createActor, setup } from 'xstate'
import { broadcastSteps, type InspectionMessage, type InspectionStep } from './broadcastSteps.ts'

// XState throws an unhandled error in a separate task, so `vi.runAllTimers` throws it.
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
  const posted: InspectionMessage[] = []
  const listeners: ((event: { data: InspectionMessage }) => void)[] = []
  return {
    takeMessages: () => posted.splice(0),
    hear: (data: InspectionMessage) => {
      for (const listen of listeners) listen({ data })
    },
    postMessage: (message: InspectionMessage) => posted.push(structuredClone(message)),
    addEventListener: (_: 'message', listen: (event: { data: InspectionMessage }) => void) =>
      listeners.push(listen),
  }
}

function createTab(
  on: Omit<ReturnType<typeof channel>, 'takeMessages'>,
  tab = 'a',
  before: readonly InspectionStep[] = [],
) {
  let kept = before
  const memory = {
    read: () => kept,
    write: (steps: readonly InspectionStep[]) => {
      kept = steps
    },
  }
  return { ...broadcastSteps(on, tab, memory), kept: () => kept }
}

const unpressed = { kind: 'ceiling', owner: '… 10 characters', presses: 0, isDim: true }
const pressed = { ...unpressed, presses: '… a number' }
const first = { tab: 'a', machine: 'lamp', actor: 1 }
const second = { ...first, actor: 2 }
const off = { step: 1, value: 'off', event: 'xstate.init' }
const warming = { step: 2, value: { on: 'warming' }, event: 'press' }
const broken = { step: 3, value: 'broken', event: 'break' }

test('the inspection reports each step of a machine, and its end', () => {
  const { takeMessages, ...on } = channel()
  const { inspect } = createTab(on)
  const one = createActor(lampMachine, { inspect }).start()
  const other = createActor(lampMachine, { inspect }).start()
  one.send({ type: 'press' })
  expect(takeMessages()).toEqual([
    { kind: 'running', ...first, ...off, at: NOW, context: unpressed },
    { kind: 'running', ...second, ...off, at: NOW, context: unpressed },
    { kind: 'running', ...first, ...warming, at: NOW, context: pressed },
  ])
  one.send({ type: 'break' })
  other.stop()
  expect(takeMessages()).toEqual([
    { kind: 'ended', ...first, ...broken },
    { kind: 'ended', ...second, step: 2, value: 'off', event: 'xstate.stop' },
  ])
})

test('the inspection answers a page with running machines and last steps', () => {
  const { takeMessages, ...on } = channel()
  const { inspect, leave } = createTab(on)
  const actor = createActor(lampMachine, { inspect }).start()
  const other = createActor(lampMachine, { inspect }).start()
  actor.send({ type: 'press' })
  other.send({ type: 'press' })
  other.send({ type: 'break' })
  takeMessages()
  on.hear({ kind: 'ask' })
  expect(takeMessages()).toEqual([
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
  expect(takeMessages()).toEqual([])
  leave()
  expect(takeMessages()).toEqual([{ kind: 'ended', tab: 'a', actor: null }])
})

test('the inspection answers with the last twenty steps of each machine', () => {
  const { takeMessages, ...on } = channel()
  const { inspect } = createTab(on)
  createActor(lampMachine, { inspect }).start().send({ type: 'press' })
  const bell = createActor(bellMachine, { inspect }).start()
  for (let ring = 1; ring <= 30; ring++) bell.send({ type: 'ring' })
  takeMessages()
  on.hear({ kind: 'ask' })
  const steps = takeMessages().flatMap((message) => (message.kind === 'here' ? message.steps : []))
  expect(steps.map(({ machine, step }) => `${machine} ${step}`)).toEqual([
    'lamp 1',
    'lamp 2',
    ...Array.from({ length: 20 }, (_, place) => `bell ${place + 12}`),
  ])
})

test('the inspection masks personal data in the machine context', () => {
  const { takeMessages, ...on } = channel()
  const { inspect, kept } = createTab(on)
  createActor(lampMachine, { inspect }).start().send({ type: 'press' })
  on.hear({ kind: 'ask' })
  on.hear({ kind: 'askReport', id: 'x' })
  const all = takeMessages()
  expect(all.map(({ kind }) => kind)).toEqual(['running', 'running', 'here', 'report'])
  expect(JSON.stringify([all, kept()])).not.toContain('Awa')
})

test('a requested report has all steps without any context', () => {
  const { takeMessages, ...on } = channel()
  const { inspect } = createTab(on)
  on.hear({ kind: 'askReport', id: 'x' })
  expect(takeMessages()).toEqual([{ kind: 'report', id: 'x', steps: [] }])

  const actor = createActor(lampMachine, { inspect }).start()
  actor.send({ type: 'press' })
  createActor(lampMachine, { inspect }).start()
  actor.send({ type: 'break' })
  takeMessages()
  on.hear({ kind: 'askReport', id: 'y' })
  expect(takeMessages()).toEqual([
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
] as const)('the inspection answers the message %j with one message of kind %s', (question, answer) => {
  const { takeMessages, ...on } = channel()
  createActor(lampMachine, { inspect: createTab(on).inspect }).start()
  takeMessages()
  on.hear(question)
  expect(takeMessages().map((message) => message.kind)).toEqual([answer])
})

test('the inspection stores and reports the last 500 steps', () => {
  const { takeMessages, ...on } = channel()
  const { inspect, kept } = createTab(on)
  const actor = createActor(lampMachine, { inspect }).start()
  const reported = () => {
    takeMessages()
    on.hear({ kind: 'askReport', id: 'x' })
    return takeMessages().flatMap((message) => (message.kind === 'report' ? message.steps : []))
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

test('the inspection resumes stored steps and the numbering of actors', () => {
  const { takeMessages, ...on } = channel()
  const { inspect } = createTab(on, 'b', [
    { ...second, ...off },
    { ...first, ...broken },
  ])
  createActor(lampMachine, { inspect }).start()
  takeMessages()
  on.hear({ kind: 'askReport', id: 'x' })
  expect(takeMessages()).toEqual([
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

const createTowerMachine = (taken: { onError?: string }) =>
  setup({ actors: { bell: bellMachine } }).createMachine({
    id: 'tower',
    initial: 'used',
    states: { used: { invoke: { src: 'bell', id: 'bell', systemId: 'bell', ...taken } }, silent: {} },
  })

const bell = { tab: 'a', machine: 'bell', actor: 1 }

describe('a machine that throws', () => {
  test('a throwing machine is reported as ended at its last event', async () => {
    const { takeMessages, ...on } = channel()
    const { inspect, kept } = createTab(on)
    const actor = createActor(bellMachine, { inspect }).start()
    takeMessages()
    actor.send({ type: 'tear' })
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    actor.send({ type: 'ring' })
    expect(warn).toHaveBeenCalledOnce()
    await Promise.resolve()
    const last = { ...bell, step: 2, event: 'tear', value: 'hanging', failed: true }
    expect(takeMessages()).toEqual([{ kind: 'ended', ...last }])
    expect(kept().at(-1)).toEqual(last)
    on.hear({ kind: 'ask' })
    expect(takeMessages()).toMatchObject([{ kind: 'here', running: [] }])
    expect(() => vi.runAllTimers()).toThrow('The rope is torn')
  })

  test('a throwing machine is reported with the event that it handled', async () => {
    const { takeMessages, ...on } = channel()
    const { inspect, kept } = createTab(on)
    createActor(bellMachine, { inspect }).start().send({ type: 'ringAndTear' })
    const early = createActor(bellMachine, { inspect })
    for (const type of ['ring', 'tear', 'ring'] as const) early.send({ type })
    early.start()
    await Promise.resolve()
    expect(takeMessages().filter(({ kind }) => kind === 'ended')).toMatchObject([
      { actor: 1, event: 'ringAndTear', step: 2, failed: true },
      { actor: 2, event: 'tear', step: 3, failed: true },
    ])
    expect(kept()).toHaveLength(5)
    expect(() => vi.runAllTimers()).toThrow('The rope is torn')
  })

  test('a machine that throws at once ends in its first state', async () => {
    const { takeMessages, ...on } = channel()
    const logic = setup({ actions: { tear } }).createMachine({
      ...{ id: 'torn', initial: 'hanging' },
      states: { hanging: { entry: 'tear' } },
    })
    createActor(logic, { inspect: createTab(on).inspect }).start()
    await Promise.resolve()
    const only = { tab: 'a', machine: 'torn', actor: 1, step: 1, event: 'xstate.init', value: 'hanging' }
    expect(takeMessages()).toEqual([{ kind: 'ended', ...only, failed: true }])
    expect(() => vi.runAllTimers()).toThrow('The rope is torn')
  })

  test('parent and child that fail together are each reported once', async () => {
    const { takeMessages, ...on } = channel()
    const actor = createActor(createTowerMachine({}), { inspect: createTab(on).inspect }).start()
    takeMessages()
    actor.system.get('bell').send({ type: 'tear' })
    await Promise.resolve()
    const step = { step: 2, failed: true }
    expect(takeMessages()).toMatchObject([
      { kind: 'ended', machine: 'tower', event: 'xstate.error.actor.bell', ...step },
      { kind: 'ended', machine: 'bell', event: 'tear', ...step },
    ])
    expect(() => vi.runAllTimers()).toThrow('The rope is torn')
  })

  // The inspection must not change how XState handles an error.
  describe.each([
    ['without inspection', () => undefined],
    ['with inspection', () => createTab(channel()).inspect],
  ])('%s', (_, inspection) => {
    const inspect = inspection()
    const start = (logic: AnyStateMachine) => createActor(logic, inspect ? { inspect } : {}).start()

    test('a machine whose action throws raises an unhandled error', async () => {
      start(bellMachine).send({ type: 'tear' })
      await Promise.resolve()
      expect(() => vi.runAllTimers()).toThrow('The rope is torn')
    })

    test('an action’s error reaches an observer or the parent machine', async () => {
      const errors: unknown[] = []
      const actor = start(bellMachine)
      actor.subscribe({ error: (error) => errors.push(error) })
      actor.send({ type: 'tear' })
      const tower = start(createTowerMachine({ onError: 'silent' }))
      tower.system.get('bell').send({ type: 'tear' })
      await Promise.resolve()
      expect(errors).toEqual([new Error('The rope is torn')])
      expect(tower.getSnapshot().value).toBe('silent')
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})
