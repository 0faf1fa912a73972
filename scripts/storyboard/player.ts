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

/** Names of the guards that return true. */
export type TrueGuards = ReadonlySet<string>

/** A transition that can be taken now, and the guard results that it needs. */
export interface Move {
  readonly eventType: string
  readonly transition: ChartTransition
  readonly answers: ReadonlyMap<string, boolean>
}

/** An event and the resulting state. */
export interface Step {
  /** Event type; null at the start. */
  readonly event: string | null
  readonly value: StateValue
  /** Transient states in between. */
  readonly passed: readonly (readonly string[])[]
  /** Executed actions, named as in the chart. */
  readonly done: readonly string[]
  /** Evaluated guards and their results. */
  readonly asked: ReadonlyMap<string, boolean>
  /** Whether the machine threw an error; set in recordings only. */
  readonly hasFailed?: true
}

export interface Player {
  start(answers: TrueGuards): Step
  /** Returns a step with this state value, for example a recorded one. */
  at(value: StateValue): Step
  /**
   * Lists the possible transitions, inner states first. An outer state gets an event only if no inner state
   * handles it; transitions that no guard results can cause are left out. A guard has one result per event,
   * whatever its parameters: if an event evaluates it twice, the second transition is left out too. Wildcard
   * events, and transitions that leave another parallel state, are not supported; no machine has them.
   */
  moves(step: Step): Move[]
  /** Takes this transition: the guards before it get the results that it needs, others those in `answers`. */
  take(step: Step, move: Move, answers: TrueGuards): Step
  /** Sends an event and takes whichever transition the guards allow. */
  send(step: Step, eventType: string, answers: TrueGuards): Step
}

/**
 * Creates a player that steps through a machine without running it: guards return the given results, actions
 * do nothing, and actors never resolve.
 */
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

  /** Combines the microsteps of an event into one step. */
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
  /** Guards that returned true. */
  readonly yes: TrueGuards
  /** Repeats the step with other guard results; null for a recorded step. */
  readonly again: ((yes: TrueGuards) => Step) | null
}

/** Steps taken by hand or by a recording, and the guards that return true. */
export interface ManualPlay {
  readonly yes: TrueGuards
  readonly taken: readonly Taken[]
}

/** Creates the actions of a user who steps through a machine. */
export function createManualPlay(player: Player) {
  const asking = (yes: TrueGuards, again: (yes: TrueGuards) => Step): Taken => ({
    step: again(yes),
    yes,
    again,
  })
  return {
    start: (yes: TrueGuards): ManualPlay => ({ yes, taken: [asking(yes, player.start)] }),
    /**
     * Takes a transition from the last step, or from the app's state, and keeps the guard results that it
     * needed.
     */
    press({ yes, taken }: ManualPlay, move: Move, from: Step): ManualPlay {
      const said = withAnswers(yes, move.answers)
      const before = from === taken.at(-1)?.step ? taken : [{ step: from, yes, again: null }]
      const taking = asking(said, (other) => player.send(from, move.eventType, other))
      return { yes: said, taken: [...before, taking] }
    },
    /** Sets the result of a guard, and repeats the last event. */
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

/** Whether an action is the machine's, and not one of XState. */
const isOwn = (action: string) => !action.startsWith('xstate.')

/**
 * Returns the guard results that a transition needs; null if no user can cause it: another transition always
 * comes first, or it is automatic.
 */
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
