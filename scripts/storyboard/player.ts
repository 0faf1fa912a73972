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
  actionText,
  activeStates,
  type Chart,
  type ChartTransition,
  definitionsOf,
} from '../statecharts/chart.ts'
import { jsonOf } from '../statecharts/pages.ts'
import type { Recording } from './data.ts'

/** Which guards say yes, by their names; the others say no. */
export type Answers = ReadonlySet<string>

/** Something that can happen now: a transition, and what the guards before it and its own have to say for it to be taken. */
export interface Move {
  readonly eventType: string
  readonly transition: ChartTransition
  readonly answers: ReadonlyMap<string, boolean>
}

/** What happened, and where it led. */
export interface Step {
  /** The event's type; null at the start. */
  readonly event: string | null
  readonly value: StateValue
  /** The states that were on in between, which nobody sees. */
  readonly passed: readonly (readonly string[])[]
  /** The actions that were done, as a chart has them. */
  readonly done: readonly string[]
  /** The guards that were asked, with what they said. */
  readonly asked: ReadonlyMap<string, boolean>
  /** Whether the machine threw. Only what was recorded tells it. */
  readonly hasFailed?: true
}

export interface Player {
  start(answers: Answers): Step
  /** The machine in a state that somebody has written down. */
  at(value: StateValue): Step
  /**
   * What can happen now, that of inner states first. An outer state is asked when no state inside it takes the event: what no guard can
   * bring about is not among the moves. A guard says the same whenever an event asks for it, whatever its parameters are: where it is
   * asked twice for one event, the second transition is not among the moves either. Wildcard events, and parallel states of which one
   * is left by the other's transition, are not taken into account; no machine of the product has them.
   */
  moves(step: Step): Move[]
  /** Takes this very transition: the guards that decide on it say what it needs, the others what they are told. */
  take(step: Step, move: Move, answers: Answers): Step
  /** Sends an event of this type, whichever transition the guards let it take. */
  send(step: Step, eventType: string, answers: Answers): Step
}

/**
 * Takes a machine through its steps by hand: it is the machine itself, by the JSON that `npm run statecharts` writes, with actions that
 * do nothing, actors that never answer by themselves, and guards that say what they are told to say.
 */
export function playerOf(machine: AnyStateMachine, chart: Chart): Player {
  const { implementations } = machine
  let answers: Answers = new Set()
  let asked = new Map<string, boolean>()
  const each = <Part>(names: object, part: (name: string) => Part) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, part(name)]))
  const model = createMachine(JSON.parse(jsonOf(machine))).provide({
    guards: each(implementations.guards, (name) => () => {
      const said = answers.has(name)
      asked.set(name, said)
      return said
    }),
    actions: each(implementations.actions, () => () => {}),
    actors: each(implementations.actors, () => fromPromise(() => new Promise<never>(() => {}))),
    delays: each(implementations.delays, () => 1),
  } as Parameters<AnyStateMachine['provide']>[0])
  // In the same order: it is the same machine.
  const transitions = new Map(
    definitionsOf(model.root).map((definition, at) => [definition, chart.transitions[at]]),
  )
  const snapshotAt = (value: StateValue): AnyMachineSnapshot => model.resolveState({ value, context: {} })

  /** Whatever the last of these steps led to. */
  function stepOf(event: string | null, steps: Microsteps, before: StateValue): Step {
    const values = steps.map(([{ value }]) => value)
    return {
      event,
      value: values.at(-1) ?? before,
      passed: values.slice(0, -1).map((value) => activeStates(value)),
      done: steps
        .flatMap(([, actions]) => actions)
        .filter(({ type }) => isOwn(type))
        .map(({ type, params }) => actionText(type, params)),
      asked,
    }
  }
  function saying<Answer>(yes: Answers, ask: () => Answer): Answer {
    answers = yes
    asked = new Map()
    return ask()
  }
  const send: Player['send'] = ({ value }, type, yes) =>
    saying(yes, () => stepOf(type, getMicrosteps(model, snapshotAt(value), { type }), value))

  return {
    start: (yes) => saying(yes, () => stepOf(null, getInitialMicrosteps(model, undefined), {})),
    at: (value) => ({ event: null, value, passed: [], done: [], asked: new Map() }),
    moves: ({ value }) =>
      getNextTransitions(snapshotAt(value)).flatMap((definition, _, all) => {
        const transition = transitions.get(definition)
        const guards = guardsOf(definition, all)
        return transition && guards ? [{ eventType: definition.eventType, transition, answers: guards }] : []
      }),
    take: (step, move, yes) => send(step, move.eventType, withAnswers(yes, move.answers)),
    send,
  }
}

interface Taken {
  readonly step: Step
  /** Which guards said yes. */
  readonly yes: Answers
  /** Asks for it once more, with other guards; null where nobody took it by hand. */
  readonly again: ((yes: Answers) => Step) | null
}

/** The steps that somebody takes by hand, or lets a recording take, and the guards that say yes. */
export interface Hand {
  readonly yes: Answers
  readonly taken: readonly Taken[]
}

/** What a hand can do with a player. */
export function handOf(player: Player) {
  const asking = (yes: Answers, again: (yes: Answers) => Step): Taken => ({ step: again(yes), yes, again })
  return {
    start: (yes: Answers): Hand => ({ yes, taken: [asking(yes, player.start)] }),
    /** Takes a transition from the last step, or from where the app is. From then on the guards say what it needed. */
    press({ yes, taken }: Hand, move: Move, from: Step): Hand {
      const said = withAnswers(yes, move.answers)
      const before = from === taken.at(-1)?.step ? taken : [{ step: from, yes, again: null }]
      const taking = asking(said, (other) => player.send(from, move.eventType, other))
      return { yes: said, taken: [...before, taking] }
    },
    /** Has a guard say yes or no, and asks the last event once more. */
    answer({ yes, taken }: Hand, guard: string, isYes: boolean): Hand {
      const said = withAnswers(yes, [[guard, isYes]])
      const again = taken.at(-1)?.again
      return { yes: said, taken: again ? [...taken.slice(0, -1), asking(said, again)] : taken }
    },
    back({ yes, taken }: Hand): Hand {
      const left = taken.slice(0, -1)
      return { yes: left.at(-1)?.yes ?? yes, taken: left }
    },
    follow: ({ yes }: Hand, steps: Recording['steps']): Hand => ({
      yes,
      taken: steps.map((step) => ({ step: { ...player.at(step.value), ...step }, yes, again: null })),
    }),
  }
}

type Microsteps = ReturnType<typeof getMicrosteps<AnyStateMachine>>

function withAnswers(yes: Answers, answers: Iterable<readonly [guard: string, isYes: boolean]>): Answers {
  const said = new Set(yes)
  for (const [guard, isYes] of answers) isYes ? said.add(guard) : said.delete(guard)
  return said
}

/** Not what the library does for itself. */
const isOwn = (action: string) => !action.startsWith('xstate.')

/**
 * What guards have to say for a transition to be taken. Null where none can bring it about: another one always comes before it, or it
 * follows by itself.
 */
function guardsOf(
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
  const own = guardOf(definition)
  const refused = before.flatMap((one) => guardOf(one) ?? [])
  if (refused.length < before.length || (own && refused.includes(own))) return null
  const answers = new Map(refused.map((guard) => [guard, false]))
  return own ? answers.set(own, true) : answers
}

type Node = AnyTransitionDefinition['source']

const isInside = (state: Node, outer: Node) =>
  state.path.length > outer.path.length && outer.path.every((name, at) => state.path[at] === name)

const guardOf = ({ guard }: AnyTransitionDefinition): string | null => {
  if (guard === undefined) return null
  return typeof guard === 'object' && 'type' in guard ? guard.type : String(guard)
}
