import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { transferMachine } from '../../machines/transfer.ts'
import { buildChart, flattenStates } from '../../statecharts/chart.ts'
import { machines } from '../../statecharts/machines.ts'
import { collectStoryboardData } from './collect.ts'
import { findScenes, findScenesAfter, groupScenes, type SceneStates } from './data.ts'

const lampMachine = createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: { on: { press: 'on', fall: 'broken' } },
    on: { initial: 'warm', states: { warm: { on: { wear: '#lamp.worn' } } } },
    worn: { always: 'off' },
    broken: { type: 'final' },
    old: { initial: 'cold', states: { cold: {}, wet: {}, dim: {} } },
  },
})
const lamp = buildChart(lampMachine)
const door = { ...lamp, name: 'door' }

const scenes: readonly SceneStates[] = [
  { name: 'lamp-off', at: { lamp: 'off', door: 'on' }, reached: {} },
  { name: 'lamp-on', at: { lamp: 'on.warm', door: null }, reached: {} },
  { name: 'lamp-dusty', at: { lamp: 'off', door: null }, reached: {} },
  { name: 'letter', at: { lamp: null, door: null }, reached: {} },
]
const unseen = {
  lamp: {
    off: ['At night a letter tells it, and the lamp.', 'letter', 'lamp-off'],
    'old.cold': ['Nobody looks.'],
    'old.wet': ['Nobody looks.'],
    'old.dim': ['It is dark.'],
    'on.warm': ['At night.'],
  },
} as const

test.each([
  ['on.warm', lamp, ['lamp-on'], 'At night.'],
  ['on', lamp, ['lamp-on'], null],
  ['on', door, ['lamp-off'], null],
  ['off', door, [], null],
  ['of', lamp, [], null],
  ['worn', lamp, [], 'The machine leaves this state at once, so it is never shown.'],
  ['broken', lamp, [], 'This state is final, and the next screen is already shown.'],
  ['old.wet', lamp, [], 'Nobody looks.'],
  ['old', lamp, [], 'Nobody looks. It is dark.'],
  ['off', lamp, ['lamp-off', 'lamp-dusty', 'letter'], unseen.lamp.off[0]],
])('findScenes returns the scenes of state %s, or a reason', (state, chart, names, reason) => {
  expect(findScenes({ scenes, unseen }, chart, state)).toEqual({ scenes: names, reason })
})

const [PRESS, FALL] = [0, 1]

test('scenes that an event led to come first, by event and problem', () => {
  const more: readonly SceneStates[] = [
    ...scenes,
    { name: 'lamp-burnt', at: { lamp: 'off' }, reached: { lamp: { transition: FALL, problem: 'heat' } } },
    { name: 'lamp-wet', at: { lamp: 'off' }, reached: { lamp: { transition: FALL, problem: 'water' } } },
  ]
  expect(findScenesAfter(more, 'lamp', FALL)).toEqual(['lamp-burnt', 'lamp-wet'])
  expect(findScenesAfter(more, 'lamp', PRESS)).toEqual([])
  const found = findScenes({ scenes: more, unseen: {} }, lamp, 'off')
  expect([...groupScenes(more, lamp, found.scenes)]).toEqual([
    ['fall: heat', ['lamp-burnt']],
    ['fall: water', ['lamp-wet']],
    ['lamp', ['lamp-off', 'lamp-dusty']],
  ])
})

const data = await collectStoryboardData()

test('a declined card has a scene of its own event and problem', () => {
  const chart = buildChart(transferMachine)
  const declined = chart.transitions.findIndex(({ guard }) => guard === 'isDeclined')
  expect(findScenesAfter(data.scenes, 'transfer', declined)).toEqual(['payment-declined'])
  const { scenes: inEditing } = findScenes(data, chart, 'editing')
  const groups = groupScenes(data.scenes, chart, inEditing)
  expect(groups.get('confirmCard done [isDeclined]: failed insufficient_funds')).toEqual(['payment-declined'])
})

test.each(machines)('each state of $id has scenes, or a reason for having none', (machine) => {
  const chart = buildChart(machine)
  const [, ...states] = flattenStates(chart.root)
  const empty = states.filter(({ id }) => {
    const seen = findScenes(data, chart, id)
    return seen.scenes.length === 0 && seen.reason === null
  })
  expect(empty.map(({ id }) => id)).toEqual([])
})
