import { type ActorRefLike, type InspectionEvent, isMachineSnapshot, type StateValue } from 'xstate'
import { masked } from './masked.ts'

export const CHANNEL = 'passerelle.statecharts'

/** A machine that runs in some tab, and where it is. */
export interface Running {
  readonly tab: string
  /** Its number in that tab. */
  readonly actor: number
  /** The machine's id. */
  readonly machine: string
  readonly value: StateValue
  /** The event that brought it there. */
  readonly event: string
  /** How many steps it has taken. */
  readonly step: number
  /** What it knows, without what is of a person or secret (`masked`). */
  readonly context: unknown
}

/** A step that some machine of a tab took. */
export interface Told {
  readonly machine: string
  readonly actor: number
  readonly value: StateValue
  readonly event: string
}

export type Message =
  /** From the page `/storyboard`: each tab is to tell what runs in it. */
  | { readonly kind: 'ask' }
  /** From there too: each tab is to tell what has happened in it. */
  | { readonly kind: 'askReport' }
  | { readonly kind: 'report'; readonly tab: string; readonly steps: readonly Told[] }
  | ({ readonly kind: 'running' } & Running)
  /** An actor has come to its end, or the tab has with all of them: `actor` is null. */
  | { readonly kind: 'ended'; readonly tab: string; readonly actor: number | null }

/** Where the messages of all tabs go through: a BroadcastChannel. */
export interface Channel {
  postMessage(message: Message): void
  addEventListener(type: 'message', listen: (event: { data: Message }) => void): void
}

/** So many steps a tab can tell of. */
const MOST_KEPT = 500

/**
 * Tells the page `/storyboard` where each machine of this tab is: at each step, and when it is asked; and then what has happened. Of a
 * machine's context it tells what is no person's and no secret.
 */
export function tellOn(channel: Channel, tab: string) {
  const numbers = new Map<ActorRefLike, number>()
  const running = new Map<ActorRefLike, Running>()
  const steps: Told[] = []
  channel.addEventListener('message', ({ data }) => {
    if (data.kind === 'ask')
      for (const one of running.values()) channel.postMessage({ kind: 'running', ...one })
    if (data.kind === 'askReport') channel.postMessage({ kind: 'report', tab, steps })
  })
  return {
    /** For the option `inspect` of an actor. */
    inspect(happened: InspectionEvent) {
      if (happened.type !== '@xstate.snapshot' || !isMachineSnapshot(happened.snapshot)) return
      const { actorRef, snapshot, event } = happened
      const actor = numbers.get(actorRef) ?? numbers.size + 1
      numbers.set(actorRef, actor)
      steps.push({ machine: snapshot.machine.id, actor, value: snapshot.value, event: event.type })
      if (steps.length > MOST_KEPT) steps.shift()
      if (snapshot.status === 'active') {
        const { machine, value, context } = snapshot
        const step = (running.get(actorRef)?.step ?? 0) + 1
        const at = { value, event: event.type, step }
        const one = { tab, actor, machine: machine.id, ...at, context: masked(context) }
        running.set(actorRef, one)
        channel.postMessage({ kind: 'running', ...one })
      } else if (running.delete(actorRef)) channel.postMessage({ kind: 'ended', tab, actor })
    },
    /** Says that the page is being left. */
    leave: () => channel.postMessage({ kind: 'ended', tab, actor: null }),
  }
}
