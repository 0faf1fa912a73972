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
import { activeStates, type Chart, type ChartTransition, definitionsOf } from '../statecharts/chart.ts'
import { jsonOf } from '../statecharts/pages.ts'

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
  /** The names of the actions that were done. */
  readonly done: readonly string[]
  /** The guards that were asked, with what they said. */
  readonly asked: ReadonlyMap<string, boolean>
}

export interface Player {
  start(answers: Answers): Step
  /** The machine in a state that somebody has written down. */
  at(value: StateValue): Step
  moves(step: Step): Move[]
  take(step: Step, move: Move, answers: Answers): Step
}

/**
 * Takes a machine through its steps by hand: it is the machine itself, by the JSON that `npm run statecharts` writes, with actions that
 * do nothing, actors that never answer by themselves, and guards that say what they are told to say.
 */
export function playerOf(machine: AnyStateMachine, chart: Chart): Player {
  const { implementations } = machine
  let answers: ReadonlyMap<string, boolean> = new Map()
  let asked = new Map<string, boolean>()
  const each = <Part>(names: object, part: (name: string) => Part) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, part(name)]))
  const model = createMachine(JSON.parse(jsonOf(machine))).provide({
    guards: each(implementations.guards, (name) => () => {
      const said = answers.get(name) ?? false
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
      done: steps.flatMap(([, actions]) => actions.map(({ type }) => type)).filter(isOwn),
      asked,
    }
  }
  function saying<Answer>(said: ReadonlyMap<string, boolean>, ask: () => Answer): Answer {
    answers = said
    asked = new Map()
    return ask()
  }

  return {
    start: (yes) => saying(yesTo(yes), () => stepOf(null, getInitialMicrosteps(model, undefined), {})),
    at: (value) => ({ event: null, value, passed: [], done: [], asked: new Map() }),
    moves: ({ value }) =>
      getNextTransitions(snapshotAt(value)).flatMap(
        (definition) => moveOf(definition, transitions.get(definition)) ?? [],
      ),
    take: ({ value }, { eventType, answers: own }, yes) =>
      saying(new Map([...yesTo(yes), ...own]), () =>
        stepOf(eventType, getMicrosteps(model, snapshotAt(value), { type: eventType }), value),
      ),
  }
}

type Microsteps = ReturnType<typeof getMicrosteps<AnyStateMachine>>

const yesTo = (names: Answers) => new Map([...names].map((name) => [name, true]))

/** Not what the library does for itself. */
const isOwn = (action: string) => !action.startsWith('xstate.')

/** Null for what follows by itself. */
function moveOf(definition: AnyTransitionDefinition, transition: ChartTransition | undefined): Move | null {
  const { eventType, source, guard } = definition
  if (!transition || eventType === '' || eventType.startsWith('xstate.done.state.')) return null
  const candidates = source.transitions.get(eventType) ?? []
  const before = candidates.slice(0, candidates.indexOf(definition as (typeof candidates)[number]))
  const answers = new Map<string, boolean>(
    before.flatMap((one) => (one.guard ? [[nameOf(one.guard), false] as const] : [])),
  )
  if (guard) answers.set(nameOf(guard), true)
  return { eventType, transition, answers }
}

const nameOf = (guard: NonNullable<AnyTransitionDefinition['guard']>): string =>
  typeof guard === 'object' && 'type' in guard ? guard.type : String(guard)
