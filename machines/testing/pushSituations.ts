import { createActor, type NonReducibleUnknown } from 'xstate'
import { ok, type Result } from '../../domain/common/result.ts'
import { type PushEvent, type PushProblem, type PushState, pushMachine } from '../push.ts'
import { createFakeActor } from './fakeActor.ts'
import { recordTransition } from './lastTransition.ts'

export const UID = 'u1'

let stopLast = () => {}

export const stopTestActor = () => stopLast()

export function createTestActor() {
  const readState = createFakeActor<PushState, { uid: string }>()
  const askPermission = createFakeActor<NotificationPermission, NonReducibleUnknown>()
  const subscribe = createFakeActor<Result<null, PushProblem>, { uid: string }>()
  const unsubscribe = createFakeActor<void, NonReducibleUnknown>()
  const fakes = { readState, askPermission, subscribe, unsubscribe }
  const actors = {
    readState: readState.logic,
    askPermission: askPermission.logic,
    subscribe: subscribe.logic,
    unsubscribe: unsubscribe.logic,
  }
  const actor = createActor(pushMachine.provide({ actors }), {
    input: { uid: UID },
    inspect: recordTransition,
  }).start()
  stopLast = () => actor.stop()
  return {
    ...fakes,
    actor,
    send: (type: PushEvent['type']) => actor.send({ type }),
    value: () => actor.getSnapshot().value,
    problem: () => actor.getSnapshot().context.problem,
    isBusy: () => actor.getSnapshot().hasTag('busy'),
  }
}

export async function startInState(standing: PushState) {
  const started = createTestActor()
  await started.readState.answer(standing)
  return started
}

export const arrange = {
  checking: async () => createTestActor(),
  unsupported: () => startInState('unsupported'),
  notInstalled: () => startInState('notInstalled'),
  blocked: () => startInState('blocked'),
  off: () => startInState('off'),
  async asking() {
    const started = await startInState('off')
    started.send('push.enable')
    return started
  },
  async subscribing() {
    const started = await arrange.asking()
    await started.askPermission.answer('granted')
    return started
  },
  async on() {
    const started = await arrange.subscribing()
    await started.subscribe.answer(ok(null))
    return started
  },
  async unsubscribing() {
    const started = await startInState('on')
    started.send('push.disable')
    return started
  },
}
