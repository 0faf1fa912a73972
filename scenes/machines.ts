import type { ActorRefLike, Snapshot } from 'xstate'
import { getLastTransition } from '../machines/testing/lastTransition.ts'
import { arrange, type StartedActor } from '../machines/testing/transferSituations.ts'
import { listTransitions } from '../scripts/statecharts/chart.ts'

/** Captures the transfer machine in a situation of its tests, after a further `step`. */
export const walkTo = (
  situation: keyof typeof arrange,
  step: (started: StartedActor) => void | Promise<void> = () => {},
) =>
  captureSnapshot(async () => {
    const started = await arrange[situation]()
    await step(started)
    return started
  })

interface Started {
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

export const captureSnapshot =
  (situation: () => Started | Promise<Started>) => async (): Promise<CapturedMachine> => {
    const { actor } = await situation()
    const last = getLastTransition(actor)
    const snapshot = actor.getPersistedSnapshot()
    actor.stop()
    return { snapshot, transition: last ? listTransitions(last.source.machine.root).indexOf(last) : null }
  }
