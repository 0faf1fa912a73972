/**
 * Takes a person from no plan to a plan and out of it again: the provider's checkout, the way back from it, the
 * verification, the cancellation, and the end of what is paid. It exists because the checkout leaves the app and may
 * never come back, because only the server knows whether it was paid, and because a person who paid must not be told
 * that it failed while nobody has asked the provider. Specification, sections 4, 7 and 8.
 */
import { assertEvent, assign, fromPromise, setup } from 'xstate'
import { activePlan } from '../domain/plans.ts'
import type { Result } from '../domain/result.ts'
import type { Subscription, Tier } from '../domain/schemas/profile.ts'
import { granted, inPlace, refusalIn, unprovidedAnswer, withAnswer } from './actors.ts'

/** What went wrong, by the texts of the specification's section 8. */
export type PlanProblem =
  /** 'Please sign in to subscribe' */
  | { readonly kind: 'signInRequired' }
  /** 'Failed to create subscription' */
  | { readonly kind: 'createFailed' }
  /** 'No checkout URL received' */
  | { readonly kind: 'noCheckoutUrl' }
  /** 'No active subscription found' */
  | { readonly kind: 'planNotFound' }
  /** 'Failed to verify subscription': there is nothing to wait for. */
  | { readonly kind: 'verifyFailed' }
  /** 'Failed to update subscription status' */
  | { readonly kind: 'updateFailed' }
  /** The plan may have changed, and how it is now could not be read either. */
  | { readonly kind: 'updateUnclear' }
  | { readonly kind: 'planActive' }
  | { readonly kind: 'emailUnverified' }
  /** The person may not pay for now; nobody says why. */
  | { readonly kind: 'paymentsPaused' }
  /** So many cards of the person were declined that none is taken for a while; whole seconds. */
  | { readonly kind: 'tooManyDeclines'; readonly retryAfterSeconds: number }
  /** Nobody can pay for now. */
  | { readonly kind: 'paymentsClosed' }
  | { readonly kind: 'offline' }
  /** The page for another card could not be opened. */
  | { readonly kind: 'cardChangeFailed' }
  /** The bank refused the other card too. */
  | { readonly kind: 'cardDeclined' }
  /** The server could not tell yet whether the checkout was paid. */
  | { readonly kind: 'verifyUnclear' }

export type PlanNotice = 'started' | 'canceled'

/** Where the checkout stands, by the server; a plan that was started comes with what is stored of it. */
export type VerifyAnswer =
  | { readonly outcome: 'active'; readonly subscription: Subscription }
  | { readonly outcome: 'open' }
  /** It will not be paid any more, or its plan has ended since. */
  | { readonly outcome: 'over' }

export interface SubscriptionInput {
  readonly uid: string
  readonly subscription: Subscription
  /** The checkout that the person comes back from; null when there is none. */
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
  /** The instant (UTC ms) by which plans are judged: that of the last news, or of an end that came by waiting. */
  readonly at: number
  /** The plan that is being subscribed to. */
  readonly tier: Tier | null
  /** The provider's page. */
  readonly url: string | null
  readonly unclearAnswers: number
  readonly problem: PlanProblem | null
  readonly notice: PlanNotice | null
}

export type SubscriptionEvent =
  | { type: 'plan.choose'; tier: Tier }
  /** The plan is to be paid with another card. */
  | { type: 'card.change' }
  | { type: 'cancel.ask' }
  | { type: 'cancel.keep' }
  | { type: 'cancel.confirm' }
  | { type: 'verification.ask' }
  | { type: 'verification.leave' }
  /** What the device holds of the plan, now and after each change; `at`: now, in UTC ms. */
  | { type: 'plan.changed'; subscription: Subscription; at: number }
  /** The person came back to this page without having been through the checkout. */
  | { type: 'page.shown' }
  | { type: 'problem.dismiss' }
  | { type: 'network.lost' }
  | { type: 'network.back' }

/** What the answer leads to that has the address of a page of the provider's, or none. */
const opening = {
  onDone: [
    {
      guard: withAnswer('isOk'),
      target: 'leaving',
      actions: withAnswer('rememberUrl'),
    },
    {
      guard: withAnswer('isBehind'),
      target: 'refreshing',
      actions: [withAnswer('tellRefusal'), 'forgetCheckout'],
    },
    {
      target: 'deciding',
      actions: [withAnswer('tellRefusal'), 'forgetCheckout'],
    },
  ],
  onError: { target: 'deciding', actions: ['tellNotOpened', 'forgetCheckout'] },
} as const

const notOpened = {
  callTimeout: { target: 'deciding', actions: ['tellNotOpened', 'forgetCheckout'] },
} as const

/** How often the server is asked by itself; after that the person asks. */
export const MOST_UNCLEAR_ANSWERS = 5

/** A timer can't count more than some weeks. */
const LONGEST_WAIT = 86_400_000

export const subscriptionMachine = setup({
  types: {
    context: {} as SubscriptionContext,
    events: {} as SubscriptionEvent,
    input: {} as SubscriptionInput,
    tags: {} as 'busy',
  },
  actors: {
    /** Opens the provider's checkout. Resolves with the refusals it knows. Rejects when there is no answer. */
    startCheckout: fromPromise<Result<{ readonly url: string }, PlanProblem>, { uid: string; tier: Tier }>(
      unprovidedAnswer,
    ),
    /** Opens the provider's page for another card. Resolves with the refusals it knows. Rejects when there is no answer. */
    startCardChange: fromPromise<
      Result<{ readonly url: string }, PlanProblem>,
      { uid: string; subscriptionId: string }
    >(unprovidedAnswer),
    /** Leaves the app for the provider's page; stays pending as long as the page is there. */
    leaveFor: fromPromise<void, { url: string }>(unprovidedAnswer),
    /**
     * Asks the server where the checkout stands. A started plan it has put on the device when it answers. Resolves with
     * the refusals that are final. Rejects when there is no answer; asking again is safe.
     */
    verify: fromPromise<Result<VerifyAnswer, PlanProblem>, { uid: string; sessionId: string }>(
      unprovidedAnswer,
    ),
    /** Ends the plan with what is paid, and puts that on the device. Rejects when there is no answer. */
    cancel: fromPromise<Result<Subscription, PlanProblem>, { uid: string; subscriptionId: string }>(
      unprovidedAnswer,
    ),
    /** Brings what the device holds of the plan to the server's. */
    refresh: fromPromise<Subscription, { uid: string }>(unprovidedAnswer),
  },
  actions: {
    follow: assign(({ context: { problem, subscription: before }, event }) => {
      assertEvent(event, 'plan.changed')
      const { subscription, at } = event
      const isAnswer = problem?.kind === 'updateUnclear' && subscription.status !== before.status
      return { subscription, at, problem: isAnswer ? null : problem }
    }),
    keepPlan: assign((_, subscription: Subscription) => ({ subscription })),
    passTime: assign(({ context }) => ({ at: context.at + waitOf(context) })),
    chooseTier: assign(({ event }) => {
      assertEvent(event, 'plan.choose')
      return { tier: event.tier }
    }),
    rememberUrl: assign((_, answer: Result<{ readonly url: string }, PlanProblem>) => ({
      url: granted(answer).url,
    })),
    forgetCheckout: assign({ tier: null, url: null }),
    /** Once its outcome is known, the address of the checkout is of no use. */
    forgetSession: assign({ sessionId: null, unclearAnswers: 0 }),
    countUnclear: assign(({ context }) => ({ unclearAnswers: context.unclearAnswers + 1 })),
    countAnew: assign({ unclearAnswers: 0 }),
    tell: assign((_, problem: PlanProblem) => ({ problem })),
    tellNotOpened: assign(({ context: { tier } }) => ({
      problem: { kind: tier ? ('createFailed' as const) : ('cardChangeFailed' as const) },
    })),
    tellRefusal: assign((_, answer: Result<unknown, PlanProblem>) => ({ problem: refusalIn(answer) })),
    /** What is told of the plan speaks of how it is now, which nobody knows. */
    tellUnclear: assign(({ context: { problem } }) => ({
      problem:
        problem?.kind === 'updateFailed' || problem?.kind === 'planNotFound'
          ? { kind: 'updateUnclear' as const }
          : problem,
    })),
    tellNotice: assign((_, notice: PlanNotice) => ({ notice })),
    startPlan: assign((_, answer: Result<VerifyAnswer, PlanProblem>) => {
      const verified = granted(answer)
      return verified.outcome === 'active' ? { subscription: verified.subscription } : {}
    }),
    keepCanceled: assign((_, answer: Result<Subscription, PlanProblem>) => ({
      subscription: granted(answer),
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
    isSamePlanStill: ({ context, event }) => {
      assertEvent(event, 'plan.changed')
      const { stripeSubscriptionId, status } = event.subscription
      return status === 'active' && stripeSubscriptionId === context.subscription.stripeSubscriptionId
    },
    isOffline: ({ context }) => !context.isOnline,
    isOk: (_, answer: Result<unknown, PlanProblem>) => answer.ok,
    isStarted: (_, answer: Result<VerifyAnswer, PlanProblem>) =>
      answer.ok && answer.value.outcome === 'active',
    isOpen: (_, answer: Result<VerifyAnswer, PlanProblem>) => answer.ok && answer.value.outcome === 'open',
    isOver: (_, answer: Result<VerifyAnswer, PlanProblem>) => answer.ok && answer.value.outcome === 'over',
    /** The device is behind the server: another tab, or the provider, has changed the plan. */
    isBehind: (_, answer: Result<unknown, PlanProblem>) =>
      !answer.ok && (answer.error.kind === 'planActive' || answer.error.kind === 'planNotFound'),
    hasAskedEnough: ({ context }) => context.unclearAnswers >= MOST_UNCLEAR_ANSWERS,
  },
  delays: {
    callTimeout: 30_000,
    /** 2, 4, 8, 16 seconds: a webhook or a bank takes some. */
    askAgain: ({ context }) => 1000 * 2 ** context.unclearAnswers,
    untilEnd: ({ context }) => waitOf(context),
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
    'plan.changed': { actions: 'follow' },
    'network.lost': { actions: { type: 'setOnline', params: false } },
    'network.back': { actions: [{ type: 'setOnline', params: true }, 'clearOffline'] },
    'problem.dismiss': { actions: 'clearMessages' },
  },
  states: {
    deciding: {
      description: 'What is known of the plan leads on; nobody ever sees it here.',
      always: [
        { guard: 'isReturning', target: 'verifying' },
        { guard: 'isActive', target: 'active' },
        { guard: 'isCanceled', target: 'canceled' },
        { target: 'none' },
      ],
    },

    none: {
      description: 'There is no plan; the person compares them, and chooses one.',
      on: {
        'plan.changed': { target: 'deciding', actions: 'follow' },
        'plan.choose': [
          { guard: 'isOffline', actions: { type: 'tell', params: { kind: 'offline' } } },
          { target: 'startingCheckout', actions: ['clearMessages', 'chooseTier'] },
        ],
      },
    },

    startingCheckout: {
      description: 'The page to pay the plan is asked for; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'startCheckout',
        input: ({ context }) => ({ uid: context.uid, tier: inPlace(context.tier) }),
        ...opening,
      },
      after: notOpened,
    },

    startingCardChange: {
      description: 'The page to give another card is asked for; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'startCardChange',
        input: ({ context }) => ({ uid: context.uid, subscriptionId: planIdOf(context) }),
        ...opening,
      },
      after: notOpened,
    },

    leaving: {
      description: 'The page of the card’s provider opens in the place of this one; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'leaveFor',
        input: ({ context }) => ({ url: inPlace(context.url) }),
        onDone: { target: 'refreshing', actions: 'forgetCheckout' },
        onError: { target: 'deciding', actions: ['tellNotOpened', 'forgetCheckout'] },
      },
      // The checkout may have been paid in another tab in the meantime.
      on: { 'page.shown': { target: 'refreshing', actions: 'forgetCheckout' } },
      after: { callTimeout: { target: 'refreshing', actions: 'forgetCheckout' } },
    },

    verifying: {
      description: 'The person is back from paying the plan, and the server is asked whether it has begun.',
      initial: 'asking',
      states: {
        asking: {
          description: 'The server is being asked; the person waits, or leaves it to the server.',
          tags: 'busy',
          invoke: {
            src: 'verify',
            input: ({ context }) => ({ uid: context.uid, sessionId: inPlace(context.sessionId) }),
            onDone: [
              {
                guard: withAnswer('isStarted'),
                target: '#subscription.deciding',
                actions: [
                  withAnswer('startPlan'),
                  'clearMessages',
                  { type: 'tellNotice', params: 'started' },
                  'forgetSession',
                ],
              },
              { guard: withAnswer('isOpen'), target: 'waiting', actions: 'countUnclear' },
              {
                guard: withAnswer('isOver'),
                target: '#subscription.refreshing',
                actions: [{ type: 'tell', params: { kind: 'verifyFailed' } }, 'forgetSession'],
              },
              {
                target: '#subscription.refreshing',
                actions: [withAnswer('tellRefusal'), 'forgetSession'],
              },
            ],
            onError: { target: 'waiting', actions: 'countUnclear' },
          },
          after: { callTimeout: { target: 'waiting', actions: 'countUnclear' } },
        },
        waiting: {
          description:
            'The server does not know yet, and is asked again after some seconds; the person can ask at once, or leave.',
          entry: { type: 'tell', params: { kind: 'verifyUnclear' } },
          always: { guard: 'hasAskedEnough', target: 'unclear' },
          after: { askAgain: 'asking' },
          on: {
            'verification.ask': 'asking',
            'network.back': { target: 'asking', actions: { type: 'setOnline', params: true } },
          },
        },
        unclear: {
          description:
            'It was asked often enough; the person can ask again later, or leave, and the plan appears once it has begun.',
          on: {
            'verification.ask': { target: 'asking', actions: 'countAnew' },
            'network.back': { target: 'asking', actions: [{ type: 'setOnline', params: true }, 'countAnew'] },
          },
        },
      },
      on: {
        // The webhook tells the server all the same; the plan appears when it does.
        'verification.leave': { target: 'refreshing', actions: ['forgetSession', 'clearMessages'] },
      },
    },

    active: {
      description: 'A plan is running, and is renewed with each period unless the person cancels it.',
      initial: 'idle',
      on: { 'plan.changed': { target: 'deciding', actions: 'follow' } },
      states: {
        idle: {
          description: 'The person sees what is left of it, and can give another card, or cancel.',
          on: {
            'card.change': [
              { guard: 'isOffline', actions: { type: 'tell', params: { kind: 'offline' } } },
              { target: '#subscription.startingCardChange', actions: 'clearMessages' },
            ],
            'cancel.ask': [
              {
                guard: 'isOffline',
                actions: { type: 'tell', params: { kind: 'offline' } },
              },
              { target: 'confirmingCancel', actions: 'clearMessages' },
            ],
          },
        },
        confirmingCancel: {
          description: 'The person is asked whether the plan is to end, confirms it, or keeps the plan.',
          on: {
            // Fresh rows of the same plan do not close the question.
            'plan.changed': [
              { guard: 'isSamePlanStill', actions: 'follow' },
              { target: '#subscription.deciding', actions: 'follow' },
            ],
            'cancel.keep': 'idle',
            'cancel.confirm': '#subscription.canceling',
          },
        },
      },
    },

    canceling: {
      description: 'The server is asked to end the plan with its period; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'cancel',
        input: ({ context }) => ({ uid: context.uid, subscriptionId: planIdOf(context) }),
        onDone: [
          {
            guard: withAnswer('isOk'),
            target: 'deciding',
            actions: [withAnswer('keepCanceled'), { type: 'tellNotice', params: 'canceled' }],
          },
          {
            guard: withAnswer('isBehind'),
            target: 'refreshing',
            actions: withAnswer('tellRefusal'),
          },
          { target: 'deciding', actions: withAnswer('tellRefusal') },
        ],
        onError: { target: 'refreshing', actions: { type: 'tell', params: { kind: 'updateFailed' } } },
      },
      after: {
        callTimeout: { target: 'refreshing', actions: { type: 'tell', params: { kind: 'updateFailed' } } },
      },
    },

    canceled: {
      description:
        'The plan runs until its period ends, and is not renewed; the person can use what is left.',
      on: { 'plan.changed': { target: 'deciding', actions: 'follow' } },
      after: { untilEnd: { target: 'deciding', actions: 'passTime' } },
    },

    refreshing: {
      description:
        'The profile is read again, because the plan may have changed elsewhere; the person waits.',
      tags: 'busy',
      invoke: {
        src: 'refresh',
        input: ({ context }) => ({ uid: context.uid }),
        onDone: { target: 'deciding', actions: withAnswer('keepPlan') },
        onError: { target: 'deciding', actions: 'tellUnclear' },
      },
      after: { callTimeout: { target: 'deciding', actions: 'tellUnclear' } },
    },
  },
})

function isRunning({ subscription, at }: SubscriptionContext): boolean {
  return activePlan(subscription, at) !== null
}

function waitOf({ subscription, at }: SubscriptionContext): number {
  return Math.min(Math.max((subscription.cancelAt ?? at) - at, 0), LONGEST_WAIT)
}

const planIdOf = ({ subscription }: SubscriptionContext): string => subscription.stripeSubscriptionId ?? ''
