import type { StateValue } from 'xstate'
import type { StateWithoutScreen } from '../../e2e/statesWithoutScreen.ts'
import type { PathTree } from '../../machines/testing/pathTree.ts'
import { type Chart, flattenStates, isTransient } from '../statecharts/chart.ts'

export interface SceneStates {
  readonly name: string
  readonly at: Readonly<Record<string, string | null>>
}

export interface Recording {
  readonly name: string
  readonly machine: string
  readonly steps: readonly RecordedStep[]
}

export interface RecordedStep {
  readonly event: string | null
  readonly value: StateValue
  readonly hasFailed?: true
}

export interface WalkedPaths {
  readonly machine: string
  readonly test: string
  readonly ways: PathTree
}

export interface StoryboardData {
  readonly scenes: readonly SceneStates[]
  /** By machine and state. */
  readonly unseen: Readonly<Record<string, Readonly<Record<string, StateWithoutScreen>>>>
  readonly walks: readonly WalkedPaths[]
  readonly texts: SceneRecord
  /** A hash of the elements and their styles in each scene. */
  readonly looks: SceneRecord
}

/** By the scene's name and language. */
export type SceneRecord = Readonly<Record<string, Readonly<Record<'fr' | 'en', string>>>>

/** Includes the scenes of substates. */
export function findScenes(
  { scenes, unseen }: Pick<StoryboardData, 'scenes' | 'unseen'>,
  chart: Chart,
  state: string,
): { readonly scenes: readonly string[]; readonly reason: string | null } {
  const reasons = Object.entries(unseen[chart.name] ?? {}).filter(([id]) => isWithinState(id, state))
  const own = scenes.filter(({ at }) => isWithinState(at[chart.name] ?? '', state)).map(({ name }) => name)
  const seen = [...new Set([...own, ...reasons.flatMap(([, { coveredBy: toldBy }]) => toldBy)])]
  const reason = reasons.find(([id]) => id === state)?.[1].why ?? findReasonInChart(chart, state)
  const inner = seen.length === 0 ? [...new Set(reasons.map(([, { why }]) => why))].join(' ') : ''
  return { scenes: seen, reason: reason ?? (inner || null) }
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
