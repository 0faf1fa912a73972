import type { Snapshot } from 'xstate'
import { arrange, type StartedActor } from '../machines/testing/transferSituations.ts'

/**
 * Returns a function that brings the transfer machine to a situation of its tests, takes a further `step`,
 * and returns the machine's snapshot.
 */
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

/** Returns a function that starts a machine in this situation and returns its snapshot. */
export const captureSnapshot = (situation: () => Started | Promise<Started>) => async () =>
  (await situation()).actor.getPersistedSnapshot()
