import type { AnyStateMachine, AnyTransitionDefinition, StateValue } from 'xstate'
import { parseXStateEvent } from '../machines/testing/xstateInternals.ts'

export interface Chart {
  readonly name: string
  readonly root: ChartState
  readonly transitions: readonly ChartTransition[]
  /** In ms; null if the length depends on the context. */
  readonly delays: Readonly<Record<string, number | null>>
}

export interface ChartState {
  /** Path of state names, separated by dots. Empty for the machine. */
  readonly id: string
  readonly name: string
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  /** Empty for the machine, whose file documents it. */
  readonly description: string
  readonly initial: string | null
  readonly actors: readonly string[]
  readonly entry: readonly string[]
  readonly exit: readonly string[]
  readonly children: readonly ChartState[]
}

export interface ChartTransition {
  readonly from: string
  /** One in each parallel region. Null for an internal transition. */
  readonly to: readonly string[] | null
  readonly cause: TransitionCause
  readonly guard: string | null
  readonly isElse: boolean
  readonly actions: readonly string[]
}

export type TransitionCause =
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'delay'; readonly name: string }
  | { readonly kind: 'done' | 'failed'; readonly name: string }
  | { readonly kind: 'finished' }
  | { readonly kind: 'always' }

type Node = AnyStateMachine['root']

/** @throws Error if a guard, action, actor or delay has no name */
export function buildChart(machine: AnyStateMachine): Chart {
  const { root } = machine
  return {
    name: machine.id,
    root: buildState(root),
    transitions: flattenNodes(root).flatMap(buildTransitions),
    delays: Object.fromEntries(
      Object.entries(machine.implementations.delays).map(([name, delay]) => [
        name,
        typeof delay === 'number' ? delay : null,
      ]),
    ),
  }
}

/** Outermost first. */
export function listActiveStates(value: StateValue, around: readonly string[] = []): string[] {
  const entries = typeof value === 'string' ? [[value, {}] as const] : Object.entries(value)
  return entries.flatMap(([name, inner = {}]) => {
    const path = [...around, name]
    return [path.join('.'), ...listActiveStates(inner, path)]
  })
}

export const getInnermostStates = (active: readonly string[]): string[] =>
  active.filter((state) => !active.some((other) => other.startsWith(`${state}.`)))

/** The innermost states by machine ID, separated by spaces. */
export function nameStates(
  running: readonly { readonly machine: string; readonly value: StateValue }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...Map.groupBy(running, ({ machine }) => machine)].map(([machine, own]) => {
      const states = own.flatMap(({ value }) => getInnermostStates(listActiveStates(value)))
      return [machine, [...new Set(states)].sort().join(' ')]
    }),
  )
}

/** Outermost first. */
export function flattenStates(state: ChartState): ChartState[] {
  return [state, ...state.children.flatMap(flattenStates)]
}

export const listInnermostStates = (state: ChartState): ChartState[] =>
  flattenStates(state).filter(({ children }) => children.length === 0)

/** The machine never stays in such a state. */
export const isTransient = ({ transitions }: Chart, { id, kind }: ChartState): boolean =>
  kind === 'final' ||
  transitions.some(({ from, cause, guard }) => from === id && cause.kind === 'always' && guard === null)

/** In the order of the chart. */
export const listTransitions = (root: Node): AnyTransitionDefinition[] =>
  flattenNodes(root).flatMap((node) => groupTransitions(node).flat())

/** XState tries the transitions of a group in order. */
const groupTransitions = (node: Node) =>
  [...node.transitions.values(), node.always ?? []] as AnyTransitionDefinition[][]

const getStateId = ({ path }: Node) => path.join('.')

const flattenNodes = (node: Node): Node[] => [node, ...Object.values<Node>(node.states).flatMap(flattenNodes)]

function buildState(node: Node): ChartState {
  const [initial] = node.type === 'compound' ? (node.initial.target ?? []) : []
  return {
    id: getStateId(node),
    name: node.key,
    kind: node.type,
    description: node.description ?? '',
    initial: initial ? getStateId(initial) : null,
    actors: node.invoke.map(({ src }) => named(src, `An actor of '${node.id}'`)),
    // XState adds its own actions for timers.
    entry: [node.config.entry ?? []].flat().map((action) => formatStateAction(action, node)),
    exit: [node.config.exit ?? []].flat().map((action) => formatStateAction(action, node)),
    children: Object.values<Node>(node.states).map(buildState),
  }
}

function buildTransitions(node: Node): ChartTransition[] {
  return groupTransitions(node).flatMap((candidates) =>
    candidates.map(({ eventType, guard, target, actions }, index) => ({
      from: getStateId(node),
      to: target ? target.map((state) => getStateId(state)) : null,
      cause: parseCause(eventType, node),
      guard: guard === undefined ? null : named(guard, `A guard of '${node.id}'`),
      isElse: guard === undefined && index > 0,
      actions: actions.map((action) => formatStateAction(action, node)),
    })),
  )
}

/** XState's own events contain the ID of their state or actor. */
function parseCause(eventType: string, node: Node): TransitionCause {
  const { about: what, id: rest = '' } = parseXStateEvent(eventType) ?? {}
  const actor = () => named(node.invoke.find(({ id }) => id === rest)?.src, `An actor of '${node.id}'`)
  if (eventType === '') return { kind: 'always' }
  if (what === 'after') return { kind: 'delay', name: rest.slice(0, -`.${node.id}`.length) }
  if (what === 'done.actor') return { kind: 'done', name: actor() }
  if (what === 'error.actor') return { kind: 'failed', name: actor() }
  if (what === 'done.state') return { kind: 'finished' }
  return { kind: 'event', name: eventType }
}

function formatStateAction(action: unknown, node: Node): string {
  const name = named(action, `An action of '${node.id}'`)
  const params = typeof action === 'object' && action && 'params' in action ? action.params : undefined
  if (params === undefined || typeof params === 'function') return name
  return `${name} ${typeof params === 'string' ? params : JSON.stringify(params)}`
}

function named(part: unknown, what: string): string {
  const name = typeof part === 'object' && part && 'type' in part ? part.type : part
  // XState generates a name for an unnamed actor.
  if (typeof name !== 'string' || name.startsWith('xstate.')) throw new Error(`${what} has no name`)
  return name
}
