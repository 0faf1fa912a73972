import { describe, expect, test } from 'vitest'
import { createPathRecorder } from '../../machines/testing/pathTree.ts'
import {
  buildChart,
  getInnermostStates,
  isTransient,
  listActiveStates,
  listInnermostStates,
} from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import type { Recording, WalkedPaths } from './data.ts'
import { findShortestPaths, findWalks } from './paths.ts'
import { createPlayer } from './player.ts'

describe.each(machines)('the paths of $id', (machine) => {
  const chart = buildChart(machine)
  const player = createPlayer(machine, chart)
  const paths = findShortestPaths(machine.id, chart, player)
  const guards = [...new Set(chart.transitions.flatMap(({ guard }) => guard ?? []))]
  const answers = [new Set<string>(), ...guards.map((guard) => new Set([guard]))]
  // All moves as 'event, next value'.
  const following = new Map<string, ReadonlySet<string>>()
  const listFollowing = (value: Recording['steps'][number]['value']) => {
    const key = JSON.stringify(value)
    const known = following.get(key)
    if (known) return known
    const step = player.at(value)
    const next = player
      .moves(step)
      .flatMap((move) => answers.map((yes) => getStepKey(player.take(step, move, yes))))
    const found = new Set(next)
    following.set(key, found)
    return found
  }

  test('shortest paths reach each state of rest or end', () => {
    const states = listInnermostStates(chart.root).filter(
      (state) => state.kind === 'final' || !isTransient(chart, state),
    )
    expect(paths.flatMap((path) => getEndStates(path)).sort()).toEqual(states.map(({ id }) => id).sort())
  })

  test('the paths of a machine are named uniquely after their last state', () => {
    expect(paths.map(({ name }) => name)).toEqual(
      paths.map((path) => `to ${getEndStates(path).join(' and ')}`),
    )
    expect(new Set(paths.map(({ name }) => name)).size).toBe(paths.length)
    expect(new Set(paths.map((path) => path.machine))).toEqual(new Set([machine.id]))
  })

  test('each shortest path begins at the start without gaps', () => {
    const starts = new Set(answers.map((yes) => getStepKey(player.start(yes))))
    for (const { name, steps } of paths) {
      const [first, ...rest] = steps
      expect(first && starts.has(getStepKey(first)), name).toBe(true)
      for (const [at, step] of rest.entries())
        expect([...listFollowing(steps[at]?.value ?? {})], name).toContain(getStepKey(step))
    }
  })

  test('each path is a shortest path to its last state', () => {
    const lengths = new Map(paths.map(({ steps }) => [JSON.stringify(steps.at(-1)?.value), steps.length]))
    for (const { steps } of paths)
      for (const next of listFollowing(steps.at(-1)?.value ?? {}))
        expect(lengths.get(next.slice(next.indexOf(',') + 1))).toBeLessThanOrEqual(steps.length + 1)
  })
})

describe('the paths of the tests', () => {
  const walk = (
    test: string,
    ...paths: readonly (readonly [event: string, value: string])[][]
  ): WalkedPaths => {
    const { step, ways } = createPathRecorder('off')
    for (const path of paths) path.reduce((from, [event, value]) => step(from, event, value), 0)
    return { machine: 'lamp', test, ways: ways() }
  }
  const walks = [
    walk(
      'far',
      [
        ['press', 'on'],
        ['knock', 'broken'],
        ['mend', 'off'],
      ],
      [['knock', 'broken']],
    ),
    walk('near', [
      ['press', 'on'],
      ['press', 'off'],
    ]),
  ]
  const listEvents = ({ steps }: Recording) => steps.map(({ event }) => event)
  const any = () => true

  test('findWalks returns the paths that end in a state, shortest first', () => {
    const { count, shortest } = findWalks(walks, 'off', any, 10)
    expect(count).toBe(4)
    expect(shortest.map(listEvents)).toEqual([
      [null],
      [null],
      [null, 'press', 'press'],
      [null, 'press', 'knock', 'mend'],
    ])
    expect(shortest.at(-1)).toEqual({
      name: '“far”',
      machine: 'lamp',
      steps: [
        { event: null, value: 'off' },
        { event: 'press', value: 'on' },
        { event: 'knock', value: 'broken' },
        { event: 'mend', value: 'off' },
      ],
    })
  })

  test.each([
    [
      'knock',
      'broken',
      [
        [null, 'knock'],
        [null, 'press', 'knock'],
      ],
    ],
    ['press', 'broken', [[null, 'press', 'knock']]],
    ['mend', 'broken', []],
    [
      null,
      'on',
      [
        [null, 'press'],
        [null, 'press'],
      ],
    ],
  ])('findWalks finds, for %s and the state %s, the paths %j', (looked, state, paths) => {
    expect(findWalks(walks, state, (event) => event === looked, 10).shortest.map(listEvents)).toEqual(paths)
  })

  test('findWalks counts all paths, and returns the given number of them', () => {
    const { count, shortest } = findWalks(walks, 'off', any, 3)
    expect([count, shortest.length]).toEqual([4, 3])
  })
})

const getStepKey = ({ event, value }: Recording['steps'][number]) => `${event},${JSON.stringify(value)}`

const getEndStates = ({ steps }: Recording) => getInnermostStates(listActiveStates(steps.at(-1)?.value ?? {}))
