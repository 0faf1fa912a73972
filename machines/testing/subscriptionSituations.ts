import { createActor, SimulatedClock } from 'xstate'
import type { Subscription, Tier } from '../../domain/account/profileSchema.ts'
import { err, type Result } from '../../domain/common/result.ts'
import { applyBilledPlan, cancelPlan, EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import {
  type PlanProblem,
  type SubscriptionContext,
  type SubscriptionInput,
  subscriptionMachine,
  type VerifyAnswer,
} from '../subscription.ts'
import { createFakeActor } from './fakeActor.ts'
import { recordTransition } from './lastTransition.ts'

export const now = Date.UTC(2026, 10, 20)
export const HALF_DAY = 43_200_000
export const premiumSubscription: Subscription = applyBilledPlan(
  EMPTY_SUBSCRIPTION,
  {
    stripeSubscriptionId: 'sub_1',
    tier: 'premium',
    startedAt: now,
    endsAt: null,
    unpaidSince: null,
    confirmation: null,
  },
  now,
)
export const canceledSubscription = cancelPlan(premiumSubscription, now + HALF_DAY)
export const activeAnswer: VerifyAnswer = { outcome: 'active', subscription: premiumSubscription }
export const checkoutUrl = 'https://checkout.example/cs_1'

let stopLast = () => {}

export const stopTestActor = () => stopLast()

export function createTestActor(
  input: Partial<SubscriptionInput> = {},
  overrides: Parameters<typeof subscriptionMachine.provide>[0]['actors'] = {},
) {
  const clock = new SimulatedClock()
  const startCheckout = createFakeActor<
    Result<{ readonly url: string }, PlanProblem>,
    { uid: string; tier: Tier }
  >()
  const startCardChange = createFakeActor<
    Result<{ readonly url: string }, PlanProblem>,
    { uid: string; subscriptionId: string }
  >()
  const leaveFor = createFakeActor<void, { url: string }>()
  const verify = createFakeActor<Result<VerifyAnswer, PlanProblem>, { uid: string; sessionId: string }>()
  const cancel = createFakeActor<Result<Subscription, PlanProblem>, { uid: string; subscriptionId: string }>()
  const refresh = createFakeActor<Subscription, { uid: string }>()
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
      inspect: recordTransition,
      input: {
        uid: 'u1',
        subscription: EMPTY_SUBSCRIPTION,
        sessionId: null,
        isOnline: true,
        at: now,
        ...input,
      },
    },
  ).start()
  stopLast = () => actor.stop()
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
export type StartedActor = ReturnType<typeof createTestActor>

export const initialContext: SubscriptionContext = {
  uid: 'u1',
  subscription: EMPTY_SUBSCRIPTION,
  sessionId: null,
  isOnline: true,
  at: now,
  tier: null,
  url: null,
  unclearAnswers: 0,
  problem: null,
  notice: null,
}

export const renewalFailedSubscription: Subscription = { ...premiumSubscription, renewalFailed: true }

/** The bank wants the renewal confirmed. */
export const unconfirmedSubscription: Subscription = {
  ...renewalFailedSubscription,
  confirmation: { url: 'https://invoice.example/in_1', keptUntil: now + 6 * HALF_DAY },
}

export const arrange = {
  async startingCheckout() {
    const started = createTestActor()
    started.send({ type: 'plan.choose', tier: 'basic' })
    return started
  },
  async startingCardChange() {
    const started = createTestActor({ subscription: renewalFailedSubscription })
    started.send({ type: 'card.change' })
    return started
  },
  async waiting() {
    const started = createTestActor({ sessionId: 'cs_1' })
    await started.verify.fail()
    return started
  },
  /** The other card must be confirmed too. */
  async cardUnconfirmed() {
    const started = createTestActor({ sessionId: 'cs_1', subscription: renewalFailedSubscription })
    await started.verify.answer(err({ kind: 'cardUnconfirmed' }))
    await started.refresh.answer(unconfirmedSubscription)
    return started
  },
  async refreshing() {
    const started = await arrange.waiting()
    started.send({ type: 'verification.leave' })
    return started
  },
  async confirmingCancel() {
    const started = createTestActor({ subscription: premiumSubscription })
    started.send({ type: 'cancel.request' })
    return started
  },
  async canceling() {
    const started = await arrange.confirmingCancel()
    started.send({ type: 'cancel.confirm' })
    return started
  },
}
