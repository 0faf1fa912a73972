import type { ActorRefLike, Snapshot } from 'xstate'
import { getLastTransition } from '../machines/testing/lastTransition.ts'
import { arrange, type StartedActor } from '../machines/testing/transferSituations.ts'
import { listTransitions } from '../statecharts/chart.ts'

export interface Started {
  readonly actor: ActorRefLike & {
    readonly getPersistedSnapshot: () => Snapshot<unknown>
    readonly stop: () => unknown
  }
}

export interface CapturedMachine {
  readonly snapshot: Snapshot<unknown>
  /** The last event's transition, by its place in the chart; null at the start. */
  readonly transition: number | null
}

/** Captures a machine in a situation of its tests, after a further `step`. */
export const captureSnapshot =
  <Reached extends Started>(
    situation: () => Reached | Promise<Reached>,
    step: (started: Reached) => unknown = () => {},
  ) =>
  async (): Promise<CapturedMachine> => {
    const started = await situation()
    await step(started)
    const { actor } = started
    const last = getLastTransition(actor)
    const snapshot = actor.getPersistedSnapshot()
    actor.stop()
    return { snapshot, transition: last ? listTransitions(last.source.machine.root).indexOf(last) : null }
  }

export const walkTo = (situation: keyof typeof arrange, step?: (started: StartedActor) => unknown) =>
  captureSnapshot<StartedActor>(arrange[situation], step)
