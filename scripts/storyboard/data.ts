import type { StateWithoutScreen } from '../../e2e/statesWithoutScreen.ts'
import { type Chart, flattenStates, isTransient } from '../../statecharts/chart.ts'
import { formatTransition } from '../../statecharts/mermaid.ts'

export interface SceneStates {
  readonly name: string
  readonly at: Readonly<Record<string, string | null>>
  /** The event that led to the scene, by machine ID, if its machine took one before the scene. */
  readonly reached: Readonly<Record<string, ReachedState>>
}

export interface ReachedState {
  /** Place in the chart's transitions. */
  readonly transition: number
  /** The kind of the problem that the machine shows. */
  readonly problem: string | null
}

export interface StoryboardData {
  readonly scenes: readonly SceneStates[]
  /** By machine and state. */
  readonly unseen: Readonly<Record<string, Readonly<Record<string, StateWithoutScreen>>>>
  readonly texts: SceneTexts
}

/** By the scene's name and language. */
export type SceneTexts = Readonly<Record<string, Readonly<Record<'fr' | 'en', string>>>>

/** Includes the scenes of substates. Scenes that an event of the machine led to come first. */
export function findScenes(
  { scenes, unseen }: Pick<StoryboardData, 'scenes' | 'unseen'>,
  chart: Chart,
  state: string,
): { readonly scenes: readonly string[]; readonly reason: string | null } {
  const reasons = Object.entries(unseen[chart.name] ?? {}).filter(([id]) => isWithinState(id, state))
  const own = scenes
    .filter(({ at }) => isWithinState(at[chart.name] ?? '', state))
    .sort((one, other) => Number(chart.name in other.reached) - Number(chart.name in one.reached))
    .map(({ name }) => name)
  const seen = [...new Set([...own, ...reasons.flatMap(([, [, ...coveredBy]]) => coveredBy)])]
  const [reason = findReasonInChart(chart, state)] = reasons.find(([id]) => id === state)?.[1] ?? []
  const inner = seen.length === 0 ? [...new Set(reasons.map(([, [why]]) => why))].join(' ') : ''
  return { scenes: seen, reason: reason ?? (inner || null) }
}

/** The scenes that a transition of the machine led to. */
export const findScenesAfter = (
  scenes: readonly SceneStates[],
  machine: string,
  transition: number,
): readonly string[] =>
  scenes.filter(({ reached }) => reached[machine]?.transition === transition).map(({ name }) => name)

/** Groups scenes by the event and the problem that led to them, else by the first word of their names. */
export function groupScenes(
  scenes: readonly SceneStates[],
  chart: Chart,
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const nameGroup = (name: string) => {
    const last = scenes.find((scene) => scene.name === name)?.reached[chart.name]
    const transition = last && chart.transitions[last.transition]
    if (!transition) return name.split('-')[0] ?? name
    return `${formatTransition(chart, transition)}${last.problem ? `: ${last.problem}` : ''}`
  }
  return Map.groupBy(names, nameGroup)
}

const isWithinState = (state: string, outer: string) => state === outer || state.startsWith(`${outer}.`)

/** Returns null unless the chart itself shows that the state is never visible. */
function findReasonInChart(chart: Chart, state: string): string | null {
  const found = flattenStates(chart.root).find(({ id }) => id === state)
  if (!found || !isTransient(chart, found)) return null
  return found.kind === 'final'
    ? 'This state is final, and the next screen is already shown.'
    : 'The machine leaves this state at once, so it is never shown.'
}
