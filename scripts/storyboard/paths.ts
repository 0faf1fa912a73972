import { wayTo } from '../../machines/testing/ways.ts'
import { activeStates, type Chart, innermost } from '../statecharts/chart.ts'
import type { Recording, Walked } from './data.ts'
import type { Player, Step } from './player.ts'

/** The shortest way to each state in which somebody may find the machine, by its own transitions and any guards. */
export function pathsOf(machine: string, chart: Chart, player: Player): Recording[] {
  const guards = [...new Set(chart.transitions.flatMap(({ guard }) => guard ?? []))]
  const answers = [new Set<string>(), ...guards.map((guard) => new Set([guard]))]
  const leaves = new Set(innermost(chart.root).map(({ id }) => id))
  const known = new Map<string, readonly Step[]>()
  let open: (readonly Step[])[] = answers.map((yes) => [player.start(yes)])
  while (open.length > 0) {
    const next: (readonly Step[])[] = []
    for (const way of open) {
      const last = way.at(-1)
      if (!last) continue
      const key = JSON.stringify(last.value)
      if (known.has(key)) continue
      known.set(key, way)
      for (const move of player.moves(last))
        for (const yes of answers) next.push([...way, player.take(last, move, yes)])
    }
    open = next
  }
  return [...known.values()].map((way) => {
    const end = activeStates(way.at(-1)?.value ?? {}).filter((state) => leaves.has(state))
    return {
      name: `to ${end.join(' and ')}`,
      machine,
      steps: way.map(({ event, value }) => ({ event, value })),
    }
  })
}

/**
 * The paths of the tests that end in a state: how many there are, and the shortest of them, at most so many. Each has an event that is
 * looked for. There are tens of thousands, so that only those that are offered are put together.
 */
export function walkedTo(
  walks: readonly Walked[],
  state: string,
  isLookedFor: (event: string | null) => boolean,
  most: number,
): { readonly count: number; readonly shortest: readonly Recording[] } {
  const found = walks.flatMap(({ machine, test, ways }) => {
    const ends = ways.values.map((value) => activeStates(value).includes(state))
    const events = ways.events.map((event) => isLookedFor(event))
    const isStartLookedFor = isLookedFor(null)
    const [lengths, has]: [number[], boolean[]] = [[], []]
    return ways.steps.flatMap(([from, event, value], at) => {
      // A step stands after the one that it follows.
      lengths.push((lengths[from] ?? 0) + 1)
      has.push((has[from] ?? false) || (events[event] ?? isStartLookedFor))
      const recording = () => ({ name: `“${test}”`, machine, steps: wayTo(ways, at) })
      return ends[value] && has[at] ? [{ length: lengths[at] ?? 0, recording }] : []
    })
  })
  found.sort((one, other) => one.length - other.length)
  return { count: found.length, shortest: found.slice(0, most).map(({ recording }) => recording()) }
}
