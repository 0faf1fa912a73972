import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import type { Told } from '../../src/inspection/tell.ts'
import { chartOf } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import { pathsOf } from './paths.ts'
import { playerOf } from './player.ts'
import { isKnownValue, reportIn } from './reports.ts'

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
const lamp = chartOf(lampMachine)
const step: Told = { tab: 'a', machine: 'lamp', actor: 1, step: 1, event: 'press', value: 'off' }
const fileOf = (told: unknown) => new Blob([JSON.stringify(told)])

test.each([
  ['off', true],
  ['broken', true],
  [{ on: 'hot' }, true],
  [{ both: { left: 'dim', right: {} } }, true],
  ['gone', false],
  ['on', false],
  ['both', false],
  ['', false],
  [{ on: 'gone' }, false],
  [{ on: {} }, false],
  [{ on: { warm: 'x' } }, false],
  [{ off: 'x' }, false],
  [{ off: {}, on: 'hot' }, false],
  [{ both: { left: 'dim' } }, false],
  [{ both: { left: 'dim', right: {}, gone: {} } }, false],
  [{}, false],
  [[], false],
  [['off'], false],
  [{ on: ['warm'] }, false],
  [null, false],
  [undefined, false],
  [7, false],
])('that the lamp is in %j is known here: %s', (value, isKnown) => {
  expect(isKnownValue(lamp, value)).toBe(isKnown)
})

test.each(machines)('every value in which somebody may find $id is known', (machine) => {
  const chart = chartOf(machine)
  for (const { steps } of pathsOf(machine.id, chart, playerOf(machine, chart)))
    for (const { value } of steps) expect(isKnownValue(chart, value), JSON.stringify(value)).toBe(true)
})

test('each run of a machine is a recording of its own, with the steps in which it threw', async () => {
  const told = [
    { ...step, event: 'xstate.init' },
    { ...step, actor: 2, event: 'xstate.init', value: { on: 'warm' } },
    { ...step, step: 2, value: 'broken', failed: true },
  ]
  expect(await reportIn(fileOf(told), [lamp])).toEqual({
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

test('runs of several tabs are told apart', async () => {
  const told = [step, { ...step, tab: 'b' }, { ...step, step: 2, value: 'broken' }]
  const { recordings } = await reportIn(fileOf(told), [lamp])
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
])('a file with %s is something else', async (text) => {
  expect(await reportIn(new Blob([text]), [lamp])).toEqual({ recordings: [], problem: { kind: 'notOurs' } })
})

test.each([
  [{ ...step, value: 'gone' }, 'lamp', 'gone'],
  [{ ...step, value: { on: 'gone' } }, 'lamp', 'on.gone'],
  [{ ...step, value: { both: { left: 'gone', right: {} } } }, 'lamp', 'both.left.gone and both.right'],
  [{ ...step, value: 'on' }, 'lamp', 'on'],
  [{ ...step, machine: 'candle' }, 'candle', 'off'],
])(
  'a run with %j was written by another version, and the others can be played',
  async (one, machine, state) => {
    const other = { ...step, actor: 2 }
    expect(await reportIn(fileOf([step, { ...one, actor: 1 }, other]), [lamp])).toMatchObject({
      recordings: machine === 'lamp' ? [{ name: 'lamp 2' }] : [{ name: 'lamp 1' }, { name: 'lamp 2' }],
      problem: { kind: 'otherVersion', machine, state },
    })
  },
)

test('a file that is gone by now cannot be read', async () => {
  const gone = { text: () => Promise.reject(new DOMException('Gone', 'NotFoundError')) }
  expect(await reportIn(gone, [lamp])).toEqual({ recordings: [], problem: { kind: 'unreadable' } })
})
