import { createActor, fromCallback, type NonReducibleUnknown } from 'xstate'
import { appLockMachine } from '../appLock.ts'
import { createFakeActor } from './fakeActor.ts'
import { recordTransition } from './lastTransition.ts'

let stopLast = () => {}

export const stopTestActor = () => stopLast()

/** Without `isOpen` the page starts locked. */
function createTestActor({ isOpen = false } = {}) {
  const recognizeUser = createFakeActor<void, NonReducibleUnknown>()
  const actors = { recognizeUser: recognizeUser.logic, watchPage: fromCallback(() => {}) }
  const actor = createActor(appLockMachine.provide({ actors }), {
    input: { isOpen },
    inspect: recordTransition,
  }).start()
  stopLast = () => actor.stop()
  return { actor, recognizeUser, send: actor.send, value: () => actor.getSnapshot().value }
}

export const arrange = {
  locked: () => createTestActor(),
  asking() {
    const started = arrange.locked()
    started.send({ type: 'unlock.request' })
    return started
  },
  async failed() {
    const started = arrange.asking()
    await started.recognizeUser.fail()
    return started
  },
  open: () => createTestActor({ isOpen: true }),
  /** `at`: milliseconds since the page was opened, by both clocks. */
  away(at = 0) {
    const started = arrange.open()
    started.send({ type: 'page.hidden', at: { wall: at, running: at } })
    return started
  },
}
