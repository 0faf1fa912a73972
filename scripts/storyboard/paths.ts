import { tracePath } from '../../machines/testing/pathTree.ts'
import { type Chart, listActiveStates, listInnermostStates } from '../statecharts/chart.ts'
import type { Recording, WalkedPaths } from './data.ts'
import type { Player, Step } from './player.ts'

export function findShortestPaths(machine: string, chart: Chart, player: Player): Recording[] {
  const guards = [...new Set(chart.transitions.flatMap(({ guard }) => guard ?? []))]
  const answers = [new Set<string>(), ...guards.map((guard) => new Set([guard]))]
  const leaves = new Set(listInnermostStates(chart.root).map(({ id }) => id))
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
    const end = listActiveStates(way.at(-1)?.value ?? {}).filter((state) => leaves.has(state))
    return {
      name: `to ${end.join(' and ')}`,
      machine,
      steps: way.map(({ event, value }) => ({ event, value })),
    }
  })
}

/** Assembles only the shortest test paths, because there are tens of thousands. */
export function findWalks(
  walks: readonly WalkedPaths[],
  state: string,
  isLookedFor: (event: string | null) => boolean,
  most: number,
): { readonly count: number; readonly shortest: readonly Recording[] } {
  const found = walks.flatMap(({ machine, test, ways }) => {
    const ends = ways.values.map((value) => listActiveStates(value).includes(state))
    const events = ways.events.map((event) => isLookedFor(event))
    const isStartLookedFor = isLookedFor(null)
    const [lengths, has]: [number[], boolean[]] = [[], []]
    return ways.steps.flatMap(([from, event, value], at) => {
      // Steps are listed after their predecessors.
      lengths.push((lengths[from] ?? 0) + 1)
      has.push((has[from] ?? false) || (events[event] ?? isStartLookedFor))
      const recording = () => ({ name: `“${test}”`, machine, steps: tracePath(ways, at) })
      return ends[value] && has[at] ? [{ length: lengths[at] ?? 0, recording }] : []
    })
  })
  found.sort((one, other) => one.length - other.length)
  return { count: found.length, shortest: found.slice(0, most).map(({ recording }) => recording()) }
}
