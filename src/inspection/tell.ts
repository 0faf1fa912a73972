import { type ActorRefLike, type InspectionEvent, isMachineSnapshot, type StateValue } from 'xstate'

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
}

export type Message =
  /** From the page `/statecharts`: each tab is to tell what runs in it. */
  | { readonly kind: 'ask' }
  | ({ readonly kind: 'running' } & Running)
  /** An actor has come to its end, or the tab has with all of them: `actor` is null. */
  | { readonly kind: 'ended'; readonly tab: string; readonly actor: number | null }

/** Where the messages of all tabs go through: a BroadcastChannel. */
export interface Channel {
  postMessage(message: Message): void
  addEventListener(type: 'message', listen: (event: { data: Message }) => void): void
}

/**
 * Tells the page `/statecharts` where each machine of this tab is: at each step, and when it is asked. Nothing of a
 * machine's context is told.
 */
export function tellOn(channel: Channel, tab: string) {
  const numbers = new Map<ActorRefLike, number>()
  const running = new Map<ActorRefLike, Running>()
  channel.addEventListener('message', ({ data }) => {
    if (data.kind !== 'ask') return
    for (const one of running.values()) channel.postMessage({ kind: 'running', ...one })
  })
  return {
    /** For the option `inspect` of an actor. */
    inspect(happened: InspectionEvent) {
      if (happened.type !== '@xstate.snapshot' || !isMachineSnapshot(happened.snapshot)) return
      const { actorRef, snapshot, event } = happened
      const actor = numbers.get(actorRef) ?? numbers.size + 1
      numbers.set(actorRef, actor)
      if (snapshot.status === 'active') {
        const { machine, value } = snapshot
        const one = { tab, actor, machine: machine.id, value, event: event.type }
        running.set(actorRef, one)
        channel.postMessage({ kind: 'running', ...one })
      } else if (running.delete(actorRef)) channel.postMessage({ kind: 'ended', tab, actor })
    },
    /** Says that the page is being left. */
    leave: () => channel.postMessage({ kind: 'ended', tab, actor: null }),
  }
}
