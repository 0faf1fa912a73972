import { afterEach, describe, expect, test } from 'vitest'
import type { Subscription } from '../domain/account/profileSchema.ts'
import { err, ok, type Result } from '../domain/common/result.ts'
import { cancelPlan, EMPTY_SUBSCRIPTION } from '../domain/prices/plans.ts'
import {
  MAX_AUTOMATIC_CHECKS,
  type PlanProblem,
  type SubscriptionEvent,
  subscriptionMachine,
  type VerifyAnswer,
} from './subscription.ts'
import { flushQueue } from './testing/fakeActor.ts'
import {
  activeAnswer,
  arrange,
  canceledSubscription,
  checkoutUrl,
  createTestActor,
  HALF_DAY,
  initialContext,
  now,
  premiumSubscription,
  renewalFailedSubscription,
  type StartedActor,
  stopTestActor,
  unconfirmedSubscription,
} from './testing/subscriptionSituations.ts'
import { walk } from './testing/walk.ts'

afterEach(stopTestActor)

test('a user subscribes, returns to an active plan, and cancels it @spec-plan-flow', async () => {
  const leaving = createTestActor()
  expect(leaving.situation()).toEqual({ ...initialContext, value: 'none' })
  leaving.send({ type: 'plan.choose', tier: 'premium' })
  expect(leaving.situation()).toEqual({ ...initialContext, value: 'startingCheckout', tier: 'premium' })
  expect(leaving.startCheckout.asked).toEqual([{ uid: 'u1', tier: 'premium' }])
  await leaving.startCheckout.answer(ok({ url: checkoutUrl }))
  expect(leaving.situation()).toEqual({
    ...initialContext,
    value: 'leaving',
    tier: 'premium',
    url: checkoutUrl,
  })
  expect(leaving.leaveFor.asked).toEqual([{ url: checkoutUrl }])
  stopTestActor()

  const { cancel, clock, send, situation, verify } = createTestActor({ sessionId: 'cs_1' })
  expect(situation()).toEqual({ ...initialContext, value: { verifying: 'asking' }, sessionId: 'cs_1' })
  expect(verify.asked).toEqual([{ uid: 'u1', sessionId: 'cs_1' }])
  await verify.answer(ok(activeAnswer))
  const started = { ...initialContext, subscription: premiumSubscription, notice: 'started' }
  expect(situation()).toEqual({ ...started, value: { active: 'idle' } })

  send({ type: 'cancel.request' })
  expect(situation()).toEqual({ ...started, value: { active: 'confirmingCancel' }, notice: null })
  send({ type: 'cancel.confirm' })
  expect(cancel.asked).toEqual([{ uid: 'u1', subscriptionId: 'sub_1' }])
  await cancel.answer(ok(canceledSubscription))
  expect(situation()).toEqual({
    ...initialContext,
    value: 'canceled',
    subscription: canceledSubscription,
    notice: 'canceled',
  })
  clock.increment(HALF_DAY - 1)
  expect(situation().value).toBe('canceled')
  clock.increment(1)
  expect(situation()).toMatchObject({ value: 'none', at: now + HALF_DAY })
})

describe('the stored subscription', () => {
  test.each<[string, Subscription, unknown]>([
    ['no plan', EMPTY_SUBSCRIPTION, 'none'],
    ['a plan', premiumSubscription, { active: 'idle' }],
    ['a plan that could not be renewed', { ...premiumSubscription, renewalFailed: true }, { active: 'idle' }],
    ['a canceled plan that has not ended yet', canceledSubscription, 'canceled'],
    ['a plan that has ended', cancelPlan(premiumSubscription, now), 'none'],
  ])('the stored subscription determines the state of the machine: %s', (_, subscription, value) => {
    expect(createTestActor({ subscription }).situation()).toEqual({ ...initialContext, value, subscription })
    stopTestActor()
    const { send, situation } = createTestActor()
    send({ type: 'plan.changed', subscription, at: now })
    expect(situation()).toEqual({ ...initialContext, value, subscription })
  })

  test('a canceled plan is checked daily until it ends, even weeks later', () => {
    const cancelAt = now + 30 * 2 * HALF_DAY
    const { clock, situation } = createTestActor({ subscription: cancelPlan(premiumSubscription, cancelAt) })
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
    ['unauthenticated', false],
    ['noCheckoutUrl', false],
    ['createFailed', false],
    ['emailUnverified', false],
    ['planActive', true],
  ])('a refused checkout shows the problem %s', async (kind, isBehind) => {
    const { refresh, send, startCheckout, situation } = await begun()
    const problem = { kind } as PlanProblem
    await startCheckout.answer(err(problem))
    expect(situation()).toEqual({ ...initialContext, value: isBehind ? 'refreshing' : 'none', problem })
    // The return of the network does not clear the server's answer.
    send({ type: 'network.restored' })
    expect(situation().problem).toEqual(problem)
    if (!isBehind) return
    expect(refresh.asked).toEqual([{ uid: 'u1' }])
    await refresh.answer(premiumSubscription)
    expect(situation()).toEqual({
      ...initialContext,
      value: { active: 'idle' },
      subscription: premiumSubscription,
      problem,
    })
  })

  test.each([
    ['has no answer', ({ startCheckout }: StartedActor) => startCheckout.fail()],
    ['takes too long', async ({ clock }: StartedActor) => clock.increment(30_000)],
  ])('the user sees a problem if the request for a checkout %s', async (_, happen) => {
    const started = await begun()
    await happen(started)
    expect(started.situation()).toEqual({
      ...initialContext,
      value: 'none',
      problem: { kind: 'createFailed' },
    })
  })

  test('choosing a plan offline shows a problem and starts no checkout', () => {
    const { send, situation, startCheckout } = createTestActor({ isOnline: false })
    send({ type: 'plan.choose', tier: 'basic' })
    expect(situation()).toEqual({
      ...initialContext,
      value: 'none',
      isOnline: false,
      problem: { kind: 'offline' },
    })
    send({ type: 'network.restored' })
    expect(situation()).toEqual({ ...initialContext, value: 'none' })
    expect(startCheckout.asked).toEqual([])
  })

  test.each<[string, (started: StartedActor) => unknown]>([
    ['returns with the back button', ({ send }) => send({ type: 'page.shown' })],
    ['is still on the page after 30 seconds', ({ clock }) => clock.increment(30_000)],
  ])('the plans are offered again to a user who %s', async (_, happen) => {
    const started = await begun()
    await started.startCheckout.answer(ok({ url: checkoutUrl }))
    happen(started)
    expect(started.situation()).toEqual({ ...initialContext, value: 'refreshing' })
    await started.refresh.answer(EMPTY_SUBSCRIPTION)
    expect(started.situation()).toEqual({ ...initialContext, value: 'none' })
  })
})

describe('changing the card', () => {
  const requestCardChange = () => {
    const started = createTestActor({ subscription: renewalFailedSubscription })
    started.send({ type: 'card.change' })
    return started
  }

  test('changing the card opens the provider’s page, or shows a problem', async () => {
    const { leaveFor, situation, startCardChange } = requestCardChange()
    expect(startCardChange.asked).toEqual([{ uid: 'u1', subscriptionId: 'sub_1' }])
    await startCardChange.answer(ok({ url: checkoutUrl }))
    expect(situation()).toEqual({
      ...initialContext,
      value: 'leaving',
      subscription: renewalFailedSubscription,
      url: checkoutUrl,
    })
    expect(leaveFor.asked).toEqual([{ url: checkoutUrl }])
    await leaveFor.fail()
    const problem = { kind: 'cardChangeFailed' }
    expect(situation()).toEqual({
      ...initialContext,
      value: { active: 'idle' },
      subscription: renewalFailedSubscription,
      problem,
    })
  })

  test.each<[string, PlanProblem['kind'], (started: StartedActor) => unknown]>([
    ['has no answer', 'cardChangeFailed', ({ startCardChange }) => startCardChange.fail()],
    ['takes too long', 'cardChangeFailed', ({ clock }) => clock.increment(30_000)],
    [
      'is refused',
      'unauthenticated',
      ({ startCardChange }) => startCardChange.answer(err({ kind: 'unauthenticated' })),
    ],
  ])('the plan stays, with a problem, if changing the card %s', async (_, kind, happen) => {
    const started = requestCardChange()
    await happen(started)
    const stays = { ...initialContext, value: { active: 'idle' }, subscription: renewalFailedSubscription }
    expect(started.situation()).toEqual({ ...stays, problem: { kind } })
  })

  test('changing the card of a plan that has ended refreshes the plan', async () => {
    const { refresh, situation, startCardChange } = requestCardChange()
    await startCardChange.answer(err({ kind: 'planNotFound' }))
    expect(situation().value).toBe('refreshing')
    await refresh.answer(EMPTY_SUBSCRIPTION)
    expect(situation()).toMatchObject({ value: 'none', problem: { kind: 'planNotFound' } })
  })

  test('a user returning from the card change sees the bank’s refusal', async () => {
    const { refresh, situation, verify } = createTestActor({
      subscription: renewalFailedSubscription,
      sessionId: 'cs_1',
    })
    await verify.answer(err({ kind: 'cardDeclined' }))
    await refresh.answer(renewalFailedSubscription)
    const problem = { kind: 'cardDeclined' }
    expect(situation()).toEqual({
      ...initialContext,
      value: { active: 'idle' },
      subscription: renewalFailedSubscription,
      problem,
    })
  })

  test('changing the card offline shows a problem, and requests nothing', () => {
    const { send, situation, startCardChange } = createTestActor({
      subscription: renewalFailedSubscription,
      isOnline: false,
    })
    send({ type: 'card.change' })
    expect(situation()).toMatchObject({ value: { active: 'idle' }, problem: { kind: 'offline' } })
    expect(startCardChange.asked).toEqual([])
  })
})

describe('a renewal that the bank wants confirmed', () => {
  test('an unconfirmed new card keeps the plan and shows the problem', async () => {
    const { situation } = await arrange.cardUnconfirmed()
    expect(situation()).toEqual({
      ...initialContext,
      value: { active: 'idle' },
      subscription: unconfirmedSubscription,
      problem: { kind: 'cardUnconfirmed' },
    })
  })

  test.each<[string, Subscription, object]>([
    ['is paid, and the user learns that', premiumSubscription, { notice: 'started' }],
    ['fails, and only the plan says so', renewalFailedSubscription, {}],
  ])('the question ends once the confirmation %s', async (_, subscription, shown) => {
    const { send, situation } = await arrange.cardUnconfirmed()
    send({ type: 'plan.changed', subscription: unconfirmedSubscription, at: now })
    expect(situation().problem).toEqual({ kind: 'cardUnconfirmed' })
    send({ type: 'plan.changed', subscription, at: now })
    expect(situation()).toEqual({ ...initialContext, value: { active: 'idle' }, subscription, ...shown })
  })
})

describe('verifying a checkout', () => {
  const unclear = { kind: 'verifyUnclear' }

  test.each([
    ['the answer that it is unpaid', ({ verify }: StartedActor) => verify.answer(ok({ outcome: 'open' }))],
    ['no answer', ({ verify }: StartedActor) => verify.fail()],
    ['no answer within 30 seconds', async ({ clock }: StartedActor) => clock.increment(30_000)],
  ])('after %s, verification repeats at growing intervals, then on request', async (_, happen) => {
    const started = createTestActor({ sessionId: 'cs_1' })
    const { clock, send, situation, verify } = started
    for (let answer = 1; answer < MAX_AUTOMATIC_CHECKS; answer += 1) {
      await happen(started)
      expect(situation()).toEqual({
        ...initialContext,
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
    send({ type: 'verification.check' })
    expect(situation()).toMatchObject({ value: { verifying: 'asking' }, unclearAnswers: 0 })
    await verify.answer(ok(activeAnswer))
    expect(situation()).toEqual({
      ...initialContext,
      value: { active: 'idle' },
      subscription: premiumSubscription,
      notice: 'started',
    })
  })

  test.each<[string, Result<VerifyAnswer, PlanProblem>, PlanProblem]>([
    ['that is over', ok({ outcome: 'over' }), { kind: 'verifyFailed' }],
    ['of another user', err({ kind: 'verifyFailed' }), { kind: 'verifyFailed' }],
    ['if the user must sign in again', err({ kind: 'unauthenticated' }), { kind: 'unauthenticated' }],
  ])('the server is not asked again about a checkout %s', async (_, answer, problem) => {
    const { refresh, situation, verify } = createTestActor({ sessionId: 'cs_1' })
    await verify.answer(answer)
    expect(situation()).toEqual({ ...initialContext, value: 'refreshing', problem })
    await refresh.fail()
    expect(situation()).toEqual({ ...initialContext, value: 'none', problem })
  })

  test('the network’s return verifies a checkout at once', async () => {
    const { send, situation, verify } = createTestActor({ sessionId: 'cs_1', isOnline: false })
    await verify.fail()
    send({ type: 'network.restored' })
    expect(situation()).toMatchObject({ value: { verifying: 'asking' }, isOnline: true })
  })

  test.each<[string, SubscriptionEvent]>([
    ['waits', { type: 'page.shown' }],
    ['asks', { type: 'verification.check' }],
  ])('a plan that begins while the app %s ends the verification', async (_, event) => {
    const { send, situation } = await arrange.waiting()
    send(event)
    send({ type: 'plan.changed', subscription: EMPTY_SUBSCRIPTION, at: now })
    expect(situation()).toMatchObject({ sessionId: 'cs_1', problem: unclear })
    send({ type: 'plan.changed', subscription: premiumSubscription, at: now })
    expect(situation()).toEqual({
      ...initialContext,
      value: { active: 'idle' },
      subscription: premiumSubscription,
      notice: 'started',
    })
  })

  test('an update of the plan whose card changes leaves the verification open', () => {
    const { send, situation } = createTestActor({
      subscription: renewalFailedSubscription,
      sessionId: 'cs_1',
    })
    send({ type: 'plan.changed', subscription: renewalFailedSubscription, at: now })
    expect(situation()).toMatchObject({ value: { verifying: 'asking' }, sessionId: 'cs_1', notice: null })
  })

  test('a plan left during verification appears once the server knows it', async () => {
    const { refresh, send, situation, verify } = createTestActor({ sessionId: 'cs_1' })
    await verify.fail()
    send({ type: 'verification.leave' })
    expect(situation()).toEqual({ ...initialContext, value: 'refreshing' })
    await refresh.answer(premiumSubscription)
    expect(situation()).toEqual({
      ...initialContext,
      value: { active: 'idle' },
      subscription: premiumSubscription,
    })
  })
})

describe('canceling a plan', () => {
  const requestCancel = () => {
    const started = createTestActor({ subscription: premiumSubscription })
    started.send({ type: 'cancel.request' })
    return started
  }

  test('canceling a plan asks, and the question survives plan updates', () => {
    const { cancel, send, situation } = requestCancel()
    send({ type: 'plan.changed', subscription: { ...premiumSubscription, transactionsLeft: 1 }, at: now })
    expect(situation().value).toEqual({ active: 'confirmingCancel' })
    send({ type: 'cancel.dismiss' })
    expect(situation().value).toEqual({ active: 'idle' })
    expect(cancel.asked).toEqual([])
  })

  test.each<[string, Partial<Subscription>, object | string]>([
    ['was canceled elsewhere', { status: 'canceled', cancelAt: now + 1 }, 'canceled'],
    ['was replaced', { stripeSubscriptionId: 'sub_2' }, { active: 'idle' }],
  ])('the cancellation prompt closes if the plan %s', (_, change, value) => {
    const { send, situation } = requestCancel()
    send({ type: 'plan.changed', subscription: { ...premiumSubscription, ...change }, at: now })
    expect(situation().value).toEqual(value)
  })

  test('the cancellation prompt closes if the plan has ended', () => {
    const { send, situation } = requestCancel()
    send({ type: 'plan.changed', subscription: EMPTY_SUBSCRIPTION, at: now })
    expect(situation()).toEqual({ ...initialContext, value: 'none' })
  })

  test.each<[string, PlanProblem['kind'], (started: StartedActor) => Promise<unknown>]>([
    ['finds no plan', 'planNotFound', ({ cancel }) => cancel.answer(err({ kind: 'planNotFound' }))],
    ['gets no answer', 'updateFailed', ({ cancel }) => cancel.fail()],
    ['takes 30 seconds', 'updateFailed', async ({ clock }) => clock.increment(30_000)],
  ])('a cancellation that %s refreshes the plan', async (_, kind, happen) => {
    const started = requestCancel()
    started.send({ type: 'cancel.confirm' })
    await happen(started)
    expect(started.situation()).toMatchObject({ value: 'refreshing', problem: { kind } })
    await started.refresh.answer(canceledSubscription)
    expect(started.situation()).toMatchObject({ value: 'canceled', problem: { kind } })
  })

  const unclear = { kind: 'updateUnclear' }
  /** Neither the cancellation nor the refresh got an answer, so the plan is unknown. */
  const startUnclearCancel = async () => {
    const started = requestCancel()
    started.send({ type: 'cancel.confirm' })
    await started.cancel.fail()
    await started.refresh.fail()
    return started
  }

  test.each<
    [
      string,
      answered: (started: StartedActor) => Promise<unknown>,
      refreshed: (started: StartedActor) => Promise<unknown>,
    ]
  >([
    ['no answer', ({ cancel }) => cancel.fail(), ({ refresh }) => refresh.fail()],
    [
      'no answer within 30 seconds',
      async ({ clock }) => clock.increment(30_000),
      async ({ clock }) => clock.increment(30_000),
    ],
    [
      'a plan that the server does not find',
      ({ cancel }) => cancel.answer(err({ kind: 'planNotFound' })),
      ({ refresh }) => refresh.fail(),
    ],
  ])(
    'a failed cancellation is unclear if the plan can’t be refreshed: %s',
    async (_, answered, refreshed) => {
      const started = requestCancel()
      started.send({ type: 'cancel.confirm' })
      await answered(started)
      expect(started.situation().value).toBe('refreshing')
      await refreshed(started)
      expect(started.situation()).toMatchObject({ value: { active: 'idle' }, problem: unclear })
    },
  )

  test('an unclear cancellation stays unclear until the plan arrives with another status', async () => {
    const { send, situation } = await startUnclearCancel()
    send({ type: 'plan.changed', subscription: { ...premiumSubscription, transactionsLeft: 1 }, at: now })
    expect(situation()).toMatchObject({ value: { active: 'idle' }, problem: unclear })
    send({ type: 'plan.changed', subscription: canceledSubscription, at: now })
    expect(situation()).toMatchObject({ value: 'canceled', problem: null })
  })

  test('a failed cancellation stays shown after the plan was canceled elsewhere', async () => {
    const { cancel, refresh, send, situation } = requestCancel()
    send({ type: 'cancel.confirm' })
    await cancel.fail()
    await refresh.answer(premiumSubscription)
    send({ type: 'plan.changed', subscription: canceledSubscription, at: now })
    expect(situation()).toMatchObject({ value: 'canceled', problem: { kind: 'updateFailed' } })
  })

  test('the refusal of a cancellation because of an ended session is shown', async () => {
    const { cancel, send, situation } = requestCancel()
    send({ type: 'cancel.confirm' })
    await cancel.answer(err({ kind: 'unauthenticated' }))
    expect(situation()).toMatchObject({ value: { active: 'idle' }, problem: { kind: 'unauthenticated' } })
  })

  test('canceling a plan offline shows a problem', () => {
    const { send, situation } = createTestActor({ subscription: premiumSubscription, isOnline: false })
    send({ type: 'cancel.request' })
    expect(situation()).toMatchObject({ value: { active: 'idle' }, problem: { kind: 'offline' } })
  })
})

describe('an actor that was not provided', () => {
  const { actors } = subscriptionMachine.implementations

  test.each<[keyof typeof actors, PlanProblem['kind']]>([
    ['startCheckout', 'createFailed'],
    ['startCardChange', 'cardChangeFailed'],
    ['leaveFor', 'createFailed'],
    ['verify', 'verifyUnclear'],
    ['cancel', 'updateFailed'],
  ])('an actor that was not provided never counts as success: %s', async (name, kind) => {
    const started = createTestActor(
      {
        sessionId: name === 'verify' ? 'cs_1' : null,
        subscription:
          name === 'cancel' || name === 'startCardChange' ? premiumSubscription : EMPTY_SUBSCRIPTION,
      },
      { [name]: actors[name] },
    )
    if (name === 'startCardChange') started.send({ type: 'card.change' })
    started.send({ type: 'plan.choose', tier: 'basic' })
    await started.startCheckout.answer(ok({ url: checkoutUrl }))
    if (name === 'cancel') started.send({ type: 'cancel.request' })
    started.send({ type: 'cancel.confirm' })
    await flushQueue()
    expect(started.situation()).toMatchObject({ problem: { kind }, notice: null })
  })
})

test('only the server’s answer or record grants plans, and ends a verification', () => {
  const refusals: PlanProblem[] = [{ kind: 'planActive' }, { kind: 'unauthenticated' }]
  const { paths, untaken } = walk({
    machine: subscriptionMachine,
    input: { uid: 'u1', subscription: EMPTY_SUBSCRIPTION, sessionId: 'cs_1', isOnline: true, at: now },
    events: (snapshot) => {
      const events: SubscriptionEvent[] = [
        { type: 'plan.choose', tier: 'basic' },
        { type: 'card.change' },
        { type: 'cancel.request' },
        { type: 'cancel.dismiss' },
        { type: 'cancel.confirm' },
        { type: 'verification.check' },
        { type: 'verification.leave' },
        ...[EMPTY_SUBSCRIPTION, premiumSubscription, canceledSubscription].map((subscription) => ({
          type: 'plan.changed' as const,
          subscription,
          at: now,
        })),
        { type: 'page.shown' },
        { type: 'network.lost' },
        { type: 'network.restored' },
      ]
      return events.filter((event) => snapshot.can(event))
    },
    answers: {
      startCheckout: [ok({ url: checkoutUrl }), ...refusals.map(err)],
      startCardChange: [
        ok({ url: checkoutUrl }),
        err({ kind: 'planNotFound' }),
        err({ kind: 'unauthenticated' }),
      ],
      leaveFor: [undefined],
      verify: [
        ok(activeAnswer),
        ok({ outcome: 'open' }),
        ok({ outcome: 'over' }),
        err({ kind: 'verifyFailed' }),
      ],
      cancel: [ok(canceledSubscription), err({ kind: 'planNotFound' }), err({ kind: 'unauthenticated' })],
      refresh: [EMPTY_SUBSCRIPTION, premiumSubscription, canceledSubscription],
    },
    blur: ({ problem, notice, ...context }) => ({
      ...context,
      messages: [problem?.kind === 'offline', notice !== null],
    }),
    invariant: ({ event, before, after, asked, at: path }) => {
      const { context } = after
      if (context.subscription !== before.context.subscription)
        expect(event.type === 'plan.changed' || 'output' in event, path).toBe(true)
      const isRecorded =
        event.type === 'plan.changed' && before.matches('verifying') && after.matches({ active: 'idle' })
      if (context.notice === 'started' && before.context.notice === null && !isRecorded)
        expect(event.output, path).toEqual(ok(activeAnswer))
      if (context.notice === 'canceled' && before.context.notice !== 'canceled')
        expect(event.output, path).toEqual(ok(canceledSubscription))
      if (before.context.sessionId !== null && context.sessionId === null) {
        expect(isRecorded || event.type === 'verification.leave' || 'output' in event, path).toBe(true)
        expect(event.output, path).not.toEqual(ok({ outcome: 'open' }))
      }
      if (after.matches('canceling'))
        expect(asked.at(-1), path).toMatchObject({ src: 'cancel', input: { subscriptionId: 'sub_1' } })
      if (after.matches('leaving'))
        expect(asked.at(-1), path).toEqual({ src: 'leaveFor', input: { url: checkoutUrl } })
      expect(Object.keys(after.children), path).toHaveLength(after.hasTag('busy') ? 1 : 0)
    },
  })
  expect(untaken).toEqual([])
  expect(paths).toBeGreaterThan(200)
})
