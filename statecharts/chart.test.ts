import { describe, expect, test } from 'vitest'
import { assign, createMachine, fromPromise, setup } from 'xstate'
import { buildChart, flattenStates, listActiveStates } from './chart.ts'
import { formatDelay, renderMermaid } from './mermaid.ts'

const lamp = setup({
  types: { events: {} as { type: 'press'; times: number } | { type: 'bulb.broke' } },
  actors: { warmUp: fromPromise<boolean>(() => Promise.resolve(true)) },
  actions: { count: () => {}, blink: (_, _color: string) => {} },
  guards: { isDark: () => true, isWarm: (_, warm: boolean) => warm },
  delays: { doze: 90_000, moment: () => 1 },
})
const lampMachine = lamp.createMachine({
  id: 'lamp',
  initial: 'off',
  on: { 'bulb.broke': '.broken' },
  states: {
    off: {
      on: {
        press: [
          { guard: 'isDark', target: 'on', actions: ['count', { type: 'blink', params: 'red' }] },
          { actions: 'count' },
        ],
      },
    },
    on: {
      initial: 'warming',
      exit: 'count',
      after: { doze: 'off' },
      states: {
        warming: {
          invoke: {
            src: 'warmUp',
            onDone: { guard: { type: 'isWarm', params: ({ event }) => event.output }, target: 'warm' },
            onError: '#lamp.broken',
          },
        },
        warm: { type: 'final' },
      },
      onDone: 'both',
    },
    both: {
      type: 'parallel',
      states: {
        left: { initial: 'dim', states: { dim: { after: { moment: 'bright' } }, bright: {} } },
        right: { always: { guard: 'isDark', target: '#lamp.off' } },
      },
    },
    broken: { type: 'final' },
  },
})

describe('buildChart', () => {
  const chart = buildChart(lampMachine)

  test('the chart has every state with its actors and actions', () => {
    expect(flattenStates(chart.root).map(({ id, kind, initial }) => [id, kind, initial])).toEqual([
      ['', 'compound', 'off'],
      ['off', 'atomic', null],
      ['on', 'compound', 'on.warming'],
      ['on.warming', 'atomic', null],
      ['on.warm', 'final', null],
      ['both', 'parallel', null],
      ['both.left', 'compound', 'both.left.dim'],
      ['both.left.dim', 'atomic', null],
      ['both.left.bright', 'atomic', null],
      ['both.right', 'atomic', null],
      ['broken', 'final', null],
    ])
    expect(flattenStates(chart.root).find(({ id }) => id === 'on')).toMatchObject({
      entry: [],
      exit: ['count'],
    })
    expect(flattenStates(chart.root).find(({ id }) => id === 'on.warming')).toMatchObject({
      actors: ['warmUp'],
    })
  })

  test('the chart has every transition with its event', () => {
    const plain = { guard: null, isElse: false, actions: [] }
    const event = (name: string) => ({ kind: 'event', name })
    expect(chart.transitions).toEqual([
      { ...plain, from: '', to: ['broken'], cause: event('bulb.broke') },
      {
        from: 'off',
        to: ['on'],
        cause: event('press'),
        guard: 'isDark',
        isElse: false,
        actions: ['count', 'blink red'],
      },
      { ...plain, from: 'off', to: null, cause: event('press'), isElse: true, actions: ['count'] },
      { ...plain, from: 'on', to: ['both'], cause: { kind: 'finished' } },
      { ...plain, from: 'on', to: ['off'], cause: { kind: 'delay', name: 'doze' } },
      {
        ...plain,
        from: 'on.warming',
        to: ['on.warm'],
        cause: { kind: 'done', name: 'warmUp' },
        guard: 'isWarm',
      },
      { ...plain, from: 'on.warming', to: ['broken'], cause: { kind: 'failed', name: 'warmUp' } },
      { ...plain, from: 'both.left.dim', to: ['both.left.bright'], cause: { kind: 'delay', name: 'moment' } },
      { ...plain, from: 'both.right', to: ['off'], cause: { kind: 'always' }, guard: 'isDark' },
    ])
    expect(chart.delays).toEqual({ doze: 90_000, moment: null })
  })

  test('buildChart rejects a machine with an unnamed action, guard or actor', () => {
    const nameless = [
      lamp.createMachine({ id: 'lamp', entry: assign({}) }),
      lamp.createMachine({ id: 'lamp', on: { press: { guard: () => true } } }),
      lamp.createMachine({ id: 'lamp', on: { press: { actions: () => {} } } }),
      createMachine({ id: 'lamp', invoke: { src: fromPromise(() => Promise.resolve(1)) } }),
    ]
    for (const machine of nameless) expect(() => buildChart(machine)).toThrow("of 'lamp' has no name")
  })
})

test('the diagram draws transitions between states, and lists internal ones', () => {
  expect(renderMermaid(buildChart(lampMachine))).toBe(`stateDiagram-v2
  [*] --> off
  state "anywhere in lamp" as anywhere
  state "off" as off
  off : press [else]
  state "on" as on {
    [*] --> on_warming
    state "warming" as on_warming
    on_warming : runs warmUp
    state "warm" as on_warm
    on_warm --> [*]
  }
  state "both" as both {
    state "left" as both_left {
      [*] --> both_left_dim
      state "dim" as both_left_dim
      state "bright" as both_left_bright
    }
    --
    state "right" as both_right
  }
  state "broken" as broken
  broken --> [*]
  anywhere --> broken : bulb.broke
  off --> on : press [isDark]
  on --> both : finished
  on --> off : after doze (90 s)
  on_warming --> on_warm : warmUp done [isWarm]
  on_warming --> broken : warmUp failed
  both_left_dim --> both_left_bright : after moment
  both_right --> off : always [isDark]
`)
})

test.each([
  [1, '1 ms'],
  [1500, '1500 ms'],
  [20_000, '20 s'],
  [1_200_000, '20 min'],
  [3_600_000, '1 h'],
  [86_400_000, '1 d'],
])('formats a duration of %i ms as %s', (ms, text) => expect(formatDelay(ms)).toBe(text))

test('returns the IDs of the active states, outermost first', () => {
  expect(listActiveStates('off')).toEqual(['off'])
  expect(listActiveStates({ on: 'warming' })).toEqual(['on', 'on.warming'])
  expect(listActiveStates({ both: { left: 'dim', right: {} } })).toEqual([
    'both',
    'both.left',
    'both.left.dim',
    'both.right',
  ])
})
