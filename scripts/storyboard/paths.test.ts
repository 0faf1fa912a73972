import { describe, expect, test } from 'vitest'
import { createWays } from '../../machines/testing/ways.ts'
import { activeStates, chartOf, innermost, innermostOf, isPassedThrough } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import type { Recording, Walked } from './data.ts'
import { pathsOf, walkedTo } from './paths.ts'
import { playerOf } from './player.ts'

describe.each(machines)('the paths of $id', (machine) => {
  const chart = chartOf(machine)
  const player = playerOf(machine, chart)
  const paths = pathsOf(machine.id, chart, player)
  const guards = [...new Set(chart.transitions.flatMap(({ guard }) => guard ?? []))]
  const answers = [new Set<string>(), ...guards.map((guard) => new Set([guard]))]
  /** All that can follow a value by one move, as 'event, value'. */
  const following = new Map<string, ReadonlySet<string>>()
  const followingOf = (value: Recording['steps'][number]['value']) => {
    const key = JSON.stringify(value)
    const known = following.get(key)
    if (known) return known
    const step = player.at(value)
    const next = player
      .moves(step)
      .flatMap((move) => answers.map((yes) => keyOf(player.take(step, move, yes))))
    const found = new Set(next)
    following.set(key, found)
    return found
  }

  test('are one to each state in which somebody may find it', () => {
    const states = innermost(chart.root).filter(
      (state) => state.kind === 'final' || !isPassedThrough(chart, state),
    )
    expect(paths.flatMap((path) => endOf(path)).sort()).toEqual(states.map(({ id }) => id).sort())
  })

  test('have names of their own, by where they end', () => {
    expect(paths.map(({ name }) => name)).toEqual(paths.map((path) => `to ${endOf(path).join(' and ')}`))
    expect(new Set(paths.map(({ name }) => name)).size).toBe(paths.length)
    expect(new Set(paths.map((path) => path.machine))).toEqual(new Set([machine.id]))
  })

  test('begin at the start, and each step follows from the one before', () => {
    const starts = new Set(answers.map((yes) => keyOf(player.start(yes))))
    for (const { name, steps } of paths) {
      const [first, ...rest] = steps
      expect(first && starts.has(keyOf(first)), name).toBe(true)
      for (const [at, step] of rest.entries())
        expect([...followingOf(steps[at]?.value ?? {})], name).toContain(keyOf(step))
    }
  })

  test('are the shortest: none gets there sooner by way of another', () => {
    const lengths = new Map(paths.map(({ steps }) => [JSON.stringify(steps.at(-1)?.value), steps.length]))
    for (const { steps } of paths)
      for (const next of followingOf(steps.at(-1)?.value ?? {}))
        expect(lengths.get(next.slice(next.indexOf(',') + 1))).toBeLessThanOrEqual(steps.length + 1)
  })
})

describe('the paths of the tests', () => {
  const walk = (test: string, ...paths: readonly (readonly [event: string, value: string])[][]): Walked => {
    const { step, ways } = createWays('off')
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
  const eventsOf = ({ steps }: Recording) => steps.map(({ event }) => event)
  const any = () => true

  test('end in the state, the shortest of all tests first', () => {
    const { count, shortest } = walkedTo(walks, 'off', any, 10)
    expect(count).toBe(4)
    expect(shortest.map(eventsOf)).toEqual([
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
  ])('with %s that end in %s are %j', (looked, state, paths) => {
    expect(walkedTo(walks, state, (event) => event === looked, 10).shortest.map(eventsOf)).toEqual(paths)
  })

  test('are counted where they are too many to be offered', () => {
    const { count, shortest } = walkedTo(walks, 'off', any, 3)
    expect([count, shortest.length]).toEqual([4, 3])
  })
})

const keyOf = ({ event, value }: Recording['steps'][number]) => `${event},${JSON.stringify(value)}`

const endOf = ({ steps }: Recording) => innermostOf(activeStates(steps.at(-1)?.value ?? {}))
