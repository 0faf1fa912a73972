import type { Snapshot } from 'xstate'
import { arrange, type StartedActor } from '../machines/testing/transferSituations.ts'

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
  readonly actor: { readonly getPersistedSnapshot: () => Snapshot<unknown> }
}

export const captureSnapshot = (situation: () => Started | Promise<Started>) => async () =>
  (await situation()).actor.getPersistedSnapshot()
