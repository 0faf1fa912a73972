import {
  type ActorRefLike,
  type EventObject,
  type InspectionEvent,
  isMachineSnapshot,
  type StateValue,
} from 'xstate'
import { masked } from './masked.ts'

export const CHANNEL = 'passerelle.statecharts'

/** A step that some machine of a tab took. It has the names of the code alone, and nothing of a person. */
export interface Told {
  readonly tab: string
  /** The machine's id. */
  readonly machine: string
  /** Its actor's number in that tab. */
  readonly actor: number
  /** How many steps the actor has taken with this one. */
  readonly step: number
  /** The event that brought it there. */
  readonly event: string
  readonly value: StateValue
  /** The machine broke at this event, because a guard or an action threw or nobody took an error. It stands where it was before. */
  readonly failed?: true
}

/** A machine that runs in some tab, and where its last step led. */
export interface Running extends Told {
  /** When it came there, in UTC milliseconds. */
  readonly at: number
  /** What it knows, without what is of a person or secret (`masked`). */
  readonly context: unknown
}

export type Message =
  /** From the page `/storyboard`: each tab is to tell what runs in it. */
  | { readonly kind: 'ask' }
  /** The answer: what runs in the tab, and the last steps of each of its machines, of those that have ended too. */
  | {
      readonly kind: 'here'
      readonly tab: string
      readonly running: readonly Running[]
      readonly steps: readonly Told[]
    }
  /** From there too: each tab is to tell all that has happened in it. `id` is the question's. */
  | { readonly kind: 'askReport'; readonly id: string }
  | { readonly kind: 'report'; readonly id: string; readonly steps: readonly Told[] }
  /** A machine has taken a step. */
  | ({ readonly kind: 'running' } & Running)
  /** An actor has come to its end with this step, or the tab has with all of them: `actor` is null. */
  | ({ readonly kind: 'ended' } & Told)
  | { readonly kind: 'ended'; readonly tab: string; readonly actor: null }

/** Where the messages of all tabs go through: a BroadcastChannel. */
export interface Channel {
  postMessage(message: Message): void
  addEventListener(type: 'message', listen: (event: { data: Message }) => void): void
}

/** Where a tab's steps are kept while it loads another page. */
export interface Memory {
  read(): readonly Told[]
  write(steps: readonly Told[]): void
}

/** So many steps a tab can tell of. */
const MOST_KEPT = 500
/** So many of the last steps of a machine are shown. */
const MOST_RECENT = 20

/** The last twenty steps of each machine, its newest last. */
export const recentOf = (steps: readonly Told[]): readonly Told[] =>
  [...Map.groupBy(steps, ({ machine }) => machine).values()].flatMap((own) => own.slice(-MOST_RECENT))

/**
 * Tells the page `/storyboard` where each machine of this tab is: at each step, and when it is asked; and then what has happened. Of a
 * machine's context it tells what is no person's and no secret.
 */
export function tellOn(channel: Channel, tab: string, memory: Memory) {
  let steps: readonly Told[] = memory.read().map((step) => ({ ...step, tab }))
  let actors = Math.max(0, ...steps.map(({ actor }) => actor))
  // Weakly: an actor holds what its machine knows of a person, and is to go when the app lets go of it.
  const met = new WeakMap<ActorRefLike, ReturnType<typeof newActor>>()
  const running = new Map<ActorRefLike, Running>()

  channel.addEventListener('message', ({ data }) => {
    if (data.kind === 'ask')
      channel.postMessage({ kind: 'here', tab, running: [...running.values()], steps: recentOf(steps) })
    if (data.kind === 'askReport') channel.postMessage({ kind: 'report', id: data.id, steps })
  })

  const newActor = () => ({ actor: ++actors, taken: 0, waiting: [] as EventObject[] })

  function actorOf(actorRef: ActorRefLike) {
    const actor = met.get(actorRef) ?? newActor()
    met.set(actorRef, actor)
    return actor
  }

  /** `snapshot` is what the actor itself says: an action that throws at the start is missing from what an inspector is told. */
  function record(actorRef: ActorRefLike, event: EventObject) {
    const snapshot: unknown = actorRef.getSnapshot()
    if (!isMachineSnapshot(snapshot)) return
    const { machine, value, context, status } = snapshot
    const known = actorOf(actorRef)
    const { actor, waiting } = known
    const place = waiting.indexOf(event)
    if (place !== -1) waiting.splice(place, 1)
    const told = { tab, machine: machine.id, actor, step: ++known.taken, event: event.type, value }
    const step: Told = status === 'error' ? { ...told, failed: true } : told
    steps = [...steps, step].slice(-MOST_KEPT)
    memory.write(steps)
    if (status === 'active') {
      const one = { ...step, at: Date.now(), context: masked(context) }
      running.set(actorRef, one)
      channel.postMessage({ kind: 'running', ...one })
    } else {
      running.delete(actorRef)
      waiting.length = 0
      channel.postMessage({ kind: 'ended', ...step })
    }
  }

  return {
    /** For the option `inspect` of an actor. */
    inspect(happened: InspectionEvent) {
      const { actorRef } = happened
      if (happened.type === '@xstate.snapshot') record(actorRef, happened.event)
      if (happened.type !== '@xstate.event') return
      const snapshot: unknown = actorRef.getSnapshot()
      if (!isMachineSnapshot(snapshot) || snapshot.status !== 'active') return
      const { waiting } = actorOf(actorRef)
      waiting.push(happened.event)
      // XState tells an inspector nothing of an event that throws; it takes the event before whoever sent it goes on. An observer of
      // errors would be told, but then XState takes them for handled, and the console hears of none.
      queueMicrotask(() => {
        const [event] = waiting
        if (event && running.has(actorRef) && actorRef.getSnapshot().status === 'error')
          record(actorRef, event)
      })
    },
    /** Says that the page is being left. */
    leave: () => channel.postMessage({ kind: 'ended', tab, actor: null }),
  }
}
