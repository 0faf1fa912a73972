import type { ActorRefLike, AnyTransitionDefinition, InspectionEvent } from 'xstate'
import { getTakenTransitions } from './xstateInternals.ts'

const last = new WeakMap<ActorRefLike, AnyTransitionDefinition>()

/** Automatic transitions belong to the event before them. */
export function recordTransition(happened: InspectionEvent) {
  const [taken] = getTakenTransitions(happened)
  if (taken && taken.eventType !== '') last.set(happened.actorRef, taken)
}

/** Undefined at the start. */
export const getLastTransition = (actor: ActorRefLike) => last.get(actor)
