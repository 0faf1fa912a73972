import type { ActorRefLike, Snapshot } from 'xstate'
import { getLastTransition } from '../machines/testing/lastTransition.ts'
import { arrange, type StartedActor } from '../machines/testing/transferSituations.ts'
import { listTransitions } from '../statecharts/chart.ts'
import { AWA } from './fixtures.ts'
import { type CapturedMachine, IN_APP_STATES } from './scene.ts'

interface Started {
  readonly actor: ActorRefLike & {
    readonly getPersistedSnapshot: () => Snapshot<unknown>
    readonly stop: () => unknown
  }
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
