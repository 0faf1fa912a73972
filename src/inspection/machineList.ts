import { type ActorRefLike, type InspectionEvent, isMachineSnapshot, type StateValue } from 'xstate'

export interface RunningMachine {
  readonly machine: string
  readonly value: StateValue
}

/** Lists the running machines from the inspection events of all actors. */
export function createMachineList(onChange: (running: readonly RunningMachine[]) => void) {
  const running = new Map<ActorRefLike, RunningMachine>()
  return ({ type, actorRef }: InspectionEvent) => {
    if (type !== '@xstate.snapshot') return
    const snapshot: unknown = actorRef.getSnapshot()
    if (!isMachineSnapshot(snapshot)) return
    const { machine, value, status } = snapshot
    if (status === 'active') running.set(actorRef, { machine: machine.id, value })
    else running.delete(actorRef)
    onChange([...running.values()])
  }
}
