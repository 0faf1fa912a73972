import {
  type ActorRefLike,
  type EventObject,
  type InspectionEvent,
  isMachineSnapshot,
  type StateValue,
} from 'xstate'
import { maskContext } from './maskContext.ts'

export const INSPECTION_CHANNEL = 'passerelle.statecharts'

/** A step holds names from the code only, no personal data. */
export interface InspectionStep {
  readonly tab: string
  readonly machine: string
  readonly actor: number
  /** Counted from 1. */
  readonly step: number
  readonly event: string
  readonly value: StateValue
  /** A guard or action threw, or an error was unhandled; the machine stays in its earlier state. */
  readonly failed?: true
}

export interface RunningMachine extends InspectionStep {
  /** UTC milliseconds. */
  readonly at: number
  /** Masked. */
  readonly context: unknown
}

export type InspectionMessage =
  /** The page `/storyboard` asks each tab for its running machines. */
  | { readonly kind: 'ask' }
  | {
      readonly kind: 'here'
      readonly tab: string
      readonly running: readonly RunningMachine[]
      readonly steps: readonly InspectionStep[]
    }
  /** `id`: request ID. */
  | { readonly kind: 'askReport'; readonly id: string }
  | { readonly kind: 'report'; readonly id: string; readonly steps: readonly InspectionStep[] }
  | ({ readonly kind: 'running' } & RunningMachine)
  /** `actor` is null if the whole tab ended. */
  | ({ readonly kind: 'ended' } & InspectionStep)
  | { readonly kind: 'ended'; readonly tab: string; readonly actor: null }

export interface InspectionChannel {
  postMessage(message: InspectionMessage): void
  addEventListener(type: 'message', listen: (event: { data: InspectionMessage }) => void): void
}

export interface StepStorage {
  read(): readonly InspectionStep[]
  write(steps: readonly InspectionStep[]): void
}

const MAX_KEPT_STEPS = 500
const MAX_RECENT_STEPS = 20

export const getRecentSteps = (steps: readonly InspectionStep[]): readonly InspectionStep[] =>
  [...Map.groupBy(steps, ({ machine }) => machine).values()].flatMap((own) => own.slice(-MAX_RECENT_STEPS))

/** Contexts are masked. */
export function broadcastSteps(channel: InspectionChannel, tab: string, memory: StepStorage) {
  let steps: readonly InspectionStep[] = memory.read().map((step) => ({ ...step, tab }))
  let actors = Math.max(0, ...steps.map(({ actor }) => actor))
  // An actor holds personal data and must be collected when the app drops it.
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

  /** An inspection event lacks the error of an action that throws at the start. */
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
    inspect(happened: InspectionEvent) {
      const { actorRef } = happened
      if (happened.type === '@xstate.snapshot') record(actorRef, happened.event)
      if (happened.type !== '@xstate.event') return
      const snapshot: unknown = actorRef.getSnapshot()
      if (!isMachineSnapshot(snapshot) || snapshot.status !== 'active') return
      const { waiting } = getOrAddActor(actorRef)
      waiting.push(happened.event)
      // XState sends no inspection event for an event that throws. An error observer would make XState count
      // the error as handled.
      queueMicrotask(() => {
        const [event] = waiting
        if (event && running.has(actorRef) && actorRef.getSnapshot().status === 'error')
          record(actorRef, event)
      })
    },
    leave: () => channel.postMessage({ kind: 'ended', tab, actor: null }),
  }
}
