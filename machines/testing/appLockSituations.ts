import { createActor, fromCallback, type NonReducibleUnknown } from 'xstate'
import { appLockMachine } from '../appLock.ts'
import { createFakeActor } from './fakeActor.ts'

let stopLast = () => {}

/** Stops the last machine; each test file calls it after each test. */
export const stopTestActor = () => stopLast()

/** `isOpen`: the lock was switched on in this page; otherwise the page starts locked. */
function createTestActor({ isOpen = false } = {}) {
  const recognizeUser = createFakeActor<void, NonReducibleUnknown>()
  const actors = { recognizeUser: recognizeUser.logic, watchPage: fromCallback(() => {}) }
  const actor = createActor(appLockMachine.provide({ actors }), { input: { isOpen } }).start()
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
  /** `at`: how long the page had been open, in milliseconds, by both clocks. */
  away(at = 0) {
    const started = arrange.open()
    started.send({ type: 'page.hidden', at: { wall: at, running: at } })
    return started
  },
}
