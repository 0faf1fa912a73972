import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  createMachine,
  fromPromise,
  getInitialMicrosteps,
  getMicrosteps,
  getNextTransitions,
  type StateValue,
} from 'xstate'
import {
  type Chart,
  type ChartTransition,
  formatAction,
  listActiveStates,
  listTransitions,
} from '../statecharts/chart.ts'
import type { Recording } from './data.ts'

export type TrueGuards = ReadonlySet<string>

export interface Move {
  readonly eventType: string
  readonly transition: ChartTransition
  readonly answers: ReadonlyMap<string, boolean>
}

export interface Step {
  /** Null at the start. */
  readonly event: string | null
  readonly value: StateValue
  /** Transient states in between. */
  readonly passed: readonly (readonly string[])[]
  /** Named as in the chart. */
  readonly done: readonly string[]
  /** Evaluated guards and their results. */
  readonly asked: ReadonlyMap<string, boolean>
  /** Set in recordings only. */
  readonly hasFailed?: true
}

export interface Player {
  start(answers: TrueGuards): Step
  at(value: StateValue): Step
  /**
   * Lists the possible transitions, inner states first. An outer state gets an event only if no inner state
   * handles it. A guard has one result per event: a second transition that needs another one is left out.
   * Wildcard events, and transitions that leave another parallel state, are not supported.
   */
  moves(step: Step): Move[]
  /** Guards before the transition get the results that it needs, others those in `answers`. */
  take(step: Step, move: Move, answers: TrueGuards): Step
  send(step: Step, eventType: string, answers: TrueGuards): Step
}

/** Steps through a machine without running it: actions do nothing, and actors never resolve. */
export function createPlayer(machine: AnyStateMachine, chart: Chart): Player {
  const { implementations } = machine
  let answers: TrueGuards = new Set()
  let asked = new Map<string, boolean>()
  const each = <Part>(names: object, part: (name: string) => Part) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, part(name)]))
  const model = createMachine(JSON.parse(JSON.stringify(machine.config))).provide({
    guards: each(implementations.guards, (name) => () => {
      const said = answers.has(name)
      asked.set(name, said)
      return said
    }),
    actions: each(implementations.actions, () => () => {}),
    actors: each(implementations.actors, () => fromPromise(() => new Promise<never>(() => {}))),
    delays: each(implementations.delays, () => 1),
  } as Parameters<AnyStateMachine['provide']>[0])
  // Both lists have the same order, because both come from the same machine.
  const transitions = new Map(
    listTransitions(model.root).map((definition, at) => [definition, chart.transitions[at]]),
  )
  const snapshotAt = (value: StateValue): AnyMachineSnapshot => model.resolveState({ value, context: {} })

  function buildStep(event: string | null, steps: Microsteps, before: StateValue): Step {
    const values = steps.map(([{ value }]) => value)
    return {
      event,
      value: values.at(-1) ?? before,
      passed: values.slice(0, -1).map((value) => listActiveStates(value)),
      done: steps
        .flatMap(([, actions]) => actions)
        .filter(({ type }) => isOwn(type))
        .map(({ type, params }) => formatAction(type, params)),
      asked,
    }
  }
  function saying<Answer>(yes: TrueGuards, ask: () => Answer): Answer {
    answers = yes
    asked = new Map()
    return ask()
  }
  const send: Player['send'] = ({ value }, type, yes) =>
    saying(yes, () => buildStep(type, getMicrosteps(model, snapshotAt(value), { type }), value))

  return {
    start: (yes) => saying(yes, () => buildStep(null, getInitialMicrosteps(model, undefined), {})),
    at: (value) => ({ event: null, value, passed: [], done: [], asked: new Map() }),
    moves: ({ value }) =>
      getNextTransitions(snapshotAt(value)).flatMap((definition, _, all) => {
        const transition = transitions.get(definition)
        const guards = findRequiredGuards(definition, all)
        return transition && guards ? [{ eventType: definition.eventType, transition, answers: guards }] : []
      }),
    take: (step, move, yes) => send(step, move.eventType, withAnswers(yes, move.answers)),
    send,
  }
}

interface Taken {
  readonly step: Step
  readonly yes: TrueGuards
  /** Null for a recorded step. */
  readonly again: ((yes: TrueGuards) => Step) | null
}

export interface ManualPlay {
  readonly yes: TrueGuards
  readonly taken: readonly Taken[]
}

export function createManualPlay(player: Player) {
  const asking = (yes: TrueGuards, again: (yes: TrueGuards) => Step): Taken => ({
    step: again(yes),
    yes,
    again,
  })
  return {
    start: (yes: TrueGuards): ManualPlay => ({ yes, taken: [asking(yes, player.start)] }),
    /** Steps from the last step or from the app's state, and keeps the guard results that this needed. */
    press({ yes, taken }: ManualPlay, move: Move, from: Step): ManualPlay {
      const said = withAnswers(yes, move.answers)
      const before = from === taken.at(-1)?.step ? taken : [{ step: from, yes, again: null }]
      const taking = asking(said, (other) => player.send(from, move.eventType, other))
      return { yes: said, taken: [...before, taking] }
    },
    answer({ yes, taken }: ManualPlay, guard: string, isYes: boolean): ManualPlay {
      const said = withAnswers(yes, [[guard, isYes]])
      const again = taken.at(-1)?.again
      return { yes: said, taken: again ? [...taken.slice(0, -1), asking(said, again)] : taken }
    },
    back({ yes, taken }: ManualPlay): ManualPlay {
      const left = taken.slice(0, -1)
      return { yes: left.at(-1)?.yes ?? yes, taken: left }
    },
    follow: ({ yes }: ManualPlay, steps: Recording['steps']): ManualPlay => ({
      yes,
      taken: steps.map((step) => ({ step: { ...player.at(step.value), ...step }, yes, again: null })),
    }),
  }
}

type Microsteps = ReturnType<typeof getMicrosteps<AnyStateMachine>>

function withAnswers(
  yes: TrueGuards,
  answers: Iterable<readonly [guard: string, isYes: boolean]>,
): TrueGuards {
  const said = new Set(yes)
  for (const [guard, isYes] of answers) isYes ? said.add(guard) : said.delete(guard)
  return said
}

const isOwn = (action: string) => !action.startsWith('xstate.')

/** Null if no user can cause the transition: it is automatic, or another one always comes first. */
function findRequiredGuards(
  definition: AnyTransitionDefinition,
  all: readonly AnyTransitionDefinition[],
): ReadonlyMap<string, boolean> | null {
  const { eventType, source } = definition
  if (eventType === '' || eventType.startsWith('xstate.done.state.')) return null
  const same = all.filter((one) => one.eventType === eventType)
  const before = [
    ...same.filter((one) => isInside(one.source, source)),
    ...same.slice(0, same.indexOf(definition)).filter((one) => one.source === source),
  ]
  const own = getGuardName(definition)
  const refused = before.flatMap((one) => getGuardName(one) ?? [])
  if (refused.length < before.length || (own && refused.includes(own))) return null
  const answers = new Map(refused.map((guard) => [guard, false]))
  return own ? answers.set(own, true) : answers
}

type Node = AnyTransitionDefinition['source']

const isInside = (state: Node, outer: Node) =>
  state.path.length > outer.path.length && outer.path.every((name, at) => state.path[at] === name)

const getGuardName = ({ guard }: AnyTransitionDefinition): string | null => {
  if (guard === undefined) return null
  return typeof guard === 'object' && 'type' in guard ? guard.type : String(guard)
}
