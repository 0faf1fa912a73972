import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { STATES_WITHOUT_SCREEN } from '../../e2e/statesWithoutScreen.ts'
import { SCENES } from '../../scenes/scenes.ts'
import { buildChart, flattenStates } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { findScenes, type SceneStates } from './data.ts'

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
  { name: 'lamp-off', at: { lamp: 'off', door: 'on' } },
  { name: 'lamp-on', at: { lamp: 'on.warm', door: null } },
  { name: 'lamp-dusty', at: { lamp: 'off', door: null } },
  { name: 'letter', at: { lamp: null, door: null } },
]
const unseen = {
  lamp: {
    off: { why: 'At night a letter tells it, and the lamp.', coveredBy: ['letter', 'lamp-off'] },
    'old.cold': { why: 'Nobody looks.', coveredBy: [] },
    'old.wet': { why: 'Nobody looks.', coveredBy: [] },
    'old.dim': { why: 'It is dark.', coveredBy: [] },
    'on.warm': { why: 'At night.', coveredBy: [] },
  },
}

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
  ['off', lamp, ['lamp-off', 'lamp-dusty', 'letter'], unseen.lamp.off.why],
])('findScenes returns the scenes of state %s, or a reason', (state, chart, names, reason) => {
  expect(findScenes({ scenes, unseen }, chart, state)).toEqual({ scenes: names, reason })
})

test.each(machines)('each state of $id has scenes, or a reason for having none', (machine) => {
  const chart = buildChart(machine)
  const [, ...states] = flattenStates(chart.root)
  const empty = states.filter(({ id }) => {
    const seen = findScenes({ scenes: SCENES, unseen: STATES_WITHOUT_SCREEN }, chart, id)
    return seen.scenes.length === 0 && seen.reason === null
  })
  expect(empty.map(({ id }) => id)).toEqual([])
})
