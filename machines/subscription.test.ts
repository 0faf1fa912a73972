import { afterEach, describe, expect, test } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { cancelPlan, EMPTY_SUBSCRIPTION, withBilledPlan } from '../domain/plans.ts'
import { err, ok, type Result } from '../domain/result.ts'
import type { Subscription, Tier } from '../domain/schemas/profile.ts'
import {
  MOST_UNCLEAR_ANSWERS,
  type PlanProblem,
  type SubscriptionContext,
  type SubscriptionEvent,
  type SubscriptionInput,
  subscriptionMachine,
  type VerifyAnswer,
} from './subscription.ts'
import { fakeActor, settle } from './testing/fakeActor.ts'
import { walk } from './testing/walk.ts'

const at = Date.UTC(2026, 10, 20)
const HALF_DAY = 43_200_000
const premium: Subscription = withBilledPlan(
  EMPTY_SUBSCRIPTION,
  { stripeSubscriptionId: 'sub_1', tier: 'premium', startedAt: at, endsAt: null, renewalFailed: false },
  at,
)
const canceled = cancelPlan(premium, at + HALF_DAY)
const active: VerifyAnswer = { outcome: 'active', subscription: premium }
const url = 'https://checkout.example/cs_1'

let stop = () => {}
afterEach(() => stop())

function createTestActor(
  input: Partial<SubscriptionInput> = {},
  overrides: Parameters<typeof subscriptionMachine.provide>[0]['actors'] = {},
) {
  const clock = new SimulatedClock()
  const startCheckout = fakeActor<
    Result<{ readonly url: string }, PlanProblem>,
    { uid: string; tier: Tier }
  >()
  const startCardChange = fakeActor<
    Result<{ readonly url: string }, PlanProblem>,
    { uid: string; subscriptionId: string }
  >()
  const leaveFor = fakeActor<void, { url: string }>()
  const verify = fakeActor<Result<VerifyAnswer, PlanProblem>, { uid: string; sessionId: string }>()
  const cancel = fakeActor<Result<Subscription, PlanProblem>, { uid: string; subscriptionId: string }>()
  const refresh = fakeActor<Subscription, { uid: string }>()
  const actor = createActor(
    subscriptionMachine.provide({
      actors: {
        startCheckout: startCheckout.logic,
        startCardChange: startCardChange.logic,
        leaveFor: leaveFor.logic,
        verify: verify.logic,
        cancel: cancel.logic,
        refresh: refresh.logic,
        ...overrides,
      },
    }),
    {
      clock,
      input: { uid: 'u1', subscription: EMPTY_SUBSCRIPTION, sessionId: null, isOnline: true, at, ...input },
    },
  ).start()
  stop = () => actor.stop()
  return {
    actor,
    clock,
    startCheckout,
    startCardChange,
    leaveFor,
    verify,
    cancel,
    refresh,
    send: actor.send,
    situation() {
      const { value, context } = actor.getSnapshot()
      return { value, ...context }
    },
  }
}
type Started = ReturnType<typeof createTestActor>

const idle: SubscriptionContext = {
  uid: 'u1',
  subscription: EMPTY_SUBSCRIPTION,
  sessionId: null,
  isOnline: true,
  at,
  tier: null,
  url: null,
  unclearAnswers: 0,
  problem: null,
  notice: null,
}

test('to the checkout, back from it, and out of the plan again @spec-plan-flow', async () => {
  const leaving = createTestActor()
  expect(leaving.situation()).toEqual({ ...idle, value: 'none' })
  leaving.send({ type: 'plan.choose', tier: 'premium' })
  expect(leaving.situation()).toEqual({ ...idle, value: 'startingCheckout', tier: 'premium' })
  expect(leaving.startCheckout.asked).toEqual([{ uid: 'u1', tier: 'premium' }])
  await leaving.startCheckout.answer(ok({ url }))
  expect(leaving.situation()).toEqual({ ...idle, value: 'leaving', tier: 'premium', url })
  expect(leaving.leaveFor.asked).toEqual([{ url }])
  stop()

  const { cancel, clock, send, situation, verify } = createTestActor({ sessionId: 'cs_1' })
  expect(situation()).toEqual({ ...idle, value: { verifying: 'asking' }, sessionId: 'cs_1' })
  expect(verify.asked).toEqual([{ uid: 'u1', sessionId: 'cs_1' }])
  await verify.answer(ok(active))
  const started = { ...idle, subscription: premium, notice: 'started' }
  expect(situation()).toEqual({ ...started, value: { active: 'idle' } })

  send({ type: 'cancel.ask' })
  expect(situation()).toEqual({ ...started, value: { active: 'confirmingCancel' }, notice: null })
  send({ type: 'cancel.confirm' })
  expect(cancel.asked).toEqual([{ uid: 'u1', subscriptionId: 'sub_1' }])
  await cancel.answer(ok(canceled))
  expect(situation()).toEqual({ ...idle, value: 'canceled', subscription: canceled, notice: 'canceled' })
  clock.increment(HALF_DAY - 1)
  expect(situation().value).toBe('canceled')
  clock.increment(1)
  expect(situation()).toMatchObject({ value: 'none', at: at + HALF_DAY })
})

describe('what is stored decides where a person is', () => {
  test.each<[string, Subscription, unknown]>([
    ['no plan', EMPTY_SUBSCRIPTION, 'none'],
    ['a plan', premium, { active: 'idle' }],
    ['a plan that could not be renewed', { ...premium, renewalFailed: true }, { active: 'idle' }],
    ['a plan that is to end', canceled, 'canceled'],
    ['a plan that has ended', cancelPlan(premium, at), 'none'],
  ])('%s', (_, subscription, value) => {
    expect(createTestActor({ subscription }).situation()).toEqual({ ...idle, value, subscription })
    stop()
    const { send, situation } = createTestActor()
    send({ type: 'plan.changed', subscription, at })
    expect(situation()).toEqual({ ...idle, value, subscription })
  })

  test('a plan that ends in some weeks is looked at each day', () => {
    const cancelAt = at + 30 * 2 * HALF_DAY
    const { clock, situation } = createTestActor({ subscription: cancelPlan(premium, cancelAt) })
    for (let day = 0; day < 29; day += 1) clock.increment(2 * HALF_DAY)
    expect(situation()).toMatchObject({ value: 'canceled' })
    clock.increment(2 * HALF_DAY)
    expect(situation()).toMatchObject({ value: 'none', at: cancelAt })
  })
})

describe('starting the checkout', () => {
  const begun = async () => {
    const started = createTestActor()
    started.send({ type: 'plan.choose', tier: 'basic' })
    return started
  }

  test.each<[PlanProblem['kind'], isBehind: boolean]>([
    ['signInRequired', false],
    ['noCheckoutUrl', false],
    ['createFailed', false],
    ['emailUnverified', false],
    ['planActive', true],
  ])('is refused: %s', async (kind, isBehind) => {
    const { refresh, send, startCheckout, situation } = await begun()
    const problem = { kind } as PlanProblem
    await startCheckout.answer(err(problem))
    expect(situation()).toEqual({ ...idle, value: isBehind ? 'refreshing' : 'none', problem })
    // The network does not take away what the server has said.
    send({ type: 'network.back' })
    expect(situation().problem).toEqual(problem)
    if (!isBehind) return
    expect(refresh.asked).toEqual([{ uid: 'u1' }])
    await refresh.answer(premium)
    expect(situation()).toEqual({ ...idle, value: { active: 'idle' }, subscription: premium, problem })
  })

  test.each([
    ['has no answer', ({ startCheckout }: Started) => startCheckout.fail()],
    ['takes too long', async ({ clock }: Started) => clock.increment(30_000)],
  ])('%s', async (_, happen) => {
    const started = await begun()
    await happen(started)
    expect(started.situation()).toEqual({ ...idle, value: 'none', problem: { kind: 'createFailed' } })
  })

  test('waits for a network, and says so', () => {
    const { send, situation, startCheckout } = createTestActor({ isOnline: false })
    send({ type: 'plan.choose', tier: 'basic' })
    expect(situation()).toEqual({ ...idle, value: 'none', isOnline: false, problem: { kind: 'offline' } })
    send({ type: 'network.back' })
    expect(situation()).toEqual({ ...idle, value: 'none' })
    expect(startCheckout.asked).toEqual([])
  })

  test.each<[string, (started: Started) => unknown]>([
    ['came back by the back button', ({ send }) => send({ type: 'page.shown' })],
    ['is still here', ({ clock }) => clock.increment(30_000)],
  ])('a person who %s is offered the plans again, as they are now', async (_, happen) => {
    const started = await begun()
    await started.startCheckout.answer(ok({ url }))
    happen(started)
    expect(started.situation()).toEqual({ ...idle, value: 'refreshing' })
    await started.refresh.answer(EMPTY_SUBSCRIPTION)
    expect(started.situation()).toEqual({ ...idle, value: 'none' })
  })
})

describe('another card', () => {
  const failing: Subscription = { ...premium, renewalFailed: true }
  const asked = () => {
    const started = createTestActor({ subscription: failing })
    started.send({ type: 'card.change' })
    return started
  }

  test('leads to the provider’s page, and back to a plan that is paid', async () => {
    const { leaveFor, situation, startCardChange } = asked()
    expect(startCardChange.asked).toEqual([{ uid: 'u1', subscriptionId: 'sub_1' }])
    await startCardChange.answer(ok({ url }))
    expect(situation()).toEqual({ ...idle, value: 'leaving', subscription: failing, url })
    expect(leaveFor.asked).toEqual([{ url }])
    await leaveFor.fail()
    const problem = { kind: 'cardChangeFailed' }
    expect(situation()).toEqual({ ...idle, value: { active: 'idle' }, subscription: failing, problem })
  })

  test.each<[string, PlanProblem['kind'], (started: Started) => unknown]>([
    ['has no answer', 'cardChangeFailed', ({ startCardChange }) => startCardChange.fail()],
    ['takes too long', 'cardChangeFailed', ({ clock }) => clock.increment(30_000)],
    [
      'is refused',
      'signInRequired',
      ({ startCardChange }) => startCardChange.answer(err({ kind: 'signInRequired' })),
    ],
  ])('%s: the plan stays, and it is said', async (_, kind, happen) => {
    const started = asked()
    await happen(started)
    const stays = { ...idle, value: { active: 'idle' }, subscription: failing }
    expect(started.situation()).toEqual({ ...stays, problem: { kind } })
  })

  test('of a plan that has ended meanwhile: looks at how it is now', async () => {
    const { refresh, situation, startCardChange } = asked()
    await startCardChange.answer(err({ kind: 'planNotFound' }))
    expect(situation().value).toBe('refreshing')
    await refresh.answer(EMPTY_SUBSCRIPTION)
    expect(situation()).toMatchObject({ value: 'none', problem: { kind: 'planNotFound' } })
  })

  test('that the bank refused too is said after the way back', async () => {
    const { refresh, situation, verify } = createTestActor({ subscription: failing, sessionId: 'cs_1' })
    await verify.answer(err({ kind: 'cardDeclined' }))
    await refresh.answer(failing)
    const problem = { kind: 'cardDeclined' }
    expect(situation()).toEqual({ ...idle, value: { active: 'idle' }, subscription: failing, problem })
  })

  test('waits for a network', () => {
    const { send, situation, startCardChange } = createTestActor({ subscription: failing, isOnline: false })
    send({ type: 'card.change' })
    expect(situation()).toMatchObject({ value: { active: 'idle' }, problem: { kind: 'offline' } })
    expect(startCardChange.asked).toEqual([])
  })
})

describe('verifying', () => {
  const unclear = { kind: 'verifyUnclear' }

  test.each([
    ['not paid yet', ({ verify }: Started) => verify.answer(ok({ outcome: 'open' }))],
    ['no answer', ({ verify }: Started) => verify.fail()],
    ['an answer that does not come', async ({ clock }: Started) => clock.increment(30_000)],
  ])('%s: asks again, less and less often, and then leaves it to the person', async (_, happen) => {
    const started = createTestActor({ sessionId: 'cs_1' })
    const { clock, send, situation, verify } = started
    for (let answer = 1; answer < MOST_UNCLEAR_ANSWERS; answer += 1) {
      await happen(started)
      expect(situation()).toEqual({
        ...idle,
        value: { verifying: 'waiting' },
        sessionId: 'cs_1',
        unclearAnswers: answer,
        problem: unclear,
      })
      clock.increment(1000 * 2 ** answer - 1)
      expect(verify.asked).toHaveLength(answer)
      clock.increment(1)
      expect(verify.asked).toHaveLength(answer + 1)
    }
    await happen(started)
    expect(situation()).toMatchObject({ value: { verifying: 'unclear' }, problem: unclear })
    send({ type: 'verification.ask' })
    expect(situation()).toMatchObject({ value: { verifying: 'asking' }, unclearAnswers: 0 })
    await verify.answer(ok(active))
    expect(situation()).toEqual({
      ...idle,
      value: { active: 'idle' },
      subscription: premium,
      notice: 'started',
    })
  })

  test.each<[string, Result<VerifyAnswer, PlanProblem>, PlanProblem]>([
    ['over', ok({ outcome: 'over' }), { kind: 'verifyFailed' }],
    ['of somebody else', err({ kind: 'verifyFailed' }), { kind: 'verifyFailed' }],
    ['asked about by nobody', err({ kind: 'signInRequired' }), { kind: 'signInRequired' }],
  ])('a checkout that is %s is not asked about again', async (_, answer, problem) => {
    const { refresh, situation, verify } = createTestActor({ sessionId: 'cs_1' })
    await verify.answer(answer)
    expect(situation()).toEqual({ ...idle, value: 'refreshing', problem })
    await refresh.fail()
    expect(situation()).toEqual({ ...idle, value: 'none', problem })
  })

  test('goes on at once when the network is back', async () => {
    const { send, situation, verify } = createTestActor({ sessionId: 'cs_1', isOnline: false })
    await verify.fail()
    send({ type: 'network.back' })
    expect(situation()).toMatchObject({ value: { verifying: 'asking' }, isOnline: true })
  })

  test('can be left: the plan appears when the server knows', async () => {
    const { refresh, send, situation, verify } = createTestActor({ sessionId: 'cs_1' })
    await verify.fail()
    send({ type: 'verification.leave' })
    expect(situation()).toEqual({ ...idle, value: 'refreshing' })
    await refresh.answer(premium)
    expect(situation()).toEqual({ ...idle, value: { active: 'idle' }, subscription: premium })
  })
})

describe('canceling', () => {
  const asked = () => {
    const started = createTestActor({ subscription: premium })
    started.send({ type: 'cancel.ask' })
    return started
  }

  test('is asked for twice, and news of the plan do not close the question', () => {
    const { cancel, send, situation } = asked()
    send({ type: 'plan.changed', subscription: { ...premium, transactionsLeft: 1 }, at })
    expect(situation().value).toEqual({ active: 'confirmingCancel' })
    send({ type: 'cancel.keep' })
    expect(situation().value).toEqual({ active: 'idle' })
    expect(cancel.asked).toEqual([])
  })

  test.each<[string, Partial<Subscription>, object | string]>([
    ['was canceled elsewhere', { status: 'canceled', cancelAt: at + 1 }, 'canceled'],
    ['is another one by now', { stripeSubscriptionId: 'sub_2' }, { active: 'idle' }],
  ])('is no longer asked about a plan that %s', (_, change, value) => {
    const { send, situation } = asked()
    send({ type: 'plan.changed', subscription: { ...premium, ...change }, at })
    expect(situation().value).toEqual(value)
  })

  test('is no longer asked about a plan that has ended meanwhile', () => {
    const { send, situation } = asked()
    send({ type: 'plan.changed', subscription: EMPTY_SUBSCRIPTION, at })
    expect(situation()).toEqual({ ...idle, value: 'none' })
  })

  test.each<[PlanProblem['kind'], (started: Started) => Promise<unknown>]>([
    ['planNotFound', ({ cancel }) => cancel.answer(err({ kind: 'planNotFound' }))],
    ['updateFailed', ({ cancel }) => cancel.fail()],
    ['updateFailed', async ({ clock }) => clock.increment(30_000)],
  ])('fails with %s: looks at how it is now', async (kind, happen) => {
    const started = asked()
    started.send({ type: 'cancel.confirm' })
    await happen(started)
    expect(started.situation()).toMatchObject({ value: 'refreshing', problem: { kind } })
    await started.refresh.answer(canceled)
    expect(started.situation()).toMatchObject({ value: 'canceled', problem: { kind } })
  })

  const unclear = { kind: 'updateUnclear' }
  /** Of the plan nothing is heard, neither that it was canceled nor how it is now. */
  const unheard = async () => {
    const started = asked()
    started.send({ type: 'cancel.confirm' })
    await started.cancel.fail()
    await started.refresh.fail()
    return started
  }

  test.each<
    [
      string,
      answered: (started: Started) => Promise<unknown>,
      refreshed: (started: Started) => Promise<unknown>,
    ]
  >([
    ['no answer', ({ cancel }) => cancel.fail(), ({ refresh }) => refresh.fail()],
    [
      'an answer that does not come',
      async ({ clock }) => clock.increment(30_000),
      async ({ clock }) => clock.increment(30_000),
    ],
    [
      'a plan that the server does not find',
      ({ cancel }) => cancel.answer(err({ kind: 'planNotFound' })),
      ({ refresh }) => refresh.fail(),
    ],
  ])('%s, and no look at how it is now: does not say that it knows', async (_, answered, refreshed) => {
    const started = asked()
    started.send({ type: 'cancel.confirm' })
    await answered(started)
    expect(started.situation().value).toBe('refreshing')
    await refreshed(started)
    expect(started.situation()).toMatchObject({ value: { active: 'idle' }, problem: unclear })
  })

  test('is unclear until another status is heard of', async () => {
    const { send, situation } = await unheard()
    send({ type: 'plan.changed', subscription: { ...premium, transactionsLeft: 1 }, at })
    expect(situation()).toMatchObject({ value: { active: 'idle' }, problem: unclear })
    send({ type: 'plan.changed', subscription: canceled, at })
    expect(situation()).toMatchObject({ value: 'canceled', problem: null })
  })

  test('that was refused stays told when the plan ends', async () => {
    const { cancel, refresh, send, situation } = asked()
    send({ type: 'cancel.confirm' })
    await cancel.fail()
    await refresh.answer(premium)
    send({ type: 'plan.changed', subscription: canceled, at })
    expect(situation()).toMatchObject({ value: 'canceled', problem: { kind: 'updateFailed' } })
  })

  test('is refused to a session that is over', async () => {
    const { cancel, send, situation } = asked()
    send({ type: 'cancel.confirm' })
    await cancel.answer(err({ kind: 'signInRequired' }))
    expect(situation()).toMatchObject({ value: { active: 'idle' }, problem: { kind: 'signInRequired' } })
  })

  test('waits for a network', () => {
    const { send, situation } = createTestActor({ subscription: premium, isOnline: false })
    send({ type: 'cancel.ask' })
    expect(situation()).toMatchObject({ value: { active: 'idle' }, problem: { kind: 'offline' } })
  })
})

describe('an actor that nobody provided', () => {
  const { actors } = subscriptionMachine.implementations

  test.each<[keyof typeof actors, PlanProblem['kind']]>([
    ['startCheckout', 'createFailed'],
    ['startCardChange', 'cardChangeFailed'],
    ['leaveFor', 'createFailed'],
    ['verify', 'verifyUnclear'],
    ['cancel', 'updateFailed'],
  ])('%s: no success', async (name, kind) => {
    const started = createTestActor(
      {
        sessionId: name === 'verify' ? 'cs_1' : null,
        subscription: name === 'cancel' || name === 'startCardChange' ? premium : EMPTY_SUBSCRIPTION,
      },
      { [name]: actors[name] },
    )
    if (name === 'startCardChange') started.send({ type: 'card.change' })
    started.send({ type: 'plan.choose', tier: 'basic' })
    await started.startCheckout.answer(ok({ url }))
    if (name === 'cancel') started.send({ type: 'cancel.ask' })
    started.send({ type: 'cancel.confirm' })
    await settle()
    expect(started.situation()).toMatchObject({ problem: { kind }, notice: null })
  })
})

test('on every path only the server makes a plan, and no checkout is forgotten before its outcome is known', async () => {
  const refusals: PlanProblem[] = [{ kind: 'planActive' }, { kind: 'signInRequired' }]
  const { paths, untaken } = await walk({
    machine: subscriptionMachine,
    input: { uid: 'u1', subscription: EMPTY_SUBSCRIPTION, sessionId: 'cs_1', isOnline: true, at },
    events: (snapshot) => {
      const events: SubscriptionEvent[] = [
        { type: 'plan.choose', tier: 'basic' },
        { type: 'card.change' },
        { type: 'cancel.ask' },
        { type: 'cancel.keep' },
        { type: 'cancel.confirm' },
        { type: 'verification.ask' },
        { type: 'verification.leave' },
        ...[EMPTY_SUBSCRIPTION, premium, canceled].map((subscription) => ({
          type: 'plan.changed' as const,
          subscription,
          at,
        })),
        { type: 'page.shown' },
        { type: 'problem.dismiss' },
        { type: 'network.lost' },
        { type: 'network.back' },
      ]
      return events.filter((event) => snapshot.can(event))
    },
    answers: {
      startCheckout: [ok({ url }), ...refusals.map(err)],
      startCardChange: [ok({ url }), err({ kind: 'planNotFound' }), err({ kind: 'signInRequired' })],
      leaveFor: [undefined],
      verify: [ok(active), ok({ outcome: 'open' }), ok({ outcome: 'over' }), err({ kind: 'verifyFailed' })],
      cancel: [ok(canceled), err({ kind: 'planNotFound' }), err({ kind: 'signInRequired' })],
      refresh: [EMPTY_SUBSCRIPTION, premium, canceled],
    },
    blur: ({ problem, notice, ...context }) => ({
      ...context,
      isTold: [problem?.kind === 'offline', notice !== null],
    }),
    invariant: ({ event, before, after, asked, at: path }) => {
      const { context } = after
      if (context.subscription !== before.context.subscription)
        expect(event.type === 'plan.changed' || 'output' in event, path).toBe(true)
      if (context.notice === 'started' && before.context.notice === null)
        expect(event.output, path).toEqual(ok(active))
      if (context.notice === 'canceled' && before.context.notice !== 'canceled')
        expect(event.output, path).toEqual(ok(canceled))
      if (before.context.sessionId !== null && context.sessionId === null) {
        expect(event.type === 'verification.leave' || 'output' in event, path).toBe(true)
        expect(event.output, path).not.toEqual(ok({ outcome: 'open' }))
      }
      if (after.matches('canceling'))
        expect(asked.at(-1), path).toMatchObject({ src: 'cancel', input: { subscriptionId: 'sub_1' } })
      if (after.matches('leaving')) expect(asked.at(-1), path).toEqual({ src: 'leaveFor', input: { url } })
      expect(Object.keys(after.children), path).toHaveLength(after.hasTag('busy') ? 1 : 0)
    },
  })
  expect(untaken).toEqual([])
  expect(paths).toBeGreaterThan(200)
})
