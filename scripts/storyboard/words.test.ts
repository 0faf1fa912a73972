import { expect, test } from 'vitest'
import { fromPromise, setup } from 'xstate'
import { activeStates, chartOf } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { pathsOf } from './paths.ts'
import { playerOf } from './player.ts'
import type { ReportProblem } from './reports.ts'
import { eventText, moveText, reportProblemText } from './words.ts'

const work = fromPromise<boolean>(() => Promise.resolve(true))
const kettleMachine = setup({
  actors: { fetchWater: work, heat: work, listen: work },
  guards: { isFull: () => true },
  delays: { patience: 45_000, untilCold: () => 1 },
}).createMachine({
  id: 'kettle',
  initial: 'empty',
  invoke: { src: 'listen' },
  states: {
    empty: { on: { 'lid.open': [{ guard: 'isFull', target: 'hot' }, { target: 'hot.boiling' }, {}] } },
    hot: {
      initial: 'boiling',
      after: { patience: 'empty', 90000: 'empty' },
      states: { boiling: { invoke: [{ src: 'fetchWater' }, { src: 'heat', onDone: '#kettle.empty' }] } },
    },
  },
})
const chart = chartOf(kettleMachine)

test.each([
  [null, 'the start'],
  ['xstate.init', 'the start'],
  ['xstate.stop', 'it is stopped'],
  ['walk.wait', 'time passes'],
  ['lid.open', 'lid.open'],
  ['xstate.after.patience.kettle.hot', 'after patience (45 s)'],
  ['xstate.after.untilCold.kettle.hot', 'after untilCold'],
  ['xstate.after.90000.kettle.hot', 'after 90 s'],
  ['xstate.done.actor.0.kettle', 'listen done'],
  ['xstate.done.actor.0.kettle.hot.boiling', 'fetchWater done'],
  ['xstate.error.actor.1.kettle.hot.boiling', 'heat failed'],
  // Of a version with other states, and with other actors in them.
  ['xstate.error.actor.0.kettle.cold', '0.kettle.cold failed'],
  ['xstate.done.actor.7.kettle.hot', '7.kettle.hot done'],
  ['xstate.done.actor.heat', 'heat done'],
])('%s is said as “%s”', (type, text) => {
  expect(eventText(type, chart)).toBe(text)
})

test.each([
  ['empty', ['lid.open [isFull] → hot', 'lid.open [else] → hot.boiling']],
  [{ hot: 'boiling' }, ['heat done → empty', 'after patience (45 s) → empty', 'after 90 s → empty']],
])('in %j these can be pressed: %j', (value, texts) => {
  const player = playerOf(kettleMachine, chart)
  expect(
    player
      .moves(player.at(value))
      .map((move) => moveText(move, chart))
      .sort(),
  ).toEqual([...texts].sort())
})

test.each(machines)('no two of what can happen to $id at once are called the same', (machine) => {
  const own = chartOf(machine)
  const player = playerOf(machine, own)
  for (const { name, steps } of pathsOf(machine.id, own, player)) {
    const texts = player.moves(player.at(steps.at(-1)?.value ?? {})).map((move) => moveText(move, own))
    expect(texts, name).toEqual([...new Set(texts)])
  }
})

test.each(machines)('what leads to a state of $id is called as it is on the chart', (machine) => {
  const own = chartOf(machine)
  const player = playerOf(machine, own)
  for (const { steps } of pathsOf(machine.id, own, player))
    for (const [at, { event, value }] of steps.entries()) {
      const before = steps[at - 1]
      if (!before) continue
      const texts = player.moves(player.at(before.value)).map((move) => moveText(move, own))
      const text = eventText(event, own)
      expect(
        texts.some((one) => one === text || one.startsWith(`${text} `)),
        `${text} to ${activeStates(value)}`,
      ).toBe(true)
    }
})

test.each<[ReportProblem, string]>([
  [{ kind: 'unreadable' }, 'The file could not be read: it may have been moved or changed.'],
  [{ kind: 'notOurs' }, 'Nothing that the app wrote down is in this file.'],
  [
    { kind: 'otherVersion', machine: 'kettle', state: 'cold' },
    'The state cold of kettle is not known here: the file was written by another version of the app.',
  ],
])('of the problem %j it is said: %s', (problem, text) => {
  expect(reportProblemText(problem)).toBe(text)
})
