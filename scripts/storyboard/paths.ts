import { activeStates, type Chart, innermost } from '../statecharts/chart.ts'
import type { Recording } from './data.ts'
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
