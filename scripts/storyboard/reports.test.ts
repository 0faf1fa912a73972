import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import type { InspectionStep } from '../../src/inspection/broadcastSteps.ts'
import { buildChart } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { findShortestPaths } from './paths.ts'
import { createPlayer } from './player.ts'
import { isKnownStateValue, parseReport } from './reports.ts'

const lampMachine = createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: {},
    on: { initial: 'warm', states: { warm: {}, hot: {} } },
    both: {
      type: 'parallel',
      states: { left: { initial: 'dim', states: { dim: {}, bright: {} } }, right: {} },
    },
    broken: { type: 'final' },
  },
})
const lamp = buildChart(lampMachine)
const step: InspectionStep = { tab: 'a', machine: 'lamp', actor: 1, step: 1, event: 'press', value: 'off' }
const createReportFile = (report: unknown) => new Blob([JSON.stringify(report)])

test.each([
  ['off', 'known'],
  ['broken', 'known'],
  [{ on: 'hot' }, 'known'],
  [{ both: { left: 'dim', right: {} } }, 'known'],
  ['gone', 'unknown'],
  ['on', 'unknown'],
  ['both', 'unknown'],
  ['', 'unknown'],
  [{ on: 'gone' }, 'unknown'],
  [{ on: {} }, 'unknown'],
  [{ on: { warm: 'x' } }, 'unknown'],
  [{ off: 'x' }, 'unknown'],
  [{ off: {}, on: 'hot' }, 'unknown'],
  [{ both: { left: 'dim' } }, 'unknown'],
  [{ both: { left: 'dim', right: {}, gone: {} } }, 'unknown'],
  [{}, 'unknown'],
  [[], 'unknown'],
  [['off'], 'unknown'],
  [{ on: ['warm'] }, 'unknown'],
  [null, 'unknown'],
  [undefined, 'unknown'],
  [7, 'unknown'],
])('the state value %j is %s', (value, expected) => {
  expect(isKnownStateValue(lamp, value)).toBe(expected === 'known')
})

test.each(machines)('every state value on the paths of $id is known', (machine) => {
  const chart = buildChart(machine)
  for (const { steps } of findShortestPaths(machine.id, chart, createPlayer(machine, chart)))
    for (const { value } of steps) expect(isKnownStateValue(chart, value), JSON.stringify(value)).toBe(true)
})

test('parses a report into a recording per run, with failed steps', async () => {
  const report = [
    { ...step, event: 'xstate.init' },
    { ...step, actor: 2, event: 'xstate.init', value: { on: 'warm' } },
    { ...step, step: 2, value: 'broken', failed: true },
  ]
  expect(await parseReport(createReportFile(report), [lamp])).toEqual({
    recordings: [
      {
        name: 'lamp 1',
        machine: 'lamp',
        steps: [
          { event: 'xstate.init', value: 'off' },
          { event: 'press', value: 'broken', hasFailed: true },
        ],
      },
      { name: 'lamp 2', machine: 'lamp', steps: [{ event: 'xstate.init', value: { on: 'warm' } }] },
    ],
    problem: null,
  })
})

test('separates the runs of several tabs in a report', async () => {
  const report = [step, { ...step, tab: 'b' }, { ...step, step: 2, value: 'broken' }]
  const { recordings } = await parseReport(createReportFile(report), [lamp])
  expect(recordings.map(({ name, steps }) => [name, steps.map(({ value }) => value)])).toEqual([
    ['lamp 1 in tab 1', ['off', 'broken']],
    ['lamp 1 in tab 2', ['off']],
  ])
})

test.each([
  ['{'],
  [''],
  ['{}'],
  ['[]'],
  ['null'],
  ['[null]'],
  ['["off"]'],
  ...[
    { ...step, machine: undefined },
    { ...step, machine: 7 },
    { ...step, actor: undefined },
    { ...step, actor: '1' },
    { ...step, step: undefined },
    { ...step, tab: undefined },
    { ...step, event: undefined },
    { ...step, event: null },
    { ...step, value: undefined },
    { ...step, value: {} },
    { ...step, value: [] },
    { ...step, value: ['off'] },
    { ...step, value: { on: 7 } },
    { ...step, failed: 'yes' },
  ].map((one) => [JSON.stringify([step, one])]),
])('rejects a report file with the content %s', async (text) => {
  expect(await parseReport(new Blob([text]), [lamp])).toEqual({
    recordings: [],
    problem: { kind: 'notOurs' },
  })
})

test.each([
  [{ ...step, value: 'gone' }, 'lamp', 'gone'],
  [{ ...step, value: { on: 'gone' } }, 'lamp', 'on.gone'],
  [{ ...step, value: { both: { left: 'gone', right: {} } } }, 'lamp', 'both.left.gone and both.right'],
  [{ ...step, value: 'on' }, 'lamp', 'on'],
  [{ ...step, machine: 'candle' }, 'candle', 'off'],
])('leaves out only the run with the foreign step %j', async (one, machine, state) => {
  const other = { ...step, actor: 2 }
  expect(await parseReport(createReportFile([step, { ...one, actor: 1 }, other]), [lamp])).toMatchObject({
    recordings: machine === 'lamp' ? [{ name: 'lamp 2' }] : [{ name: 'lamp 1' }, { name: 'lamp 2' }],
    problem: { kind: 'otherVersion', machine, state },
  })
})

test('rejects a report file that was deleted before it was read', async () => {
  const gone = { text: () => Promise.reject(new DOMException('Gone', 'NotFoundError')) }
  expect(await parseReport(gone, [lamp])).toEqual({ recordings: [], problem: { kind: 'unreadable' } })
})
