/**
 * Takes a user into a plan and out of it again: the provider's checkout, the return from it, the
 * verification, the cancellation, and the end of the paid period. It exists because the checkout leaves the
 * app and may never return, because only the server knows whether it was paid, and because a user who paid
 * must not read that it failed before the provider was asked. Specification, sections 4, 7 and 8.
 */
import { assertEvent, assign, fromPromise, setup } from 'xstate'
import type { Subscription, Tier } from '../domain/account/profileSchema.ts'
import { DAY } from '../domain/common/duration.ts'
import type { Result } from '../domain/common/result.ts'
import type { RefusalProblem } from '../domain/errors/refusals.ts'
import { getActivePlan } from '../domain/prices/plans.ts'
import { assertDefined, rejectUnprovided, unwrapOk, unwrapRefusal, withAnswer } from './actors.ts'

/** Final refusals, which the user reads. A retry does not help. */
export const PLAN_REFUSALS = [
  ...(['unauthenticated', 'emailUnverified', 'planActive', 'planNotFound'] as const),
  ...(['paymentsPaused', 'paymentsClosed', 'tooManyDeclines'] as const),
] as const

/** Specification, section 8. */
export type PlanProblem =
  | RefusalProblem<(typeof PLAN_REFUSALS)[number]>
  | { readonly kind: 'createFailed' }
  | { readonly kind: 'noCheckoutUrl' }
  /** Waiting won't help. */
  | { readonly kind: 'verifyFailed' }
  | { readonly kind: 'updateFailed' }
  /** The plan's current state could not be read. */
  | { readonly kind: 'updateUnclear' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'cardChangeFailed' }
  /** The bank also refused the other card. */
  | { readonly kind: 'cardDeclined' }
  /** The bank wants the other card's payment confirmed too. */
  | { readonly kind: 'cardUnconfirmed' }
  /** The server does not know yet whether the checkout was paid. */
  | { readonly kind: 'verifyUnclear' }

export type PlanNotice = 'started' | 'canceled'

export type VerifyAnswer =
  | { readonly outcome: 'active'; readonly subscription: Subscription }
  | { readonly outcome: 'open' }
  /** The checkout can no longer be paid, or its plan has ended since. */
  | { readonly outcome: 'over' }

export interface SubscriptionInput {
  readonly uid: string
  readonly subscription: Subscription
  /** The user returns from this checkout. */
  readonly sessionId: string | null
  readonly isOnline: boolean
  /** UTC ms. */
  readonly at: number
}

export interface SubscriptionContext {
  readonly uid: string
  readonly subscription: Subscription
  readonly sessionId: string | null
  readonly isOnline: boolean
  /** UTC ms at which plans are evaluated: the last update, or an end reached by waiting. */
  readonly at: number
  readonly tier: Tier | null
  readonly url: string | null
  readonly unclearAnswers: number
  readonly problem: PlanProblem | null
  readonly notice: PlanNotice | null
}

export type SubscriptionEvent =
  | { type: 'plan.choose'; tier: Tier }
  | { type: 'card.change' }
  | { type: 'cancel.request' }
  | { type: 'cancel.dismiss' }
  | { type: 'cancel.confirm' }
  | { type: 'verification.check' }
  | { type: 'verification.leave' }
  /** Sent now and after each change; `at`: UTC ms. */
  | { type: 'plan.changed'; subscription: Subscription; at: number }
  /** The user did not complete the checkout. */
  | { type: 'page.shown' }
  | { type: 'network.lost' }
  | { type: 'network.restored' }

const pageTransitions = {
  onDone: [
    {
      guard: withAnswer('isOk'),
      target: 'leaving',
      actions: withAnswer('setUrl'),
    },
    {
      guard: withAnswer('isDeviceOutdated'),
      target: 'refreshing',
      actions: [withAnswer('showRefusal'), 'clearCheckout'],
    },
    {
      target: 'deciding',
      actions: [withAnswer('showRefusal'), 'clearCheckout'],
    },
  ],
  onError: { target: 'deciding', actions: ['showOpenFailure', 'clearCheckout'] },
} as const

const pageTimeout = {
  callTimeout: { target: 'deciding', actions: ['showOpenFailure', 'clearCheckout'] },
} as const

const planStarted = [
  'clearMessages',
  { type: 'showNotice', params: 'started' },
  'clearCheckoutSession',
] as const

/** After that the user asks. */
export const MAX_AUTOMATIC_CHECKS = 5

/** Timers overflow after some weeks. */
const MAX_WAIT = DAY

export const subscriptionMachine = setup({
  types: {
    context: {} as SubscriptionContext,
    events: {} as SubscriptionEvent,
    input: {} as SubscriptionInput,
    tags: {} as 'busy',
  },
  actors: {
    /** Resolves with known refusals. Rejects without an answer. */
    startCheckout: fromPromise<Result<{ readonly url: string }, PlanProblem>, { uid: string; tier: Tier }>(
      rejectUnprovided,
    ),
    /** Resolves with known refusals. Rejects without an answer. */
    startCardChange: fromPromise<
      Result<{ readonly url: string }, PlanProblem>,
      { uid: string; subscriptionId: string }
    >(rejectUnprovided),
    /** Stays pending while the provider's page is there. */
    leaveFor: fromPromise<void, { url: string }>(rejectUnprovided),
    /** Stores a started plan. Resolves with final refusals; rejects without an answer. Repeating is safe. */
    verify: fromPromise<Result<VerifyAnswer, PlanProblem>, { uid: string; sessionId: string }>(
      rejectUnprovided,
    ),
    /** Takes effect at the end of the paid period. Rejects without an answer. */
    cancel: fromPromise<Result<Subscription, PlanProblem>, { uid: string; subscriptionId: string }>(
      rejectUnprovided,
    ),
    refresh: fromPromise<Subscription, { uid: string }>(rejectUnprovided),
  },
  actions: {
    updatePlan: assign(({ context: { problem, notice, subscription: before }, event }) => {
      assertEvent(event, 'plan.changed')
      const { subscription, at } = event
      const isAnswer = problem?.kind === 'updateUnclear' && subscription.status !== before.status
      const isConfirmed = before.confirmation !== undefined && subscription.confirmation === undefined
      const isPaid = isConfirmed && subscription.status === 'active' && !subscription.renewalFailed
      return {
        subscription,
        at,
        problem: isAnswer || isConfirmed ? null : problem,
        notice: isPaid ? ('started' as const) : notice,
      }
    }),
    setPlan: assign((_, subscription: Subscription) => ({ subscription })),
    advanceTime: assign(({ context }) => ({ at: context.at + computeWait(context) })),
    chooseTier: assign(({ event }) => {
      assertEvent(event, 'plan.choose')
      return { tier: event.tier }
    }),
    setUrl: assign((_, answer: Result<{ readonly url: string }, PlanProblem>) => ({
      url: unwrapOk(answer).url,
    })),
    clearCheckout: assign({ tier: null, url: null }),
    clearCheckoutSession: assign({ sessionId: null, unclearAnswers: 0 }),
    countUnclearAnswer: assign(({ context }) => ({ unclearAnswers: context.unclearAnswers + 1 })),
    resetUnclearAnswers: assign({ unclearAnswers: 0 }),
    showProblem: assign((_, problem: PlanProblem) => ({ problem })),
    showOpenFailure: assign(({ context: { tier } }) => ({
      problem: { kind: tier ? ('createFailed' as const) : ('cardChangeFailed' as const) },
    })),
    showRefusal: assign((_, answer: Result<unknown, PlanProblem>) => ({ problem: unwrapRefusal(answer) })),
    /** A message about the plan's current state no longer holds. */
    showUpdateUnclear: assign(({ context: { problem } }) => ({
      problem:
        problem?.kind === 'updateFailed' || problem?.kind === 'planNotFound'
          ? { kind: 'updateUnclear' as const }
          : problem,
    })),
    showNotice: assign((_, notice: PlanNotice) => ({ notice })),
    setStartedPlan: assign((_, answer: Result<VerifyAnswer, PlanProblem>) => {
      const verified = unwrapOk(answer)
      return verified.outcome === 'active' ? { subscription: verified.subscription } : {}
    }),
    setCanceledPlan: assign((_, answer: Result<Subscription, PlanProblem>) => ({
      subscription: unwrapOk(answer),
    })),
    clearMessages: assign({ problem: null, notice: null }),
    setOnline: assign((_, isOnline: boolean) => ({ isOnline })),
    clearOffline: assign(({ context }) => ({
      problem: context.problem?.kind === 'offline' ? null : context.problem,
    })),
  },
  guards: {
    isReturning: ({ context }) => context.sessionId !== null,
    isActive: ({ context }) => context.subscription.status === 'active' && isRunning(context),
    isCanceled: ({ context }) => context.subscription.status === 'canceled' && isRunning(context),
    hasPlanBegun: ({ context, event }) => {
      assertEvent(event, 'plan.changed')
      return event.subscription.status === 'active' && isRunning(event) && !isRunning(context)
    },
    isSamePlanActive: ({ context, event }) => {
      assertEvent(event, 'plan.changed')
      const { stripeSubscriptionId, status } = event.subscription
      return status === 'active' && stripeSubscriptionId === context.subscription.stripeSubscriptionId
    },
    isOffline: ({ context }) => !context.isOnline,
    isOk: (_, answer: Result<unknown, PlanProblem>) => answer.ok,
    isPlanStarted: (_, answer: Result<VerifyAnswer, PlanProblem>) =>
      answer.ok && answer.value.outcome === 'active',
    isCheckoutOpen: (_, answer: Result<VerifyAnswer, PlanProblem>) =>
      answer.ok && answer.value.outcome === 'open',
    isCheckoutOver: (_, answer: Result<VerifyAnswer, PlanProblem>) =>
      answer.ok && answer.value.outcome === 'over',
    /** Another tab or the provider has changed the plan. */
    isDeviceOutdated: (_, answer: Result<unknown, PlanProblem>) =>
      !answer.ok && (answer.error.kind === 'planActive' || answer.error.kind === 'planNotFound'),
    hasReachedCheckLimit: ({ context }) => context.unclearAnswers >= MAX_AUTOMATIC_CHECKS,
  },
  delays: {
    callTimeout: 30_000,
    /** 2, 4, 8, 16 seconds, because a webhook or a bank takes some time. */
    nextCheckDelay: ({ context }) => 1000 * 2 ** context.unclearAnswers,
    untilPlanEnd: ({ context }) => computeWait(context),
  },
}).createMachine({
  id: 'subscription',
  context: ({ input }) => ({
    ...input,
    tier: null,
    url: null,
    unclearAnswers: 0,
    problem: null,
    notice: null,
  }),
  initial: 'deciding',
  on: {
    'plan.changed': { actions: 'updatePlan' },
    'network.lost': { actions: { type: 'setOnline', params: false } },
    'network.restored': { actions: [{ type: 'setOnline', params: true }, 'clearOffline'] },
  },
  states: {
    deciding: {
      description: 'The stored plan decides the next state; this state is left at once.',
      always: [
        { guard: 'isReturning', target: 'verifying' },
        { guard: 'isActive', target: 'active' },
        { guard: 'isCanceled', target: 'canceled' },
        { target: 'none' },
      ],
    },

    none: {
      description: 'There is no plan; the user compares them, and chooses one.',
      on: {
        'plan.changed': { target: 'deciding', actions: 'updatePlan' },
        'plan.choose': [
          { guard: 'isOffline', actions: { type: 'showProblem', params: { kind: 'offline' } } },
          { target: 'startingCheckout', actions: ['clearMessages', 'chooseTier'] },
        ],
      },
    },

    startingCheckout: {
      description: 'The checkout is requested; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'startCheckout',
        input: ({ context }) => ({ uid: context.uid, tier: assertDefined(context.tier) }),
        ...pageTransitions,
      },
      after: pageTimeout,
    },

    startingCardChange: {
      description: 'The page for another card is requested; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'startCardChange',
        input: ({ context }) => ({ uid: context.uid, subscriptionId: getPlanId(context) }),
        ...pageTransitions,
      },
      after: pageTimeout,
    },

    leaving: {
      description: 'The provider’s page replaces this one; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'leaveFor',
        input: ({ context }) => ({ url: assertDefined(context.url) }),
        onDone: { target: 'refreshing', actions: 'clearCheckout' },
        onError: { target: 'deciding', actions: ['showOpenFailure', 'clearCheckout'] },
      },
      // The checkout may have been paid in another tab.
      on: { 'page.shown': { target: 'refreshing', actions: 'clearCheckout' } },
      after: { callTimeout: { target: 'refreshing', actions: 'clearCheckout' } },
    },

    verifying: {
      description:
        'The user has returned from the checkout; the server’s answer or its record shows whether the plan has begun.',
      initial: 'asking',
      states: {
        asking: {
          description: 'The server is being asked; the user waits, or leaves.',
          tags: 'busy',
          invoke: {
            src: 'verify',
            input: ({ context }) => ({ uid: context.uid, sessionId: assertDefined(context.sessionId) }),
            onDone: [
              {
                guard: withAnswer('isPlanStarted'),
                target: '#subscription.deciding',
                actions: [withAnswer('setStartedPlan'), ...planStarted],
              },
              { guard: withAnswer('isCheckoutOpen'), target: 'waiting', actions: 'countUnclearAnswer' },
              {
                guard: withAnswer('isCheckoutOver'),
                target: '#subscription.refreshing',
                actions: [{ type: 'showProblem', params: { kind: 'verifyFailed' } }, 'clearCheckoutSession'],
              },
              {
                target: '#subscription.refreshing',
                actions: [withAnswer('showRefusal'), 'clearCheckoutSession'],
              },
            ],
            onError: { target: 'waiting', actions: 'countUnclearAnswer' },
          },
          after: { callTimeout: { target: 'waiting', actions: 'countUnclearAnswer' } },
        },
        waiting: {
          description:
            'The server does not know yet, and is asked again after some seconds; the user can ask at once, or leave.',
          entry: { type: 'showProblem', params: { kind: 'verifyUnclear' } },
          always: { guard: 'hasReachedCheckLimit', target: 'unclear' },
          after: { nextCheckDelay: 'asking' },
          on: {
            'verification.check': 'asking',
            'network.restored': { target: 'asking', actions: { type: 'setOnline', params: true } },
          },
        },
        unclear: {
          description:
            'The app has stopped asking; the user can ask again or leave, and the plan appears once it has begun.',
          on: {
            'verification.check': { target: 'asking', actions: 'resetUnclearAnswers' },
            'network.restored': {
              target: 'asking',
              actions: [{ type: 'setOnline', params: true }, 'resetUnclearAnswers'],
            },
          },
        },
      },
      on: {
        // The webhook or another tab may be faster.
        'plan.changed': {
          guard: 'hasPlanBegun',
          target: 'deciding',
          actions: ['updatePlan', ...planStarted],
        },
        // Leaving is safe: the webhook still informs the server, and then the plan appears.
        'verification.leave': { target: 'refreshing', actions: ['clearCheckoutSession', 'clearMessages'] },
      },
    },

    active: {
      description: 'A plan is active, and renews each period until the user cancels it.',
      initial: 'idle',
      on: { 'plan.changed': { target: 'deciding', actions: 'updatePlan' } },
      states: {
        idle: {
          description: 'The user sees the rest of the allowance, and can change the card, or cancel.',
          on: {
            'card.change': [
              { guard: 'isOffline', actions: { type: 'showProblem', params: { kind: 'offline' } } },
              { target: '#subscription.startingCardChange', actions: 'clearMessages' },
            ],
            'cancel.request': [
              {
                guard: 'isOffline',
                actions: { type: 'showProblem', params: { kind: 'offline' } },
              },
              { target: 'confirmingCancel', actions: 'clearMessages' },
            ],
          },
        },
        confirmingCancel: {
          description: 'The user is asked to confirm the cancellation, and confirms it or keeps the plan.',
          on: {
            // An update of the same active plan does not close the confirmation.
            'plan.changed': [
              { guard: 'isSamePlanActive', actions: 'updatePlan' },
              { target: '#subscription.deciding', actions: 'updatePlan' },
            ],
            'cancel.dismiss': 'idle',
            'cancel.confirm': '#subscription.canceling',
          },
        },
      },
    },

    canceling: {
      description: 'The server cancels the plan at the end of its period; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'cancel',
        input: ({ context }) => ({ uid: context.uid, subscriptionId: getPlanId(context) }),
        onDone: [
          {
            guard: withAnswer('isOk'),
            target: 'deciding',
            actions: [withAnswer('setCanceledPlan'), { type: 'showNotice', params: 'canceled' }],
          },
          {
            guard: withAnswer('isDeviceOutdated'),
            target: 'refreshing',
            actions: withAnswer('showRefusal'),
          },
          { target: 'deciding', actions: withAnswer('showRefusal') },
        ],
        onError: { target: 'refreshing', actions: { type: 'showProblem', params: { kind: 'updateFailed' } } },
      },
      after: {
        callTimeout: {
          target: 'refreshing',
          actions: { type: 'showProblem', params: { kind: 'updateFailed' } },
        },
      },
    },

    canceled: {
      description:
        'The plan runs until its period ends, and does not renew; the user can use the rest of the allowance.',
      on: { 'plan.changed': { target: 'deciding', actions: 'updatePlan' } },
      after: { untilPlanEnd: { target: 'deciding', actions: 'advanceTime' } },
    },

    refreshing: {
      description: 'The profile is read again, because the plan may have changed elsewhere; the user waits.',
      tags: 'busy',
      invoke: {
        src: 'refresh',
        input: ({ context }) => ({ uid: context.uid }),
        onDone: { target: 'deciding', actions: withAnswer('setPlan') },
        onError: { target: 'deciding', actions: 'showUpdateUnclear' },
      },
      after: { callTimeout: { target: 'deciding', actions: 'showUpdateUnclear' } },
    },
  },
})

function isRunning({ subscription, at }: Pick<SubscriptionContext, 'subscription' | 'at'>): boolean {
  return getActivePlan(subscription, at) !== null
}

function computeWait({ subscription, at }: SubscriptionContext): number {
  return Math.min(Math.max((subscription.cancelAt ?? at) - at, 0), MAX_WAIT)
}

const getPlanId = ({ subscription }: SubscriptionContext): string => subscription.stripeSubscriptionId ?? ''
