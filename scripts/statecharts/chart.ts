import type { AnyStateMachine, AnyTransitionDefinition, StateValue } from 'xstate'
import { ownEvent } from '../../machines/testing/insideXState.ts'

/** What a machine may do, by the names of its parts. Plain data, made from the machine itself. */
export interface Chart {
  readonly name: string
  /** The machine as the state that holds all others. */
  readonly root: ChartState
  readonly transitions: readonly ChartTransition[]
  /** How long each delay is, in ms; null where it depends on the context. */
  readonly delays: Readonly<Record<string, number | null>>
}

export interface ChartState {
  /** The names of the states around it and its own, with dots in between. Empty for the machine. */
  readonly id: string
  readonly name: string
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history'
  /** What it is for, and what a person can do in it; empty for the machine, whose file says so. */
  readonly description: string
  /** The state that it starts in. */
  readonly initial: string | null
  /** What runs for as long as this state is on. */
  readonly actors: readonly string[]
  readonly entry: readonly string[]
  readonly exit: readonly string[]
  readonly children: readonly ChartState[]
}

export interface ChartTransition {
  readonly from: string
  /** Null: it stays where it is. Several: into each of these parallel states. */
  readonly to: readonly string[] | null
  readonly cause: Cause
  readonly guard: string | null
  /** Whether it is what remains when the guards before it said no. */
  readonly isElse: boolean
  readonly actions: readonly string[]
}

export type Cause =
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'delay'; readonly name: string }
  /** An actor has answered, or failed. */
  | { readonly kind: 'done' | 'failed'; readonly name: string }
  /** The state has come to its own end. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'always' }

type Node = AnyStateMachine['root']

/** @throws Error when a guard, an action, an actor or a delay has no name: it could be neither drawn nor imported */
export function chartOf(machine: AnyStateMachine): Chart {
  const { root } = machine
  return {
    name: machine.id,
    root: stateOf(root),
    transitions: nodesOf(root).flatMap(transitionsOf),
    delays: Object.fromEntries(
      Object.entries(machine.implementations.delays).map(([name, delay]) => [
        name,
        typeof delay === 'number' ? delay : null,
      ]),
    ),
  }
}

/** The states that are on, by their ids: the outer ones and those inside them. */
export function activeStates(value: StateValue, around: readonly string[] = []): string[] {
  const entries = typeof value === 'string' ? [[value, {}] as const] : Object.entries(value)
  return entries.flatMap(([name, inner = {}]) => {
    const path = [...around, name]
    return [path.join('.'), ...activeStates(inner, path)]
  })
}

/** Of states that are on, by their ids: those with no other one inside. */
export const innermostOf = (active: readonly string[]): string[] =>
  active.filter((state) => !active.some((other) => other.startsWith(`${state}.`)))

/** The state and all in it, from the outside in. */
export function withInner(state: ChartState): ChartState[] {
  return [state, ...state.children.flatMap(withInner)]
}

/** Those without others inside. */
export const innermost = (state: ChartState): ChartState[] =>
  withInner(state).filter(({ children }) => children.length === 0)

/** Whether it is left at once, whatever the guards say, or is the end of the machine: nobody ever finds the machine in it. */
export const isPassedThrough = ({ transitions }: Chart, { id, kind }: ChartState): boolean =>
  kind === 'final' ||
  transitions.some(({ from, cause, guard }) => from === id && cause.kind === 'always' && guard === null)

/** The transitions of a machine in the order in which its chart has them. */
export const definitionsOf = (root: Node): AnyTransitionDefinition[] =>
  nodesOf(root).flatMap((node) => groupsOf(node).flat())

/** One group for each event: those that are asked one after the other. */
const groupsOf = (node: Node) =>
  [...node.transitions.values(), node.always ?? []] as AnyTransitionDefinition[][]

const idOf = ({ path }: Node) => path.join('.')

const nodesOf = (node: Node): Node[] => [node, ...Object.values<Node>(node.states).flatMap(nodesOf)]

function stateOf(node: Node): ChartState {
  const [initial] = node.type === 'compound' ? (node.initial.target ?? []) : []
  return {
    id: idOf(node),
    name: node.key,
    kind: node.type,
    description: node.description ?? '',
    initial: initial ? idOf(initial) : null,
    actors: node.invoke.map(({ src }) => named(src, `An actor of '${node.id}'`)),
    // As they are written: the library adds its own, for the timers.
    entry: [node.config.entry ?? []].flat().map((action) => actionOf(action, node)),
    exit: [node.config.exit ?? []].flat().map((action) => actionOf(action, node)),
    children: Object.values<Node>(node.states).map(stateOf),
  }
}

function transitionsOf(node: Node): ChartTransition[] {
  return groupsOf(node).flatMap((candidates) =>
    candidates.map(({ eventType, guard, target, actions }, index) => ({
      from: idOf(node),
      to: target ? target.map((state) => idOf(state)) : null,
      cause: causeOf(eventType, node),
      guard: guard === undefined ? null : named(guard, `A guard of '${node.id}'`),
      isElse: guard === undefined && index > 0,
      actions: actions.map((action) => actionOf(action, node)),
    })),
  )
}

/** The library's own events carry the id of their state or actor. */
function causeOf(eventType: string, node: Node): Cause {
  const { about: what, id: rest = '' } = ownEvent(eventType) ?? {}
  const actor = () => named(node.invoke.find(({ id }) => id === rest)?.src, `An actor of '${node.id}'`)
  if (eventType === '') return { kind: 'always' }
  if (what === 'after') return { kind: 'delay', name: rest.slice(0, -`.${node.id}`.length) }
  if (what === 'done.actor') return { kind: 'done', name: actor() }
  if (what === 'error.actor') return { kind: 'failed', name: actor() }
  if (what === 'done.state') return { kind: 'finished' }
  return { kind: 'event', name: eventType }
}

/** With the parameters that are always the same. */
function actionOf(action: unknown, node: Node): string {
  const name = named(action, `An action of '${node.id}'`)
  return actionText(
    name,
    typeof action === 'object' && action && 'params' in action ? action.params : undefined,
  )
}

/** An action by its name, with the parameters that are always the same. */
export function actionText(name: string, params: unknown): string {
  if (params === undefined || typeof params === 'function') return name
  return `${name} ${typeof params === 'string' ? params : JSON.stringify(params)}`
}

function named(part: unknown, what: string): string {
  const name = typeof part === 'object' && part && 'type' in part ? part.type : part
  // An actor without a name gets one from the library.
  if (typeof name !== 'string' || name.startsWith('xstate.')) throw new Error(`${what} has no name`)
  return name
}
