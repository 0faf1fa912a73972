import { describe, expect, test } from 'vitest'
import { activeStates, chartOf, innermost, innermostOf, isPassedThrough } from '../statecharts/chart.ts'
import { machines } from '../statecharts/machines.ts'
import type { Recording } from './data.ts'
import { pathsOf } from './paths.ts'
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

const keyOf = ({ event, value }: Recording['steps'][number]) => `${event},${JSON.stringify(value)}`

const endOf = ({ steps }: Recording) => innermostOf(activeStates(steps.at(-1)?.value ?? {}))
