import { afterEach, describe, expect, test, vi } from 'vitest'
import { type AnyEventObject, createActor, fromCallback, SimulatedClock } from 'xstate'
import { MINUTE } from '../domain/duration.ts'
import { type BootContext, type BootEvent, bootMachine } from './boot.ts'
import type { Session } from './session.ts'
import { fakeActor, settle } from './testing/fakeActor.ts'
import { walk } from './testing/walk.ts'

const none: Session = { kind: 'none' }
const held: Session = { kind: 'unverified', uid: 'u1', email: 'awa@example.com' }
const closed: Session = { kind: 'held', uid: 'u1', email: 'awa@example.com', until: 'signedInAgain' }
const awa: Session = { kind: 'ready', uid: 'u1', name: 'Awa', email: 'awa@example.com', phone: null }
const bob: Session = { kind: 'ready', uid: 'u2', name: 'Bob', email: null, phone: '+14165550100' }
const missing: Session = { kind: 'profileMissing', uid: 'u3', phone: '+224620000000' }
const failed: Session = { kind: 'failed', uid: 'u1' }

let stop = () => {}
afterEach(() => stop())

function createTestActor(overrides: Parameters<typeof bootMachine.provide>[0]['actors'] = {}) {
  const clock = new SimulatedClock()
  const reloadApp = vi.fn()
  const signOut = fakeActor<void, { uid: string }>()
  const leaveMissingProfile = fakeActor<void, { uid: string; phone: string | null }>()
  const reloadAccount = fakeActor<{ emailVerified: boolean }, { uid: string }>()
  let sendBack = (_: AnyEventObject) => {}
  let isWatching = false
  const watchSession = fromCallback<AnyEventObject>((scope) => {
    sendBack = scope.sendBack
    isWatching = true
    return () => {
      isWatching = false
    }
  })
  const actor = createActor(
    bootMachine.provide({
      actors: {
        watchSession,
        signOut: signOut.logic,
        leaveMissingProfile: leaveMissingProfile.logic,
        reloadAccount: reloadAccount.logic,
        ...overrides,
      },
      actions: { reloadApp },
    }),
    { clock },
  ).start()
  stop = () => actor.stop()
  return {
    actor,
    clock,
    reloadApp,
    signOut,
    leaveMissingProfile,
    reloadAccount,
    isWatching: () => isWatching,
    change: (session: Session) => sendBack({ type: 'session.changed', session }),
    send: (type: Exclude<BootEvent['type'], 'session.changed'>) => actor.send({ type }),
    situation: () => situationOf(actor.getSnapshot()),
  }
}

const situationOf = ({ value, context }: { value: unknown; context: BootContext }) => ({ value, ...context })

describe('the start', () => {
  test('waits for the first answer', () => {
    const { actor, situation } = createTestActor()
    expect(situation()).toEqual({ value: 'loading', session: null, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
  })

  test.each<[Session['kind'], Session, unknown]>([
    ['none', none, 'signedOut'],
    ['unverified', held, { unverified: 'awaitingVerification' }],
    ['held', closed, { unverified: 'awaitingVerification' }],
    ['ready', awa, { signedIn: 'usingApp' }],
    ['profileMissing', missing, 'leavingMissingProfile'],
    ['failed', failed, 'authError'],
  ])('ends by the session: %s @spec-boot', (_, session, value) => {
    const { change, situation } = createTestActor()
    change(session)
    expect(situation()).toEqual({ value, session, notice: null })
  })

  test('that hangs ends on the error screen, and no earlier', () => {
    const { clock, situation } = createTestActor()
    clock.increment(19_999)
    expect(situation().value).toBe('loading')
    clock.increment(1)
    expect(situation()).toEqual({ value: 'authError', session: null, notice: null })
  })

  test('that answers after all leaves the error screen', () => {
    const { clock, change, situation } = createTestActor()
    clock.increment(20_000)
    change(awa)
    expect(situation()).toEqual({ value: { signedIn: 'usingApp' }, session: awa, notice: null })
  })

  test('is not cut short once it has answered', () => {
    const { clock, change, situation } = createTestActor()
    change(none)
    clock.increment(MINUTE)
    expect(situation().value).toBe('signedOut')
  })

  test('offers a reload on the error screen only @spec-boot-retry', () => {
    const { change, send, reloadApp } = createTestActor()
    send('start.retry')
    expect(reloadApp).not.toHaveBeenCalled()
    change(failed)
    send('start.retry')
    expect(reloadApp).toHaveBeenCalledOnce()
  })
})

describe('a session that changes', () => {
  const sessions = { none, held, awa, bob, missing, failed }
  const states = {
    none: 'signedOut',
    held: { unverified: 'awaitingVerification' },
    awa: { signedIn: 'usingApp' },
    bob: { signedIn: 'usingApp' },
    missing: 'leavingMissingProfile',
    failed: 'authError',
  }
  type Name = keyof typeof sessions
  const names = Object.keys(sessions) as Name[]
  const notices: Partial<Record<`${Name} ${Name}`, BootContext['notice']>> = {
    'missing none': 'accountNotFound',
  }
  /** The only change that is not followed: bad news about the person who is using the app. */
  const stays: Partial<Record<`${Name} ${Name}`, true>> = { 'awa failed': true }

  test.each(names.flatMap((from) => names.map((to) => [from, to] as const)))('from %s to %s', (from, to) => {
    const { change, situation } = createTestActor()
    change(sessions[from])
    change(sessions[to])
    const now = stays[`${from} ${to}`] ? from : to
    expect(situation()).toEqual({
      value: states[now],
      session: sessions[now],
      notice: notices[`${from} ${to}`] ?? null,
    })
  })

  test('is not told again when it is the same', () => {
    const { actor, change } = createTestActor()
    change(awa)
    const before = actor.getSnapshot().context
    change({ ...awa })
    expect(actor.getSnapshot().context).toBe(before)
  })

  test('brings a new name without leaving the screen, even while signing out', () => {
    const { change, send, signOut, situation } = createTestActor()
    change(awa)
    send('session.signOut')
    const renamed: Session = { ...awa, name: 'Awa B.' }
    change(renamed)
    expect(situation()).toEqual({ value: { signedIn: 'signingOut' }, session: renamed, notice: null })
    expect(signOut.asked).toEqual([{ uid: 'u1' }])
  })

  test('to another person who is let in is followed, while the one before signs out', () => {
    const { change, send, situation } = createTestActor()
    change(awa)
    send('session.signOut')
    change(bob)
    expect(situation()).toEqual({ value: { signedIn: 'usingApp' }, session: bob, notice: null })
  })

  test('does not lose a person to a failure that names nobody', () => {
    const { change, situation } = createTestActor()
    change(awa)
    change({ kind: 'failed', uid: null })
    expect(situation()).toEqual({ value: { signedIn: 'usingApp' }, session: awa, notice: null })
  })

  test('is watched in every state, until the end', () => {
    const { actor, change, isWatching } = createTestActor()
    for (const session of [none, held, awa, missing, failed]) change(session)
    expect(isWatching()).toBe(true)
    actor.stop()
    expect(isWatching()).toBe(false)
  })
})

describe.each([
  ['signed in', awa, { signedIn: 'usingApp' }, { signedIn: 'signingOut' }],
  ['held for verification', held, { unverified: 'awaitingVerification' }, { unverified: 'signingOut' }],
  [
    'held until signed in again',
    closed,
    { unverified: 'awaitingVerification' },
    { unverified: 'signingOut' },
  ],
] as const)('signing out while %s', (_, session, before, during) => {
  const start = () => {
    const started = createTestActor()
    started.change(session)
    started.send('session.signOut')
    return started
  }
  const done = { value: 'signedOut', session: none, notice: 'signedOutSuccess' }

  test('is under way until it is answered', () => {
    const { actor, situation, signOut } = start()
    expect(situation()).toEqual({ value: during, session, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    expect(signOut.asked).toEqual([{ uid: 'u1' }])
  })

  test('succeeds, whether the answer or the session comes first', async () => {
    const answerFirst = start()
    await answerFirst.signOut.answer()
    expect(answerFirst.situation()).toEqual(done)
    answerFirst.change(none)
    expect(answerFirst.situation()).toEqual(done)
    stop()

    const sessionFirst = start()
    sessionFirst.change(none)
    expect(sessionFirst.situation()).toEqual(done)
    await sessionFirst.signOut.answer()
    expect(sessionFirst.situation()).toEqual(done)
  })

  test('fails with a notice, and can be tried again @spec-sign-out-retry', async () => {
    const { signOut, situation, send } = start()
    await signOut.fail()
    expect(situation()).toEqual({ value: before, session, notice: 'signOutFailed' })
    send('session.signOut')
    expect(situation()).toEqual({ value: during, session, notice: null })
  })

  test('ignores a second tap', () => {
    const { send, signOut } = start()
    send('session.signOut')
    expect(signOut.asked).toEqual([{ uid: 'u1' }])
  })
})

describe('somebody who has just signed in', () => {
  const start = () => {
    const started = createTestActor()
    started.change(none)
    started.actor.send({ type: 'account.found' })
    return started
  }

  test('is let in while the answers are awaited', () => {
    const { actor, change, situation } = start()
    expect(situation()).toEqual({ value: 'opening', session: null, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    change(awa)
    expect(situation()).toEqual({ value: { signedIn: 'usingApp' }, session: awa, notice: null })
  })

  test('is back at the sign-in when nobody is signed in after all', () => {
    const { change, situation } = start()
    change(none)
    expect(situation()).toEqual({ value: 'signedOut', session: none, notice: null })
  })

  test('reads after 20 seconds that it did not work, and is let in by an answer that comes later', () => {
    const { change, clock, situation } = start()
    clock.increment(19_999)
    expect(situation().value).toBe('opening')
    clock.increment(1)
    expect(situation().value).toBe('authError')
    change(awa)
    expect(situation().value).toEqual({ signedIn: 'usingApp' })
  })

  test('is not looked for where somebody is in', () => {
    const { actor, change, situation } = createTestActor()
    change(awa)
    actor.send({ type: 'account.found' })
    expect(situation()).toEqual({ value: { signedIn: 'usingApp' }, session: awa, notice: null })
  })
})

describe('verification', () => {
  const start = () => {
    const started = createTestActor()
    started.change(held)
    started.send('verification.recheck')
    return started
  }

  test('is checked again once at a time', () => {
    const { actor, send, reloadAccount, situation } = start()
    send('verification.recheck')
    expect(situation()).toEqual({ value: { unverified: 'rechecking' }, session: held, notice: null })
    expect(actor.getSnapshot().hasTag('busy')).toBe(true)
    expect(reloadAccount.asked).toEqual([{ uid: 'u1' }])
  })

  test('opens the app only by a new session', async () => {
    const { reloadAccount, change, situation } = start()
    await reloadAccount.answer({ emailVerified: true })
    expect(situation()).toEqual({
      value: { unverified: 'awaitingVerification' },
      session: held,
      notice: null,
    })
    change(awa)
    expect(situation()).toEqual({ value: { signedIn: 'usingApp' }, session: awa, notice: null })
  })

  test('tells when nothing has changed', async () => {
    const { reloadAccount, situation } = start()
    await reloadAccount.answer({ emailVerified: false })
    expect(situation()).toEqual({
      value: { unverified: 'awaitingVerification' },
      session: held,
      notice: 'stillUnverified',
    })
  })

  test('tells when it could not be checked', async () => {
    const { reloadAccount, situation } = start()
    await reloadAccount.fail()
    expect(situation()).toEqual({
      value: { unverified: 'awaitingVerification' },
      session: held,
      notice: 'recheckFailed',
    })
  })

  test('can be left while it is checked', () => {
    const { send, situation } = start()
    send('session.signOut')
    expect(situation().value).toEqual({ unverified: 'signingOut' })
  })
})

describe('a missing profile', () => {
  const start = () => {
    const started = createTestActor()
    started.change(missing)
    return started
  }

  test('signs out and says that no account was found @spec-boot-no-profile', async () => {
    const { leaveMissingProfile, situation } = start()
    expect(leaveMissingProfile.asked).toEqual([{ uid: 'u3', phone: '+224620000000' }])
    await leaveMissingProfile.answer()
    expect(situation()).toEqual({ value: 'signedOut', session: none, notice: 'accountNotFound' })
  })

  test('ends on the error screen when that fails', async () => {
    const { leaveMissingProfile, situation } = start()
    await leaveMissingProfile.fail()
    expect(situation()).toEqual({ value: 'authError', session: missing, notice: 'signOutFailed' })
  })

  test('ends on the error screen when that hangs', () => {
    const { clock, situation } = start()
    clock.increment(20_000)
    expect(situation()).toEqual({ value: 'authError', session: missing, notice: null })
  })
})

test('a notice can be dismissed', async () => {
  const { change, send, signOut, situation } = createTestActor()
  change(awa)
  send('session.signOut')
  await signOut.answer()
  send('notice.dismiss')
  expect(situation()).toEqual({ value: 'signedOut', session: none, notice: null })
})

test('every state accepts its own events and ignores the others', () => {
  const own: BootEvent[] = [
    { type: 'session.signOut' },
    { type: 'verification.recheck' },
    { type: 'start.retry' },
    { type: 'account.found' },
  ]
  const accepted = (steps: (started: ReturnType<typeof createTestActor>) => void) => {
    const started = createTestActor()
    steps(started)
    const snapshot = started.actor.getSnapshot()
    stop()
    return own.filter((event) => snapshot.can(event)).map(({ type }) => type)
  }
  expect({
    loading: accepted(() => {}),
    authError: accepted(({ change }) => change(failed)),
    signedOut: accepted(({ change }) => change(none)),
    opening: accepted(({ actor, change }) => {
      change(none)
      actor.send({ type: 'account.found' })
    }),
    awaitingVerification: accepted(({ change }) => change(held)),
    rechecking: accepted(({ change, send }) => {
      change(held)
      send('verification.recheck')
    }),
    usingApp: accepted(({ change }) => change(awa)),
    signingOut: accepted(({ change, send }) => {
      change(awa)
      send('session.signOut')
    }),
    leavingMissingProfile: accepted(({ change }) => change(missing)),
  }).toEqual({
    loading: [],
    authError: ['start.retry'],
    signedOut: ['account.found'],
    opening: [],
    awaitingVerification: ['session.signOut', 'verification.recheck'],
    rechecking: ['session.signOut'],
    usingApp: ['session.signOut'],
    signingOut: [],
    leavingMissingProfile: [],
  })
})

describe('an actor that nobody provided', () => {
  const { implementations } = bootMachine
  const unprovided = (name: keyof typeof implementations.actors) => ({ [name]: implementations.actors[name] })

  test('watchSession: the start ends on the error screen', async () => {
    const { situation } = createTestActor(unprovided('watchSession'))
    await settle()
    expect(situation()).toEqual({ value: 'authError', session: null, notice: null })
  })

  test('signOut: nobody is told to be signed out', async () => {
    const { change, send, situation } = createTestActor(unprovided('signOut'))
    change(awa)
    send('session.signOut')
    await settle()
    expect(situation()).toEqual({ value: { signedIn: 'usingApp' }, session: awa, notice: 'signOutFailed' })
  })

  test('leaveMissingProfile: the error screen', async () => {
    const { change, situation } = createTestActor(unprovided('leaveMissingProfile'))
    change(missing)
    await settle()
    expect(situation()).toEqual({ value: 'authError', session: missing, notice: 'signOutFailed' })
  })

  test('reloadAccount: still held', async () => {
    const { change, send, situation } = createTestActor(unprovided('reloadAccount'))
    change(held)
    send('verification.recheck')
    await settle()
    expect(situation()).toEqual({
      value: { unverified: 'awaitingVerification' },
      session: held,
      notice: 'recheckFailed',
    })
  })
})

test('the context survives being written down', () => {
  const { actor, change } = createTestActor()
  for (const session of [none, held, awa, missing, failed]) {
    change(session)
    const { context } = actor.getSnapshot()
    expect(JSON.parse(JSON.stringify(context))).toEqual(context)
  }
})

test('on every path only an ended session or an answered sign-out signs out', async () => {
  const renamed: Session = { ...awa, name: 'Awa B.' }
  const events: BootEvent[] = [
    ...[none, held, awa, renamed, bob, missing, failed, { kind: 'failed', uid: null } as const].map(
      (session) => ({ type: 'session.changed' as const, session }),
    ),
    { type: 'session.signOut' },
    { type: 'verification.recheck' },
    { type: 'start.retry' },
    { type: 'notice.dismiss' },
    { type: 'account.found' },
  ]
  const kindOf: Record<string, Session['kind'] | undefined> = {
    loading: undefined,
    opening: undefined,
    signedOut: 'none',
    unverified: 'unverified',
    signedIn: 'ready',
    leavingMissingProfile: 'profileMissing',
  }
  const { untaken } = await walk({
    machine: bootMachine.provide({ actions: { reloadApp: () => {} } }),
    input: undefined,
    events: () => events,
    answers: {
      signOut: [undefined],
      leaveMissingProfile: [undefined],
      reloadAccount: [{ emailVerified: true }, { emailVerified: false }],
    },
    invariant: ({ event, before, after, at }) => {
      const [state = ''] = typeof after.value === 'string' ? [after.value] : Object.keys(after.value)
      if (state !== 'authError') expect(after.context.session?.kind, at).toBe(kindOf[state])
      if (state === 'signedOut' && !before.matches('signedOut') && event.session?.kind !== 'none')
        expect(event.type, at).toMatch(/^xstate\.done\..*(signingOut|leavingMissingProfile)$/)
    },
  })
  expect(untaken).toEqual([])
})
