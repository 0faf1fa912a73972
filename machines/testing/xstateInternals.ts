import type { AnyTransitionDefinition, ExecutableActionObject, InspectionEvent } from 'xstate'

/*
 * Undocumented parts of XState 5.33 that the walks and the drawn statecharts use. If an update changes one of
 * them, walks report untaken transitions, or pages lose the labels of their arrows; `xstateInternals.test.ts`
 * says which one changed.
 */

export const buildDoneEvent = (actorId: string, output: unknown) => ({
  type: `xstate.done.actor.${actorId}`,
  actorId,
  output,
})

export const buildErrorEvent = (actorId: string, error: unknown) => ({
  type: `xstate.error.actor.${actorId}`,
  actorId,
  error,
})

/** Undefined for an event of the machine. */
export function parseXStateEvent(eventType: string) {
  const [, about, id = ''] =
    /^xstate\.(after|done\.actor|error\.actor|done\.state)\.(.*)$/s.exec(eventType) ?? []
  return about === undefined ? undefined : { about, id }
}

/** Returns nothing for other inspection events. */
export const getTakenTransitions = (happened: InspectionEvent): readonly AnyTransitionDefinition[] =>
  happened.type === '@xstate.microstep' ? happened._transitions : []

/** Null for other actions. The delay is in milliseconds. */
export function parseTimerChange(action: ExecutableActionObject) {
  const { type, params } = action
  // The library's types lack this action.
  if (type === 'xstate.cancel') return { kind: 'cancel', id: (params as { sendId: string }).sendId } as const
  const { id, delay, event } = (params ?? {}) as { id?: string; delay?: number; event?: { type: string } }
  if (type !== 'xstate.raise' || delay === undefined || !event) return null
  return { kind: 'set', id, delay, event } as const
}
