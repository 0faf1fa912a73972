import { afterEach, describe, expect, test, vi } from 'vitest'
import { type AnyEventObject, createActor, fromCallback, SimulatedClock } from 'xstate'
import type { Session } from '../domain/account/session.ts'
import { MINUTE } from '../domain/common/duration.ts'
import { type DeviceAccount, type EndingSession, type SessionEvent, sessionMachine } from './session.ts'
import { createFakeActor, flushQueue } from './testing/fakeActor.ts'
import {
  accountWithoutProfile,
  heldSession,
  knownAccount,
  otherAccount,
  otherReadySession,
  profileMissingSession,
  readySession,
  renamedSession,
  unverifiedAccount,
  unverifiedSession,
} from './testing/sessionSituations.ts'

let stop = () => {}
afterEach(() => stop())

function createTestActor(overrides: Parameters<typeof sessionMachine.provide>[0]['actors'] = {}) {
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
  stop = () => actor.stop()
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

const usingApp = { signedIn: 'usingApp' }
const awaiting = { unverified: 'awaitingVerification' }
const idle = { signedOut: 'idle' }
const refreshing = { signedIn: 'refreshing' }
const admitting = { entering: 'admitting' }
const rechecking = { unverified: 'rechecking' }

function openApp(overrides = {}) {
  const started = createTestActor(overrides)
  started.read(knownAccount)
  return started
}

describe('the start of the app', () => {
  test('the start waits until the data on the device has been read', () => {
    const { actor, situation } = createTestActor()
    expect(situation()).toEqual({ value: 'starting', session: null, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
  })

  test.each<[string, DeviceAccount | null, string | null, unknown, Session | null]>([
    ['a signed-out user', null, null, idle, null],
    ['a user whose data were left on the device', null, 'u9', { signedOut: 'clearingLeftover' }, null],
    ['a user with a profile', knownAccount, null, usingApp, readySession],
    ['a user while another one leaves', knownAccount, 'u9', usingApp, readySession],
    ['a user whose address is not confirmed', unverifiedAccount, null, awaiting, unverifiedSession],
    ['a user without a profile', accountWithoutProfile, null, 'starting', null],
    ['a user whose sign-out was cut off', knownAccount, 'u1', { ending: 'signingOut' }, null],
  ])('the start trusts the data on the device: %s @spec-boot', (_, account, signOutUid, value, session) => {
    const { read, situation } = createTestActor()
    read(account, signOutUid)
    expect(situation()).toEqual({ value, session, notice: null })
  })

  test('the start shows the error screen after 20 silent seconds @spec-boot', () => {
    const { clock, situation } = createTestActor()
    clock.increment(19_999)
    expect(situation().value).toBe('starting')
    clock.increment(1)
    expect(situation()).toEqual({ value: 'failed', session: null, notice: null })
  })

  test('a late answer leads from the start’s error screen into the app', async () => {
    const { clock, enter, situation, reportFailure } = createTestActor()
    expect(reportFailure).not.toHaveBeenCalled()
    clock.increment(20_000)
    expect(reportFailure).toHaveBeenCalledOnce()
    await enter(accountWithoutProfile, readySession)
    expect(situation()).toEqual({ value: usingApp, session: readySession, notice: null })
  })

  test('the start’s time limit ends with the start', () => {
    const { clock, read, value } = createTestActor()
    read(null)
    clock.increment(MINUTE)
    expect(value()).toEqual(idle)
  })

  test('the start offers a reload on the error screen only @spec-boot-retry', () => {
    const { clock, send, reloadApp } = createTestActor()
    send('start.retry')
    expect(reloadApp).not.toHaveBeenCalled()
    clock.increment(20_000)
    send('start.retry')
    expect(reloadApp).toHaveBeenCalledOnce()
  })

  test.each<[string, DeviceAccount | null, unknown]>([
    ['a user without a profile sees the error screen', accountWithoutProfile, 'failed'],
    ['a user held for verification sees the error screen', unverifiedAccount, 'failed'],
    ['a user whom the device remembers uses the app', knownAccount, usingApp],
    ['a signed-out user can sign in', null, idle],
  ])('the start continues without the sign-in service’s chunk: %s', (_, account, expected) => {
    const { read, unreachable, value } = createTestActor()
    read(account)
    unreachable()
    expect(value()).toEqual(expected)
  })

  test('the start finishes an interrupted sign-out, without a notice', async () => {
    const { read, change, signOut, clearDevice, situation } = createTestActor()
    read(knownAccount, 'u1')
    expect(signOut.asked).toEqual([{ uid: 'u1', reason: 'interrupted' }])
    await signOut.answer()
    change(null)
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: null })
  })

  test('the start fails when an interrupted sign-out cannot be finished', async () => {
    const { read, signOut, situation } = createTestActor()
    read(knownAccount, 'u1')
    await signOut.fail()
    expect(situation()).toEqual({ value: 'failed', session: null, notice: 'signOutFailed' })
  })

  test('the start clears a former user’s data before it admits anyone', async () => {
    const { read, change, clearDevice, value } = createTestActor()
    read(null, 'u1')
    expect(clearDevice.asked).toEqual([{ uid: 'u1', reason: 'interrupted' }])
    change(null)
    expect(value()).toEqual({ signedOut: 'clearingLeftover' })
    change(knownAccount)
    expect(value()).toEqual({ ending: 'clearing' })
    await clearDevice.answer()
    expect(clearDevice.asked).toEqual(Array(2).fill({ uid: 'u1', reason: 'interrupted' }))
    expect(value()).toEqual({ entering: 'admitting' })
  })
})

describe('a user who has just signed in', () => {
  const start = () => {
    const started = createTestActor()
    started.read(null)
    return started
  }

  test.each<[string, Session | null, unknown]>([
    ['with a profile uses the app', readySession, usingApp],
    ['with an unconfirmed address is held', unverifiedSession, awaiting],
    ['but has to sign in again is held', heldSession, awaiting],
    ['without a profile is signed out', profileMissingSession, { ending: 'leavingMissingProfile' }],
  ])('a user who has just signed in %s', async (_, session, value) => {
    const { enter, situation } = start()
    await enter(accountWithoutProfile, session)
    expect(situation()).toEqual({ value, session, notice: null })
  })

  test('a new sign-in waits while the account is opened', async () => {
    const { actor, change, admit, readProfile, situation } = start()
    change(accountWithoutProfile)
    expect(situation()).toEqual({ value: admitting, session: null, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    await admit.answer()
    expect(situation().value).toEqual({ entering: { readingProfile: 'waiting' } })
    expect(readProfile.asked).toEqual([{ account: accountWithoutProfile }])
  })

  test('a remembered profile admits a new sign-in, unproven email holds it', async () => {
    const one = start()
    await one.enter(knownAccount, null)
    expect(one.situation()).toEqual({ value: refreshing, session: readySession, notice: null })
    stop()
    const other = start()
    await other.enter(unverifiedAccount, null)
    expect(other.situation()).toEqual({ value: awaiting, session: unverifiedSession, notice: null })
    expect(other.readProfile.asked).toEqual([])
  })

  test('a new sign-in is admitted even without the last session’s data', async () => {
    const { change, admit, value } = start()
    change(accountWithoutProfile)
    await admit.fail()
    expect(value()).toEqual({ entering: { readingProfile: 'waiting' } })
  })

  test('an unknown user without a server sees the error screen', async () => {
    const { enter, value } = start()
    await enter(accountWithoutProfile, null)
    expect(value()).toBe('failed')
  })

  test('a late server admits a new sign-in after the error screen', async () => {
    const { actor, change, clock, admit, readProfile, reportFailure, value } = start()
    change(accountWithoutProfile)
    await admit.answer()
    clock.increment(19_999)
    expect(actor.getSnapshot().hasTag('failed')).toBe(false)
    expect(reportFailure).not.toHaveBeenCalled()
    clock.increment(1)
    expect(actor.getSnapshot().hasTag('failed')).toBe(true)
    expect(reportFailure).toHaveBeenCalledOnce()
    await readProfile.answer(readySession)
    expect(value()).toEqual(usingApp)
  })

  test('a new sign-in waits 20 seconds at most for device and server', async () => {
    const { actor, change, clock, admit, readProfile, value } = createTestActor()
    change(accountWithoutProfile)
    clock.increment(15_000)
    await admit.answer()
    clock.increment(4_999)
    expect(value()).toEqual({ entering: { readingProfile: 'waiting' } })
    clock.increment(1)
    expect(actor.getSnapshot().hasTag('failed')).toBe(true)
    await readProfile.answer(readySession)
    expect(value()).toEqual(usingApp)
  })

  test('another sign-in restarts the wait of 20 seconds', () => {
    const { change, clock, value } = createTestActor()
    change(accountWithoutProfile)
    clock.increment(15_000)
    change({ ...accountWithoutProfile, emailVerified: true })
    clock.increment(19_999)
    expect(value()).toEqual({ entering: 'admitting' })
    clock.increment(1)
    expect(value()).toBe('failed')
  })

  test('a new sign-in can reload when the server takes 20 seconds', async () => {
    const { change, clock, admit, send, reloadApp } = start()
    change(accountWithoutProfile)
    await admit.answer()
    clock.increment(20_000)
    send('start.retry')
    expect(reloadApp).toHaveBeenCalledOnce()
  })

  test('a silent device shows the error screen until another sign-in', async () => {
    const { change, clock, enter, value } = start()
    change(accountWithoutProfile)
    clock.increment(19_999)
    expect(value()).toEqual({ entering: 'admitting' })
    clock.increment(1)
    expect(value()).toBe('failed')
    await enter(accountWithoutProfile, readySession)
    expect(value()).toEqual(usingApp)
  })

  test('an answer about an earlier account lets no user in', async () => {
    const { change, admit, readProfile, recordOpenPayment, clearDevice, situation } = start()
    change(accountWithoutProfile)
    await admit.answer()
    change(otherAccount)
    await readProfile.answer(readySession)
    expect(situation().value).toEqual({ ending: 'clearing' })
    await clearDevice.answer()
    await admit.answer()
    expect(readProfile.asked).toEqual([{ account: accountWithoutProfile }, { account: otherAccount }])
    expect(recordOpenPayment.asked).toEqual([])
    await readProfile.answer(otherReadySession)
    expect(situation()).toEqual({ value: usingApp, session: otherReadySession, notice: null })
  })
})

describe('a signed-in user', () => {
  test.each<[string, Session | null, unknown, Session]>([
    ['shows a new name', renamedSession, usingApp, renamedSession],
    ['without an answer changes nothing', null, usingApp, readySession],
    ['holds a user who has to sign in again', heldSession, awaiting, heldSession],
    [
      'signs out a user whose profile is missing',
      profileMissingSession,
      { ending: 'leavingMissingProfile' },
      profileMissingSession,
    ],
  ])('reading the profile of a signed-in user again %s', async (_, answer, value, session) => {
    const { change, readProfile, situation } = openApp()
    change(knownAccount)
    expect(situation()).toEqual({ value: refreshing, session: readySession, notice: null })
    await readProfile.answer(answer)
    expect(situation()).toEqual({ value, session, notice: null })
  })

  test('the answer to an outdated request leaves the session unchanged', async () => {
    const { change, readProfile, situation } = openApp()
    change(knownAccount)
    const first = readProfile.answer(renamedSession)
    change({ ...knownAccount, phone: '+33600000000' })
    await first
    expect(situation()).toEqual({ value: refreshing, session: readySession, notice: null })
    expect(readProfile.asked).toHaveLength(2)
  })
})

test('the session watches the account in every state, until it is stopped', async () => {
  const { actor, change, isWatching } = openApp()
  change(otherAccount)
  expect(isWatching()).toBe(true)
  actor.stop()
  expect(isWatching()).toBe(false)
})

describe.each<[string, DeviceAccount, Session, unknown]>([
  ['signed in', knownAccount, readySession, usingApp],
  ['held for verification', unverifiedAccount, unverifiedSession, awaiting],
])('signing out while %s', (_, account, session, before) => {
  const start = () => {
    const started = createTestActor()
    started.read(account)
    started.send('session.signOut')
    return started
  }

  test('signing out shows the previous screen until the device is cleared', async () => {
    const { actor, clearDevice, signOut, situation } = start()
    expect(situation()).toEqual({ value: { ending: 'signingOut' }, session, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    expect(signOut.asked).toEqual([{ uid: 'u1', reason: 'signOut' }])
    await signOut.answer()
    expect(situation()).toEqual({ value: { ending: 'clearing' }, session, notice: null })
    expect(clearDevice.asked).toEqual([{ uid: 'u1', reason: 'signOut' }])
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: 'signedOutSuccess' })
  })

  test('signing out succeeds when the session ends before the answer', async () => {
    const { change, clearDevice, recordOpenPayment, signOut, situation } = start()
    change(null, 'u1')
    await signOut.answer()
    expect(clearDevice.asked).toHaveLength(1)
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: 'signedOutSuccess' })
    expect(recordOpenPayment.asked).toEqual([])
  })

  test('a failed sign-out shows a notice, and can be retried @spec-sign-out-retry', async () => {
    const { signOut, situation, send } = start()
    await signOut.fail()
    expect(situation()).toEqual({ value: before, session, notice: 'signOutFailed' })
    send('session.signOut')
    expect(situation()).toEqual({ value: { ending: 'signingOut' }, session, notice: null })
  })

  test('signing out ignores a second tap and a renewed token', () => {
    const { change, send, signOut, value } = start()
    send('session.signOut')
    change(account)
    expect(value()).toEqual({ ending: 'signingOut' })
    expect(signOut.asked).toHaveLength(1)
  })

  test('signing out lets another user in once the device is cleared', async () => {
    const { change, clearDevice, enter, situation } = start()
    change(otherAccount)
    expect(situation()).toEqual({ value: { ending: 'clearing' }, session, notice: null })
    await clearDevice.answer()
    await enter(otherAccount, otherReadySession)
    expect(situation()).toEqual({ value: usingApp, session: otherReadySession, notice: null })
  })
})

describe('a session that ends elsewhere', () => {
  test.each([
    ['in another tab', 'u1', 'elsewhere'],
    ['by a new password', null, 'expired'],
    ['while another user leaves', 'u9', 'expired'],
  ] as const)(
    'a session that ends %s notes the payment, then clears the device',
    async (_, signOutUid, reason) => {
      const { change, recordOpenPayment, clearDevice, situation } = openApp()
      change(null, signOutUid)
      expect(situation()).toMatchObject({ value: { ending: 'recordingPayment' }, session: readySession })
      expect(recordOpenPayment.asked).toEqual([{ uid: 'u1', reason }])
      await recordOpenPayment.answer()
      expect(situation()).toEqual({ value: { ending: 'clearing' }, session: readySession, notice: null })
      expect(clearDevice.asked).toEqual([{ uid: 'u1', reason }])
      await clearDevice.answer()
      expect(situation()).toEqual({ value: idle, session: null, notice: null })
    },
  )

  test('the next sign-in tells why the session ended elsewhere', async () => {
    const { admit, change, recordOpenPayment, clearDevice } = openApp()
    change(null)
    await recordOpenPayment.answer()
    await clearDevice.answer()
    change(knownAccount)
    expect(admit.asked).toEqual([{ uid: 'u1', reason: 'expired' }])
  })

  test.each([
    ['the same user', knownAccount],
    ['another user', otherAccount],
  ])('a session ended elsewhere lets %s in after clearing the device', async (_, next) => {
    const { admit, change, recordOpenPayment, clearDevice, value } = openApp()
    change(null)
    change(next)
    await recordOpenPayment.answer()
    expect(value()).toEqual({ ending: 'clearing' })
    await clearDevice.answer()
    expect(value()).toEqual({ entering: 'admitting' })
    expect(admit.asked).toEqual([{ uid: next.uid, reason: 'expired' }])
  })

  test('a user who has signed out again stays out', async () => {
    const { change, recordOpenPayment, clearDevice, value } = openApp()
    change(null)
    change(otherAccount)
    change(null)
    // The device is cleared even if the payment cannot be noted.
    await recordOpenPayment.fail()
    await clearDevice.answer()
    expect(value()).toEqual(idle)
  })

  test.each<[string, (started: ReturnType<typeof createTestActor>) => unknown]>([
    ['hangs', ({ clock }) => clock.increment(20_000)],
    ['fails', ({ clearDevice }) => clearDevice.fail()],
  ])('a session ended elsewhere shows an error if clearing %s', async (_, happen) => {
    const started = openApp()
    started.change(otherAccount)
    await happen(started)
    expect(started.value()).toBe('failed')
  })
})

describe('the verification of an address', () => {
  const start = () => {
    const started = createTestActor()
    started.read(unverifiedAccount)
    started.send('verification.recheck')
    return started
  }

  test('one check of an address runs at a time, despite new tokens', () => {
    const { actor, change, send, reloadAccount, situation } = start()
    send('verification.recheck')
    change(unverifiedAccount)
    expect(situation()).toEqual({ value: rechecking, session: unverifiedSession, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    expect(reloadAccount.asked).toEqual([{ uid: 'u1', reason: null }])
  })

  test('a verified address opens the app after the account is reported again', async () => {
    const { reloadAccount, enter, change, situation } = start()
    await reloadAccount.answer({ emailVerified: true })
    expect(situation()).toEqual({ value: awaiting, session: unverifiedSession, notice: null })
    change(accountWithoutProfile)
    expect(situation()).toEqual({ value: admitting, session: unverifiedSession, notice: null })
    await enter(accountWithoutProfile, readySession)
    expect(situation()).toEqual({ value: usingApp, session: readySession, notice: null })
  })

  test.each([
    ['reports that nothing has changed', 'stillUnverified'],
    ['reports that the check failed', 'recheckFailed'],
  ])('the verification page %s', async (_, notice) => {
    const { reloadAccount, situation } = start()
    await (notice === 'recheckFailed' ? reloadAccount.fail() : reloadAccount.answer({ emailVerified: false }))
    expect(situation()).toEqual({ value: awaiting, session: unverifiedSession, notice })
  })

  test('a user can sign out while the verification is checked', () => {
    const { send, value } = start()
    send('session.signOut')
    expect(value()).toEqual({ ending: 'signingOut' })
  })
})

describe('a missing profile', () => {
  const start = async () => {
    const started = createTestActor()
    started.read(null)
    await started.enter(accountWithoutProfile, profileMissingSession)
    return started
  }

  test('a missing profile signs out and reports no account @spec-boot-no-profile', async () => {
    const { change, clearDevice, leaveMissingProfile, situation } = await start()
    expect(leaveMissingProfile.asked).toEqual([
      { uid: 'u1', reason: 'profileMissing', phone: '+224620000000' },
    ])
    change(accountWithoutProfile)
    await leaveMissingProfile.answer()
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: 'accountNotFound' })
  })

  test('a missing profile is reported even if the session ends first', async () => {
    const { change, clearDevice, situation } = await start()
    change(null, 'u1')
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: 'accountNotFound' })
  })

  test('a missing profile leads to the error screen when the sign-out fails', async () => {
    const { leaveMissingProfile, situation } = await start()
    await leaveMissingProfile.fail()
    expect(situation()).toEqual({ value: 'failed', session: profileMissingSession, notice: 'signOutFailed' })
  })

  test('a missing profile leads to the error screen when the sign-out hangs', async () => {
    const { clock, situation } = await start()
    clock.increment(20_000)
    expect(situation()).toEqual({ value: 'failed', session: profileMissingSession, notice: null })
  })
})

test('the user can dismiss a notice of the session', async () => {
  const { send, signOut, situation } = openApp()
  send('session.signOut')
  await signOut.fail()
  send('notice.dismiss')
  expect(situation()).toEqual({ value: usingApp, session: readySession, notice: null })
})

describe('an actor that is not provided', () => {
  const { actors } = sessionMachine.implementations
  type ActorName = keyof typeof actors
  const unprovided = (name: ActorName) => ({ [name]: actors[name] })
  const ready = { value: usingApp, session: readySession, notice: null }

  test.each<[ActorName, (started: ReturnType<typeof createTestActor>) => void, unknown]>([
    ['watchAccount', () => {}, { value: 'failed', session: null, notice: null }],
    ['signOut', ({ send }) => send('session.signOut'), { ...ready, notice: 'signOutFailed' }],
    ['clearDevice', ({ change }) => change(otherAccount), { ...ready, value: 'failed' }],
    // The user continues when the profile can't be read.
    ['readProfile', ({ change }) => change(knownAccount), ready],
  ])('an actor that was not provided never counts as success: %s', async (name, happen, expected) => {
    const started = name === 'watchAccount' ? createTestActor(unprovided(name)) : openApp(unprovided(name))
    happen(started)
    await flushQueue()
    expect(started.situation()).toEqual(expected)
  })
})
