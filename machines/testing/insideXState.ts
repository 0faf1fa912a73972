import type { AnyTransitionDefinition, ExecutableActionObject, InspectionEvent } from 'xstate'

/*
 * What the walks and the drawn statecharts know of XState that its documentation does not promise: the names of its own events and
 * actions, and `_transitions` of what it tells an inspector. Made for xstate 5.33; nothing of it is in the app. When an
 * update changes one of them, walks find transitions untaken, or pages lose their arrows' words. `insideXState.test.ts` says which
 * it is.
 */

/** What XState sends to a machine when an actor of it answers. */
export const doneEvent = (actorId: string, output: unknown) => ({
  type: `xstate.done.actor.${actorId}`,
  actorId,
  output,
})

/** What XState sends to a machine when an actor of it fails. */
export const errorEvent = (actorId: string, error: unknown) => ({
  type: `xstate.error.actor.${actorId}`,
  actorId,
  error,
})

/** What an event of XState's own is about, and the id that it names; undefined for an event of the machine. */
export function ownEvent(eventType: string) {
  const [, about, id = ''] =
    /^xstate\.(after|done\.actor|error\.actor|done\.state)\.(.*)$/s.exec(eventType) ?? []
  return about === undefined ? undefined : { about, id }
}

/** The transitions that a machine took in one microstep, as its inspector is told; none for other news. */
export const transitionsIn = (happened: InspectionEvent): readonly AnyTransitionDefinition[] =>
  happened.type === '@xstate.microstep' ? happened._transitions : []

/** What an action does to the timers of a machine; null for all other actions. The delay is in milliseconds. */
export function timerChange(action: ExecutableActionObject) {
  const { type, params } = action
  // This one is missing from the types of the library.
  if (type === 'xstate.cancel') return { kind: 'cancel', id: (params as { sendId: string }).sendId } as const
  const { id, delay, event } = (params ?? {}) as { id?: string; delay?: number; event?: { type: string } }
  if (type !== 'xstate.raise' || delay === undefined || !event) return null
  return { kind: 'set', id, delay, event } as const
}
