import { arrange, type StartedActor } from '../machines/testing/transferSituations.ts'
import { AWA } from './fixtures.ts'
import { captureSnapshot, type Started } from './machines.ts'
import { IN_APP_STATES } from './scene.ts'

/** Awa has the app open, and this machine is in the situation, after a further `step`. */
export const inState = <Reached extends Started>(
  machine: string,
  state: string,
  situation: () => Reached | Promise<Reached>,
  step?: (started: Reached) => unknown,
) => ({
  at: { ...IN_APP_STATES, [machine]: state },
  account: AWA,
  snapshots: { [machine]: captureSnapshot(situation, step) },
})

/** `state`: the machine's state, if it differs from the situation's name. */
export const showTransfer = (
  situation: keyof typeof arrange,
  state: string = situation,
  step?: (started: StartedActor) => unknown,
) => inState<StartedActor>('transfer', state, arrange[situation], step)
