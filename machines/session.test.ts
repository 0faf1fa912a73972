import { afterEach, describe, expect, test, vi } from 'vitest'
import { type AnyEventObject, createActor, fromCallback, SimulatedClock } from 'xstate'
import { MINUTE } from '../domain/duration.ts'
import type { Session } from '../domain/session.ts'
import { type Ending, type KnownAccount, type SessionEvent, sessionMachine } from './session.ts'
import { fakeActor, settle } from './testing/fakeActor.ts'
import {
  awa,
  bob,
  bobReady,
  closed,
  held,
  missing,
  ready,
  renamed,
  stranger,
  unproven,
} from './testing/sessions.ts'

let stop = () => {}
afterEach(() => stop())

function createTestActor(overrides: Parameters<typeof sessionMachine.provide>[0]['actors'] = {}) {
  const clock = new SimulatedClock()
  const reloadApp = vi.fn()
  const fakes = {
    admit: fakeActor<void, Ending>(),
    readProfile: fakeActor<Session | null, { account: KnownAccount }>(),
    reloadAccount: fakeActor<{ emailVerified: boolean }, Ending>(),
    signOut: fakeActor<void, Ending>(),
    leaveMissingProfile: fakeActor<void, Ending & { phone: string | null }>(),
    noteOpenPayment: fakeActor<void, Ending>(),
    clearDevice: fakeActor<void, Ending>(),
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
        noteOpenPayment: fakes.noteOpenPayment.logic,
        clearDevice: fakes.clearDevice.logic,
        ...overrides,
      },
      actions: { reloadApp },
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
    situation,
    value: () => situation().value,
    isWatching: () => isWatching,
    send: (type: 'session.signOut' | 'verification.recheck' | 'start.retry' | 'notice.dismiss') =>
      actor.send({ type }),
    read: (account: KnownAccount | null, leaving: string | null = null) =>
      sendBack({ type: 'device.read', account, leaving }),
    change: (account: KnownAccount | null, leaving: string | null = null) =>
      sendBack({ type: 'account.changed', account, leaving }),
    unreachable: () => sendBack({ type: 'account.unreachable' }),
    /** From the sign-in screen to the answer about the profile. */
    async enter(account: KnownAccount, answer: Session | null) {
      sendBack({ type: 'account.changed', account, leaving: null })
      await fakes.admit.answer()
      if (actor.getSnapshot().matches({ entering: 'readingProfile' })) await fakes.readProfile.answer(answer)
    },
  }
}

const usingApp = { signedIn: 'usingApp' }
const awaiting = { unverified: 'awaitingVerification' }
const idle = { signedOut: 'idle' }

/** An app in which a user is signed in. */
function openApp(overrides = {}) {
  const started = createTestActor(overrides)
  started.read(awa)
  return started
}

describe('the start', () => {
  test('waits for what the device remembers', () => {
    const { actor, situation } = createTestActor()
    expect(situation()).toEqual({ value: 'starting', session: null, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
  })

  test.each<[string, KnownAccount | null, string | null, unknown, Session | null]>([
    ['nobody', null, null, idle, null],
    ['a user whose data were left on the device', null, 'u9', { signedOut: 'clearingLeftover' }, null],
    ['a user with a profile', awa, null, usingApp, ready],
    ['a user while another one leaves', awa, 'u9', usingApp, ready],
    ['a user whose address is not confirmed', unproven, null, awaiting, held],
    ['a user without a profile', stranger, null, 'starting', null],
    ['a user whose sign-out was cut off', awa, 'u1', { ending: 'signingOut' }, null],
  ])('goes by what the device remembers: %s @spec-boot', (_, account, leaving, value, session) => {
    const { read, situation } = createTestActor()
    read(account, leaving)
    expect(situation()).toEqual({ value, session, notice: null })
  })

  test('ends on the error screen when it hangs, and no earlier @spec-boot', () => {
    const { clock, situation } = createTestActor()
    clock.increment(19_999)
    expect(situation().value).toBe('starting')
    clock.increment(1)
    expect(situation()).toEqual({ value: 'failed', session: null, notice: null })
  })

  test('leaves the error screen when an answer comes after all', async () => {
    const { clock, enter, situation } = createTestActor()
    clock.increment(20_000)
    await enter(stranger, ready)
    expect(situation()).toEqual({ value: usingApp, session: ready, notice: null })
  })

  test('is not cut short once it is over', () => {
    const { clock, read, value } = createTestActor()
    read(null)
    clock.increment(MINUTE)
    expect(value()).toEqual(idle)
  })

  test('offers a reload on the error screen only @spec-boot-retry', () => {
    const { clock, send, reloadApp } = createTestActor()
    send('start.retry')
    expect(reloadApp).not.toHaveBeenCalled()
    clock.increment(20_000)
    send('start.retry')
    expect(reloadApp).toHaveBeenCalledOnce()
  })

  test.each<[string, KnownAccount | null, unknown]>([
    ['a user without a profile reads that it failed', stranger, 'failed'],
    ['a held user reads that it failed', unproven, 'failed'],
    ['a user whom the device remembers uses the app', awa, usingApp],
    ['a signed-out user can sign in', null, idle],
  ])('without the code of the sign-in service: %s', (_, account, expected) => {
    const { read, unreachable, value } = createTestActor()
    read(account)
    unreachable()
    expect(value()).toEqual(expected)
  })

  test('finishes a sign-out that was cut off, and says nothing of it', async () => {
    const { read, change, signOut, clearDevice, situation } = createTestActor()
    read(awa, 'u1')
    expect(signOut.asked).toEqual([{ uid: 'u1', reason: 'cutOff' }])
    await signOut.answer()
    change(null)
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: null })
  })

  test('fails when a sign-out that was cut off cannot be finished', async () => {
    const { read, signOut, situation } = createTestActor()
    read(awa, 'u1')
    await signOut.fail()
    expect(situation()).toEqual({ value: 'failed', session: null, notice: 'signOutFailed' })
  })

  test('clears the device beside the sign-in, and lets no user in before that is done', async () => {
    const { read, change, clearDevice, value } = createTestActor()
    read(null, 'u1')
    expect(clearDevice.asked).toEqual([{ uid: 'u1', reason: 'cutOff' }])
    change(null)
    expect(value()).toEqual({ signedOut: 'clearingLeftover' })
    change(awa)
    expect(value()).toEqual({ ending: 'clearing' })
    await clearDevice.answer()
    expect(clearDevice.asked).toEqual(Array(2).fill({ uid: 'u1', reason: 'cutOff' }))
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
    ['with a profile uses the app', ready, usingApp],
    ['with an unconfirmed address is held', held, awaiting],
    ['who has to sign in again is held', closed, awaiting],
    ['without a profile leaves', missing, { ending: 'leavingMissingProfile' }],
  ])('%s', async (_, session, value) => {
    const { enter, situation } = start()
    await enter(stranger, session)
    expect(situation()).toEqual({ value, session, notice: null })
  })

  test('waits meanwhile', async () => {
    const { actor, change, admit, readProfile, situation } = start()
    change(stranger)
    expect(situation()).toEqual({ value: { entering: 'admitting' }, session: null, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    await admit.answer()
    expect(situation().value).toEqual({ entering: { readingProfile: 'waiting' } })
    expect(readProfile.asked).toEqual([{ account: stranger }])
  })

  test('is let in at once where the device remembers the profile, and held where the address is unproven', async () => {
    const one = start()
    await one.enter(awa, null)
    expect(one.situation()).toEqual({ value: { signedIn: 'refreshing' }, session: ready, notice: null })
    stop()
    const other = start()
    await other.enter(unproven, null)
    expect(other.situation()).toEqual({ value: awaiting, session: held, notice: null })
    expect(other.readProfile.asked).toEqual([])
  })

  test('is let in when what the last session left cannot be restored', async () => {
    const { change, admit, value } = start()
    change(stranger)
    await admit.fail()
    expect(value()).toEqual({ entering: { readingProfile: 'waiting' } })
  })

  test('reads that it failed when the server knows nothing of them', async () => {
    const { enter, value } = start()
    await enter(stranger, null)
    expect(value()).toBe('failed')
  })

  test('reads that it failed when the server takes 20 seconds, and is let in by its late answer', async () => {
    const { actor, change, clock, admit, readProfile, value } = start()
    change(stranger)
    await admit.answer()
    clock.increment(19_999)
    expect(actor.getSnapshot().hasTag('failed')).toBe(false)
    clock.increment(1)
    expect(actor.getSnapshot().hasTag('failed')).toBe(true)
    await readProfile.answer(ready)
    expect(value()).toEqual(usingApp)
  })

  test('can try again when the server takes 20 seconds', async () => {
    const { change, clock, admit, send, reloadApp } = start()
    change(stranger)
    await admit.answer()
    clock.increment(20_000)
    send('start.retry')
    expect(reloadApp).toHaveBeenCalledOnce()
  })

  test('reads that it failed when the device takes 20 seconds, and is let in by a sign-in', async () => {
    const { change, clock, enter, value } = start()
    change(stranger)
    clock.increment(19_999)
    expect(value()).toEqual({ entering: 'admitting' })
    clock.increment(1)
    expect(value()).toBe('failed')
    await enter(stranger, ready)
    expect(value()).toEqual(usingApp)
  })

  test('is not let in by an answer about an earlier account', async () => {
    const { change, admit, readProfile, noteOpenPayment, clearDevice, situation } = start()
    change(stranger)
    await admit.answer()
    change(bob)
    await readProfile.answer(ready)
    expect(situation().value).toEqual({ ending: 'clearing' })
    await clearDevice.answer()
    await admit.answer()
    expect(readProfile.asked).toEqual([{ account: stranger }, { account: bob }])
    expect(noteOpenPayment.asked).toEqual([])
    await readProfile.answer(bobReady)
    expect(situation()).toEqual({ value: usingApp, session: bobReady, notice: null })
  })
})

describe('a signed-in user', () => {
  test.each<[string, Session | null, unknown, Session]>([
    ['has the new name', renamed, usingApp, renamed],
    ['goes on without an answer', null, usingApp, ready],
    ['is held', closed, awaiting, closed],
    ['leaves without a profile', missing, { ending: 'leavingMissingProfile' }, missing],
  ])('whose profile is read again %s', async (_, answer, value, session) => {
    const { change, readProfile, situation } = openApp()
    change(awa)
    expect(situation()).toEqual({ value: { signedIn: 'refreshing' }, session: ready, notice: null })
    await readProfile.answer(answer)
    expect(situation()).toEqual({ value, session, notice: null })
  })

  test('is not changed by an answer to an earlier question', async () => {
    const { change, readProfile, situation } = openApp()
    change(awa)
    const first = readProfile.answer(renamed)
    change({ ...awa, phone: '+33600000000' })
    await first
    expect(situation()).toEqual({ value: { signedIn: 'refreshing' }, session: ready, notice: null })
    expect(readProfile.asked).toHaveLength(2)
  })
})

test('the account is watched in every state, until the end', async () => {
  const { actor, change, isWatching } = openApp()
  change(bob)
  expect(isWatching()).toBe(true)
  actor.stop()
  expect(isWatching()).toBe(false)
})

describe.each<[string, KnownAccount, Session, unknown]>([
  ['signed in', awa, ready, usingApp],
  ['held for verification', unproven, held, awaiting],
])('signing out while %s', (_, account, session, before) => {
  const start = () => {
    const started = createTestActor()
    started.read(account)
    started.send('session.signOut')
    return started
  }

  test('shows what stood there until the device is cleared', async () => {
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

  test('succeeds when the session ends before the answer', async () => {
    const { change, clearDevice, noteOpenPayment, signOut, situation } = start()
    change(null, 'u1')
    await signOut.answer()
    expect(clearDevice.asked).toHaveLength(1)
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: 'signedOutSuccess' })
    expect(noteOpenPayment.asked).toEqual([])
  })

  test('fails with a notice, and can be tried again @spec-sign-out-retry', async () => {
    const { signOut, situation, send } = start()
    await signOut.fail()
    expect(situation()).toEqual({ value: before, session, notice: 'signOutFailed' })
    send('session.signOut')
    expect(situation()).toEqual({ value: { ending: 'signingOut' }, session, notice: null })
  })

  test('ignores a second tap and a renewed token', () => {
    const { change, send, signOut, value } = start()
    send('session.signOut')
    change(account)
    expect(value()).toEqual({ ending: 'signingOut' })
    expect(signOut.asked).toHaveLength(1)
  })

  test('lets another user in once the device is cleared', async () => {
    const { change, clearDevice, enter, situation } = start()
    change(bob)
    expect(situation()).toEqual({ value: { ending: 'clearing' }, session, notice: null })
    await clearDevice.answer()
    await enter(bob, bobReady)
    expect(situation()).toEqual({ value: usingApp, session: bobReady, notice: null })
  })
})

describe('a session that ends elsewhere', () => {
  test.each([
    ['in another tab', 'u1', 'elsewhere'],
    ['by a new password', null, 'expired'],
    ['while another user leaves', 'u9', 'expired'],
  ] as const)('%s notes the open payment, then clears the device', async (_, leaving, reason) => {
    const { change, noteOpenPayment, clearDevice, situation } = openApp()
    change(null, leaving)
    expect(situation()).toEqual({ value: { ending: 'notingPayment' }, session: ready, notice: null })
    expect(noteOpenPayment.asked).toEqual([{ uid: 'u1', reason }])
    await noteOpenPayment.answer()
    expect(situation()).toEqual({ value: { ending: 'clearing' }, session: ready, notice: null })
    expect(clearDevice.asked).toEqual([{ uid: 'u1', reason }])
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: null })
  })

  test('tells the next start of the session why the last one ended', async () => {
    const { admit, change, noteOpenPayment, clearDevice } = openApp()
    change(null)
    await noteOpenPayment.answer()
    await clearDevice.answer()
    change(awa)
    expect(admit.asked).toEqual([{ uid: 'u1', reason: 'expired' }])
  })

  test.each([
    ['the same user', awa],
    ['another user', bob],
  ])('lets %s in only when the device is cleared', async (_, next) => {
    const { admit, change, noteOpenPayment, clearDevice, value } = openApp()
    change(null)
    change(next)
    await noteOpenPayment.answer()
    expect(value()).toEqual({ ending: 'clearing' })
    await clearDevice.answer()
    expect(value()).toEqual({ entering: 'admitting' })
    expect(admit.asked).toEqual([{ uid: next.uid, reason: 'expired' }])
  })

  test('does not let in a user who has left again meanwhile', async () => {
    const { change, noteOpenPayment, clearDevice, value } = openApp()
    change(null)
    change(bob)
    change(null)
    // The device is cleared even if the payment cannot be noted.
    await noteOpenPayment.fail()
    await clearDevice.answer()
    expect(value()).toEqual(idle)
  })

  test.each<[string, (started: ReturnType<typeof createTestActor>) => unknown]>([
    ['hangs', ({ clock }) => clock.increment(20_000)],
    ['fails', ({ clearDevice }) => clearDevice.fail()],
  ])('ends on the error screen when the clearing %s', async (_, happen) => {
    const started = openApp()
    started.change(bob)
    await happen(started)
    expect(started.value()).toBe('failed')
  })
})

describe('verification', () => {
  const start = () => {
    const started = createTestActor()
    started.read(unproven)
    started.send('verification.recheck')
    return started
  }

  test('is checked again once at a time, and not interrupted by a renewed token', () => {
    const { actor, change, send, reloadAccount, situation } = start()
    send('verification.recheck')
    change(unproven)
    expect(situation()).toEqual({ value: { unverified: 'rechecking' }, session: held, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    expect(reloadAccount.asked).toEqual([{ uid: 'u1', reason: null }])
  })

  test('opens the app only by a new account, and shows the page until then', async () => {
    const { reloadAccount, enter, change, situation } = start()
    await reloadAccount.answer({ emailVerified: true })
    expect(situation()).toEqual({ value: awaiting, session: held, notice: null })
    change(stranger)
    expect(situation()).toEqual({ value: { entering: 'admitting' }, session: held, notice: null })
    await enter(stranger, ready)
    expect(situation()).toEqual({ value: usingApp, session: ready, notice: null })
  })

  test.each([
    ['tells when nothing has changed', 'stillUnverified'],
    ['tells when it could not be checked', 'recheckFailed'],
  ])('%s', async (_, notice) => {
    const { reloadAccount, situation } = start()
    await (notice === 'recheckFailed' ? reloadAccount.fail() : reloadAccount.answer({ emailVerified: false }))
    expect(situation()).toEqual({ value: awaiting, session: held, notice })
  })

  test('can be left while it is checked', () => {
    const { send, value } = start()
    send('session.signOut')
    expect(value()).toEqual({ ending: 'signingOut' })
  })
})

describe('a missing profile', () => {
  const start = async () => {
    const started = createTestActor()
    started.read(null)
    await started.enter(stranger, missing)
    return started
  }

  test('signs out and says that no account was found @spec-boot-no-profile', async () => {
    const { change, clearDevice, leaveMissingProfile, situation } = await start()
    expect(leaveMissingProfile.asked).toEqual([
      { uid: 'u1', reason: 'profileMissing', phone: '+224620000000' },
    ])
    change(stranger)
    await leaveMissingProfile.answer()
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: 'accountNotFound' })
  })

  test('says so when the session ends before the answer', async () => {
    const { change, clearDevice, situation } = await start()
    change(null, 'u1')
    await clearDevice.answer()
    expect(situation()).toEqual({ value: idle, session: null, notice: 'accountNotFound' })
  })

  test('ends on the error screen when that fails', async () => {
    const { leaveMissingProfile, situation } = await start()
    await leaveMissingProfile.fail()
    expect(situation()).toEqual({ value: 'failed', session: missing, notice: 'signOutFailed' })
  })

  test('ends on the error screen when that hangs', async () => {
    const { clock, situation } = await start()
    clock.increment(20_000)
    expect(situation()).toEqual({ value: 'failed', session: missing, notice: null })
  })
})

test('a notice can be dismissed', async () => {
  const { send, signOut, situation } = openApp()
  send('session.signOut')
  await signOut.fail()
  send('notice.dismiss')
  expect(situation()).toEqual({ value: usingApp, session: ready, notice: null })
})

describe('an actor that is not provided', () => {
  const { implementations } = sessionMachine
  const unprovided = (name: keyof typeof implementations.actors) => ({ [name]: implementations.actors[name] })

  test.each<
    [keyof typeof implementations.actors, (started: ReturnType<typeof createTestActor>) => void, unknown]
  >([
    ['watchAccount', () => {}, { value: 'failed', session: null, notice: null }],
    [
      'signOut',
      ({ send }) => send('session.signOut'),
      { value: usingApp, session: ready, notice: 'signOutFailed' },
    ],
    ['clearDevice', ({ change }) => change(bob), { value: 'failed', session: ready, notice: null }],
    // The user goes on when the profile cannot be read.
    ['readProfile', ({ change }) => change(awa), { value: usingApp, session: ready, notice: null }],
  ])('%s changes nothing for the better', async (name, happen, expected) => {
    const started = name === 'watchAccount' ? createTestActor(unprovided(name)) : openApp(unprovided(name))
    happen(started)
    await settle()
    expect(started.situation()).toEqual(expected)
  })
})
