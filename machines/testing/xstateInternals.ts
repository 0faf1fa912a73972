import {
  type AnyActorScope,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
  createActor,
  type ExecutableActionObject,
  type InspectionEvent,
} from 'xstate'

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

/** Null for other actions. */
export function parseSpawn({ type, params }: ExecutableActionObject) {
  if (type !== 'xstate.spawnChild') return null
  const { src, input } = params as { src: unknown; input: unknown }
  return { src, input }
}

/**
 * The machine as a function that returns snapshots and their actions, and runs no actor. XState's own
 * `transition` doesn't report the transitions that it takes, and starts the machine again for each event.
 */
export function createPureMachine(
  machine: AnyStateMachine,
  input: unknown,
  onTaken: (definition: AnyTransitionDefinition) => void,
) {
  const self = createActor(machine, {
    input,
    inspect: (happened) => getTakenTransitions(happened).forEach(onTaken),
  })
  let actions: ExecutableActionObject[] = []
  const scope: AnyActorScope = {
    self,
    id: self.id,
    sessionId: self.sessionId,
    system: self.system,
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
    actionExecutor: (action) => actions.push(action),
  }
  const collect = (step: () => AnyMachineSnapshot): [AnyMachineSnapshot, ExecutableActionObject[]] => {
    actions = []
    return [step(), actions]
  }
  return {
    start: () => collect(() => machine.getInitialSnapshot(scope, input)),
    send: (snapshot: AnyMachineSnapshot, event: AnyEventObject) =>
      collect(() => machine.transition(snapshot, event, scope)),
  }
}
