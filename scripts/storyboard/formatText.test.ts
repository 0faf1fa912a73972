import { expect, test } from 'vitest'
import { fromPromise, setup } from 'xstate'
import { buildChart, listActiveStates } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { formatEvent, formatMove, formatReportProblem } from './formatText.ts'
import { findShortestPaths } from './paths.ts'
import { createPlayer } from './player.ts'
import type { ReportProblem } from './reports.ts'

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
const chart = buildChart(kettleMachine)

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
  // Events from a version with other states and actors.
  ['xstate.error.actor.0.kettle.cold', '0.kettle.cold failed'],
  ['xstate.done.actor.7.kettle.hot', '7.kettle.hot done'],
  ['xstate.done.actor.heat', 'heat done'],
])('formats the event %s as “%s”', (type, text) => {
  expect(formatEvent(type, chart)).toBe(text)
})

test.each([
  ['empty', ['lid.open [isFull] → hot', 'lid.open [else] → hot.boiling']],
  [{ hot: 'boiling' }, ['heat done → empty', 'after patience (45 s) → empty', 'after 90 s → empty']],
])('formats the moves from %j as %j', (value, texts) => {
  const player = createPlayer(kettleMachine, chart)
  expect(
    player
      .moves(player.at(value))
      .map((move) => formatMove(move, chart))
      .sort(),
  ).toEqual([...texts].sort())
})

test.each(machines)('the moves from one state of $id have different texts', (machine) => {
  const own = buildChart(machine)
  const player = createPlayer(machine, own)
  for (const { name, steps } of findShortestPaths(machine.id, own, player)) {
    const texts = player.moves(player.at(steps.at(-1)?.value ?? {})).map((move) => formatMove(move, own))
    expect(texts, name).toEqual([...new Set(texts)])
  }
})

test.each(machines)('each step’s event of $id has the text of a move', (machine) => {
  const own = buildChart(machine)
  const player = createPlayer(machine, own)
  for (const { steps } of findShortestPaths(machine.id, own, player))
    for (const [at, { event, value }] of steps.entries()) {
      const before = steps[at - 1]
      if (!before) continue
      const texts = player.moves(player.at(before.value)).map((move) => formatMove(move, own))
      const text = formatEvent(event, own)
      expect(
        texts.some((one) => one === text || one.startsWith(`${text} `)),
        `${text} to ${listActiveStates(value)}`,
      ).toBe(true)
    }
})

test.each<[ReportProblem, string]>([
  [{ kind: 'unreadable' }, 'The file could not be read. It may have been moved or changed: select it again.'],
  [{ kind: 'notOurs' }, 'This file is not a recording of the app.'],
  [
    { kind: 'otherVersion', machine: 'kettle', state: 'cold' },
    'kettle has no state cold. The file is from another version of the app: open it in the storyboard of that version.',
  ],
])('formats the problem %j as: %s', (problem, text) => {
  expect(formatReportProblem(problem)).toBe(text)
})
