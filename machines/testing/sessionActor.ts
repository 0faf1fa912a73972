import { vi } from 'vitest'
import { type AnyEventObject, createActor, fromCallback, SimulatedClock } from 'xstate'
import type { Session } from '../../domain/account/session.ts'
import { type DeviceAccount, type EndingSession, type SessionEvent, sessionMachine } from '../session.ts'
import { createFakeActor } from './fakeActor.ts'

let stopLast = () => {}

export const stopTestActor = () => stopLast()

export function createTestActor(overrides: Parameters<typeof sessionMachine.provide>[0]['actors'] = {}) {
  const clock = new SimulatedClock()
  const [reloadApp, reportFailure] = [vi.fn(), vi.fn()]
  const fakes = {
    admit: createFakeActor<void, EndingSession>(),
    readProfile: createFakeActor<Session | null, { account: DeviceAccount }>(),
    reloadAccount: createFakeActor<{ emailVerified: boolean }, EndingSession>(),
    signOut: createFakeActor<void, EndingSession>(),
    leaveMissingProfile: createFakeActor<void, EndingSession & { phone: string | null }>(),
    recordOpenPayment: createFakeActor<void, EndingSession>(),
    clearDevice: createFakeActor<void, EndingSession>(),
  }
  let sendBack = (_: SessionEvent) => {}
  let isWatching = false
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        watchAccount: fromCallback<AnyEventObject>((scope) => {
          sendBack = scope.sendBack
          isWatching = true
          return () => {
            isWatching = false
          }
        }),
        admit: fakes.admit.logic,
        readProfile: fakes.readProfile.logic as never,
        reloadAccount: fakes.reloadAccount.logic,
        signOut: fakes.signOut.logic,
        leaveMissingProfile: fakes.leaveMissingProfile.logic,
        recordOpenPayment: fakes.recordOpenPayment.logic,
        clearDevice: fakes.clearDevice.logic,
        ...overrides,
      },
      actions: { reloadApp, reportFailure },
    }),
    { clock },
  ).start()
  stopLast = () => actor.stop()
  const situation = () => {
    const { value, context } = actor.getSnapshot()
    return { value, session: context.session, notice: context.notice }
  }
  return {
    ...fakes,
    actor,
    clock,
    reloadApp,
    reportFailure,
    situation,
    value: () => situation().value,
    isWatching: () => isWatching,
    send: (type: 'session.signOut' | 'verification.recheck' | 'start.retry' | 'notice.dismiss') =>
      actor.send({ type }),
    read: (account: DeviceAccount | null, signOutUid: string | null = null) =>
      sendBack({ type: 'device.read', account, signOutUid }),
    change: (account: DeviceAccount | null, signOutUid: string | null = null) =>
      sendBack({ type: 'account.changed', account, signOutUid }),
    unreachable: () => sendBack({ type: 'account.unreachable' }),
    async enter(account: DeviceAccount, answer: Session | null) {
      sendBack({ type: 'account.changed', account, signOutUid: null })
      await fakes.admit.answer()
      if (actor.getSnapshot().matches({ entering: 'readingProfile' })) await fakes.readProfile.answer(answer)
    },
  }
}
