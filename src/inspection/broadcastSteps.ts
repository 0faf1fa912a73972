import {
  type ActorRefLike,
  type EventObject,
  type InspectionEvent,
  isMachineSnapshot,
  type StateValue,
} from 'xstate'
import { maskContext } from './maskContext.ts'

export const INSPECTION_CHANNEL = 'passerelle.statecharts'

/** One step of a machine in a tab. It holds names from the code only, no personal data. */
export interface InspectionStep {
  readonly tab: string
  /** Machine ID. */
  readonly machine: string
  /** The actor's number in the tab. */
  readonly actor: number
  /** The step's number, counted from 1. */
  readonly step: number
  /** The event of the transition. */
  readonly event: string
  readonly value: StateValue
  /**
   * The machine threw at this event and stays in its earlier state: a guard or action threw, or an error was
   * unhandled.
   */
  readonly failed?: true
}

/** A running machine with its last step. */
export interface RunningMachine extends InspectionStep {
  /** When the step was taken, in UTC milliseconds. */
  readonly at: number
  /** The machine's context, masked. */
  readonly context: unknown
}

export type InspectionMessage =
  /** The page `/storyboard` asks each tab for its running machines. */
  | { readonly kind: 'ask' }
  /** The response: the tab's running machines, and the last steps of each machine, ended ones included. */
  | {
      readonly kind: 'here'
      readonly tab: string
      readonly running: readonly RunningMachine[]
      readonly steps: readonly InspectionStep[]
    }
  /** The page asks each tab for all its steps. `id`: request ID. */
  | { readonly kind: 'askReport'; readonly id: string }
  | { readonly kind: 'report'; readonly id: string; readonly steps: readonly InspectionStep[] }
  /** A running machine has taken a step. */
  | ({ readonly kind: 'running' } & RunningMachine)
  /** An actor ended with this step, or the whole tab did (`actor` is null). */
  | ({ readonly kind: 'ended' } & InspectionStep)
  | { readonly kind: 'ended'; readonly tab: string; readonly actor: null }

/** The BroadcastChannel of all tabs. */
export interface InspectionChannel {
  postMessage(message: InspectionMessage): void
  addEventListener(type: 'message', listen: (event: { data: InspectionMessage }) => void): void
}

/** Stores a tab's steps while it loads another page. */
export interface StepStorage {
  read(): readonly InspectionStep[]
  write(steps: readonly InspectionStep[]): void
}

/** How many steps a tab stores. */
const MAX_KEPT_STEPS = 500
/** How many of a machine's last steps the page shows. */
const MAX_RECENT_STEPS = 20

/** Returns the last steps of each machine, the newest last. */
export const getRecentSteps = (steps: readonly InspectionStep[]): readonly InspectionStep[] =>
  [...Map.groupBy(steps, ({ machine }) => machine).values()].flatMap((own) => own.slice(-MAX_RECENT_STEPS))

/**
 * Reports the machines of this tab to the page `/storyboard`: their state at each step, and on request the
 * recorded steps. Contexts are masked.
 */
export function broadcastSteps(channel: InspectionChannel, tab: string, memory: StepStorage) {
  let steps: readonly InspectionStep[] = memory.read().map((step) => ({ ...step, tab }))
  let actors = Math.max(0, ...steps.map(({ actor }) => actor))
  // Weak, because an actor holds personal data and must be collected when the app drops it.
  const met = new WeakMap<ActorRefLike, ReturnType<typeof newActor>>()
  const running = new Map<ActorRefLike, RunningMachine>()

  channel.addEventListener('message', ({ data }) => {
    if (data.kind === 'ask')
      channel.postMessage({ kind: 'here', tab, running: [...running.values()], steps: getRecentSteps(steps) })
    if (data.kind === 'askReport') channel.postMessage({ kind: 'report', id: data.id, steps })
  })

  const newActor = () => ({ actor: ++actors, taken: 0, waiting: [] as EventObject[] })

  function getOrAddActor(actorRef: ActorRefLike) {
    const actor = met.get(actorRef) ?? newActor()
    met.set(actorRef, actor)
    return actor
  }

  /**
   * Reads the snapshot from the actor, because an inspection event lacks the error of an action that throws
   * at the start.
   */
  function record(actorRef: ActorRefLike, event: EventObject) {
    const snapshot: unknown = actorRef.getSnapshot()
    if (!isMachineSnapshot(snapshot)) return
    const { machine, value, context, status } = snapshot
    const known = getOrAddActor(actorRef)
    const { actor, waiting } = known
    const place = waiting.indexOf(event)
    if (place !== -1) waiting.splice(place, 1)
    const base = { tab, machine: machine.id, actor, step: ++known.taken, event: event.type, value }
    const step: InspectionStep = status === 'error' ? { ...base, failed: true } : base
    steps = [...steps, step].slice(-MAX_KEPT_STEPS)
    memory.write(steps)
    if (status === 'active') {
      const one = { ...step, at: Date.now(), context: maskContext(context) }
      running.set(actorRef, one)
      channel.postMessage({ kind: 'running', ...one })
    } else {
      running.delete(actorRef)
      waiting.length = 0
      channel.postMessage({ kind: 'ended', ...step })
    }
  }

  return {
    /** Handles an inspection event; for the option `inspect` of an actor. */
    inspect(happened: InspectionEvent) {
      const { actorRef } = happened
      if (happened.type === '@xstate.snapshot') record(actorRef, happened.event)
      if (happened.type !== '@xstate.event') return
      const snapshot: unknown = actorRef.getSnapshot()
      if (!isMachineSnapshot(snapshot) || snapshot.status !== 'active') return
      const { waiting } = getOrAddActor(actorRef)
      waiting.push(happened.event)
      // XState sends no inspection event for an event that throws, and handles events synchronously. An error
      // observer would be notified, but then XState counts the error as handled and doesn't log it.
      queueMicrotask(() => {
        const [event] = waiting
        if (event && running.has(actorRef) && actorRef.getSnapshot().status === 'error')
          record(actorRef, event)
      })
    },
    /** Reports that the user is leaving the page. */
    leave: () => channel.postMessage({ kind: 'ended', tab, actor: null }),
  }
}
