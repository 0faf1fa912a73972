import {
  type AnyEventObject,
  createActor,
  fromCallback,
  type NonReducibleUnknown,
  SimulatedClock,
} from 'xstate'
import { type UpdateEvent, updateMachine } from '../update.ts'
import { createFakeActor } from './fakeActor.ts'
import { recordTransition } from './lastTransition.ts'

let stopLast = () => {}

export const stopTestActor = () => stopLast()

type Provided = Parameters<typeof updateMachine.provide>[0]

export function createTestActor(
  overrides: Provided['actors'] = {},
  actions: Provided['actions'] = { checkForVersion: () => {}, reloadPage: () => {} },
) {
  const clock = new SimulatedClock()
  const activate = createFakeActor<boolean, NonReducibleUnknown>()
  const watching = new Map<string, (event: AnyEventObject) => void>()
  const watcher = (name: string) =>
    fromCallback<AnyEventObject>(({ sendBack }) => {
      watching.set(name, sendBack)
      return () => watching.delete(name)
    })
  const actor = createActor(
    updateMachine.provide({
      actors: {
        watchVersions: watcher('versions'),
        watchPayments: watcher('payments'),
        activate: activate.logic,
        ...overrides,
      },
      actions,
    }),
    { clock, inspect: recordTransition },
  ).start()
  stopLast = () => actor.stop()
  return {
    actor,
    clock,
    activate,
    watching: () => [...watching.keys()],
    send: (...types: UpdateEvent['type'][]) => types.forEach((type) => void actor.send({ type })),
    value: () => actor.getSnapshot().value,
  }
}

export const arrange = {
  offered() {
    const started = createTestActor()
    started.send('version.ready', 'payment.ended')
    return started
  },
  activating() {
    const started = arrange.offered()
    started.send('update.accept')
    return started
  },
}
