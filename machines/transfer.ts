/**
 * Takes a transfer from the form to its receipt. It exists because money must not be charged twice, nor be called
 * sent before the server said so, whatever fails in between: every payment has an attempt id that is older than the
 * first call, the receipt is reached only by the server's answer, and an answer that never came leads to asking
 * again, not to a guess. The form as it was typed survives every failure. Specification, sections 4, 5, 7 and 8.
 */
import { assertEvent, assign, fromPromise, setup } from 'xstate'
import type { Subscription } from '../src/domain/plans.ts'
import type { Result } from '../src/domain/result.ts'
import { type SentLately, twinOf } from '../src/domain/sentLately.ts'
import type { Transaction } from '../src/domain/transaction.ts'
import {
  type CheckedTransfer,
  checkTransfer,
  EMPTY_DRAFT,
  isEmptyDraft,
  isSameForm,
  type TransferDraft,
  type TransferProblem,
  withCountry,
} from '../src/domain/transfer.ts'

/** One intention to pay. The server charges it at most once, however often it is sent. Plain data. */
export interface Attempt {
  readonly id: string
  /** The form it was made from, to show it again after a restart. */
  readonly draft: TransferDraft
  /** What was promised. Another amount, recipient, wallet, coupon or price needs another attempt. */
  readonly transfer: CheckedTransfer
}

export interface Payment {
  readonly clientSecret: string
  readonly paymentIntentId: string
}

/** `status` is the provider's status of the payment: an attempt that is sent again may have been paid already. */
export type Reservation = Payment & { readonly status: string }

export type ReserveProblem =
  | { readonly kind: 'monthlyCapExceeded'; readonly leftCents: number; readonly resetsAt: number }
  | { readonly kind: 'capUnavailable' }
  | { readonly kind: 'quoteChanged' }
  | { readonly kind: 'userNotFound' }
  | { readonly kind: 'sessionExpired' }
  | { readonly kind: 'emailUnverified' }
  /** The attempt is over, without a charge; the next confirmation makes a new one. */
  | { readonly kind: 'attemptEnded' }
  | { readonly kind: 'attemptConflict' }
  /** The payment could not be prepared; trying again is safe. */
  | { readonly kind: 'initFailed' }
  /** Any other refusal, with the server's text, which is shown as it is. */
  | { readonly kind: 'refused'; readonly message: string }

/** The provider's answer to the card payment. It proves nothing yet: the server asks the provider itself. */
export type CardAnswer =
  | { readonly kind: 'answered'; readonly status: string }
  | { readonly kind: 'cardInvalid' }
  | { readonly kind: 'declined'; readonly reason: string; readonly message: string }

/** Where a payment stands, by the server. */
export type RecordAnswer =
  | { readonly outcome: 'paid'; readonly transaction: Transaction }
  | { readonly outcome: 'unpaid'; readonly status: string }
  | { readonly outcome: 'unclear'; readonly status: string }
  | { readonly outcome: 'refunded' }

export type ReleaseAnswer = { readonly outcome: 'released' } | RecordAnswer

/** What the person is told above the form, by the names of the specification's section 8 where it has one. */
export type CheckoutProblem =
  | ReserveProblem
  | { readonly kind: 'offline' }
  | { readonly kind: 'cardInvalid' }
  /** The card was declined. */
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  | { readonly kind: 'notCharged' }
  | { readonly kind: 'statusUnclear' }
  /** The bank waits for the person. Nothing is charged without; the same attempt can be paid again. */
  | { readonly kind: 'bankUnfinished' }
  /** The person went on while the outcome is still open. */
  | { readonly kind: 'stillChecking' }
  | { readonly kind: 'refunded' }

export interface Payer {
  readonly uid: string
  readonly subscription: Subscription
}

export interface CheckoutInput {
  readonly profile: Payer
  readonly isOnline: boolean
  /** An empty form otherwise. */
  readonly draft?: TransferDraft
}

export interface CheckoutContext {
  readonly profile: Payer
  readonly isOnline: boolean
  readonly draft: TransferDraft
  /** Whether the form is one that the device had kept, and nobody has touched since. */
  readonly isRestored: boolean
  /** What is wrong with the form, since it was last confirmed. */
  readonly problems: readonly TransferProblem[]
  readonly problem: CheckoutProblem | null
  /** Kept after a refusal, so that confirming the same transfer again can't charge it a second time. */
  readonly attempt: Attempt | null
  /** The attempt of a transfer that was changed since; to be given up before the new one reserves its amount. */
  readonly formerAttemptId: string | null
  /** The open payment form. Its secret is not to be kept on the device. */
  readonly payment: Payment | null
  /** How often the server could not tell the outcome. */
  readonly unclearAnswers: number
  /** What the receipt shows. */
  readonly transaction: Transaction | null
  /** What was sent a moment ago and is the same as what was confirmed: the person is asked whether to send it again. */
  readonly twin: SentLately | null
}

export type CheckoutEvent =
  | { type: 'draft.change'; patch: Partial<TransferDraft> }
  /** The form as the device kept it. It never goes on by itself: the person confirms it, at the price of today. */
  | { type: 'draft.restore'; draft: TransferDraft }
  | { type: 'draft.clear' }
  /**
   * `attemptId`: a fresh UUID, used if this is a new attempt. `at`: now, in UTC ms. `lately`: what this device sent, in any
   * tab, as far as its rows tell.
   */
  | { type: 'transfer.confirm'; attemptId: string; at: number; lately: readonly SentLately[] }
  /** Yes, the same once more. `attemptId` and `at` as above. */
  | { type: 'again.confirm'; attemptId: string; at: number }
  | { type: 'again.leave' }
  | { type: 'payment.submit' }
  | { type: 'payment.close' }
  | { type: 'outcome.ask' }
  | { type: 'outcome.leave' }
  | { type: 'receipt.close' }
  | { type: 'problem.dismiss' }
  | { type: 'profile.changed'; profile: Payer }
  | { type: 'network.lost' }
  | { type: 'network.back' }

interface AttemptInput {
  readonly uid: string
  readonly attemptId: string
}

type Answer = ReleaseAnswer

const outputOf = <T>({ event }: { event: { output: T } }) => event.output

/** What the server's word about the payment leads to, wherever it was asked. Only `unclear` leaves the question open, unless it is the bank that waits for the person. */
const settled = [
  {
    guard: { type: 'isPaid', params: outputOf<Answer> },
    target: '#transfer.receipt',
    actions: [
      { type: 'showReceipt', params: outputOf<Answer> },
      'emptyPaidForm',
      'endAttempt',
      'closePayment',
    ],
  },
  {
    guard: { type: 'isRefunded', params: outputOf<Answer> },
    target: '#transfer.editing',
    actions: [{ type: 'tell', params: { kind: 'refunded' } }, 'endAttempt', 'closePayment'],
  },
  {
    guard: { type: 'isAwaitingBank', params: outputOf<Answer> },
    target: '#transfer.editing',
    actions: [{ type: 'tell', params: { kind: 'bankUnfinished' } }, 'closePayment'],
  },
  {
    guard: { type: 'isUnpaid', params: outputOf<Answer> },
    target: '#transfer.editing',
    actions: [
      { type: 'tell', params: { kind: 'notCharged' } },
      { type: 'endAttemptIfCanceled', params: outputOf<Answer> },
      'closePayment',
    ],
  },
] as const

/** Where a confirmed transfer goes on. */
const confirmed = [
  { guard: 'hasOtherTransferUnderWay', target: 'releasingFormerAttempt', actions: 'takeUpAttempt' },
  { target: 'reservingAmount', actions: 'takeUpAttempt' },
] as const

export const transferMachine = setup({
  types: {
    context: {} as CheckoutContext,
    events: {} as CheckoutEvent,
    input: {} as CheckoutInput,
    /** `paying`: a reload or an update of the app has to wait. */
    tags: {} as 'busy' | 'paying',
  },
  actors: {
    /** Reads from the device, asking nobody: the newest attempt that has not come to an end, or null. */
    findOpenAttempt: fromPromise<Attempt | null, { uid: string }>(() => unprovided('findOpenAttempt')),
    /**
     * Keeps the attempt on the device **before** it calls the server. Resolves with the refusals it knows. Where
     * `isAttemptOver` says so of the refusal, takes the attempt from the device again. Rejects when there is no
     * answer.
     */
    reserve: fromPromise<Result<Reservation, ReserveProblem>, { uid: string; attempt: Attempt }>(() =>
      unprovided('reserve'),
    ),
    /** Confirms the payment with the card in the open form. Rejects when the outcome is unknown. */
    confirmCard: fromPromise<CardAnswer, { clientSecret: string }>(() => unprovided('confirmCard')),
    /**
     * Asks the server where the payment stands. A paid transfer it puts among those on the device. Takes the attempt
     * from the device when it is paid, refunded, or unpaid because it was canceled. Rejects when there is no answer.
     */
    record: fromPromise<RecordAnswer, AttemptInput>(() => unprovided('record')),
    /** Asks the server to give the attempt up; the device is treated as `record` does. Rejects when there is no answer. */
    release: fromPromise<ReleaseAnswer, AttemptInput>(() => unprovided('release')),
  },
  actions: {
    changeDraft: assign(({ context, event }) => {
      assertEvent(event, 'draft.change')
      const { patch } = event
      // What was wrong with the other fields may have been so only for the former country or currency.
      const isOfOtherKind = 'country' in patch || 'currency' in patch
      return {
        draft: patched(context.draft, patch),
        isRestored: false,
        problems: isOfOtherKind ? [] : context.problems.filter(({ field }) => !(field in patch)),
        problem: null,
      }
    }),
    restoreDraft: assign(({ event }) => {
      assertEvent(event, 'draft.restore')
      return { draft: { ...event.draft, phoneConfirmed: false }, isRestored: true }
    }),
    clearDraft: assign(({ context: { draft } }) => ({
      draft: emptyLike(draft),
      isRestored: false,
      problems: [],
      problem: null,
    })),
    showFieldProblems: assign(({ context, event }) => {
      const checked = check(context, event)
      return { problems: checked.ok ? [] : checked.error, problem: null }
    }),
    takeUpAttempt: assign(({ context, event }) => {
      assertEvent(event, ['transfer.confirm', 'again.confirm'])
      const { draft, attempt } = context
      const checked = check(context, event)
      if (!checked.ok) return {}
      const isSame = attempt !== null && isSameTransfer(attempt.transfer, checked.value)
      return {
        attempt: { id: isSame ? attempt.id : event.attemptId, draft, transfer: checked.value },
        formerAttemptId: isSame ? null : (attempt?.id ?? null),
        isRestored: false,
        problems: [],
        problem: null,
      }
    }),
    noteTwin: assign(({ context, event }) => ({ twin: twinIn(context, event), problems: [], problem: null })),
    forgetTwin: assign({ twin: null }),
    resumeAttempt: assign(({ context: { draft } }, attempt: Attempt | null) =>
      attempt ? { attempt, draft: draft.amount === '' ? attempt.draft : draft } : {},
    ),
    openPayment: assign((_, answer: Result<Reservation, ReserveProblem>) => {
      if (!answer.ok) return {}
      const { clientSecret, paymentIntentId } = answer.value
      return { payment: { clientSecret, paymentIntentId } }
    }),
    tellRefusal: assign(({ context }, answer: Result<Reservation, ReserveProblem>) => {
      if (answer.ok) return {}
      return { problem: answer.error, attempt: isAttemptOver(answer.error) ? null : context.attempt }
    }),
    tellDecline: assign((_, answer: CardAnswer) =>
      answer.kind === 'declined'
        ? { problem: { kind: 'failed', reason: answer.reason, message: answer.message } }
        : {},
    ),
    tell: assign((_, problem: CheckoutProblem) => ({ problem })),
    clearProblem: assign({ problem: null }),
    closePayment: assign({ payment: null }),
    endAttempt: assign({ attempt: null }),
    endAttemptIfCanceled: assign(({ context }, answer: Answer) => ({
      attempt: answer.outcome === 'unpaid' && answer.status === 'canceled' ? null : context.attempt,
    })),
    forgetFormerAttempt: assign({ formerAttemptId: null }),
    countUnclearAnswer: assign({ unclearAnswers: ({ context }) => context.unclearAnswers + 1 }),
    startCounting: assign({ unclearAnswers: 0 }),
    showReceipt: assign((_, answer: Answer) =>
      answer.outcome === 'paid' ? { transaction: answer.transaction } : {},
    ),
    closeReceipt: assign({ transaction: null }),
    emptyPaidForm: assign(({ context: { draft, attempt } }) => ({
      draft: attempt && isSameForm(attempt.draft, draft) ? emptyLike(draft) : draft,
      problems: [],
      problem: null,
    })),
    changeProfile: assign(({ event }) => {
      assertEvent(event, 'profile.changed')
      return { profile: event.profile }
    }),
    noteNetworkLost: assign({ isOnline: false }),
    noteNetworkBack: assign(({ context: { problem } }) => ({
      isOnline: true,
      problem: problem?.kind === 'offline' ? null : problem,
    })),
  },
  guards: {
    isFormEmpty: ({ context }) => isEmptyDraft(context.draft),
    hasFieldProblems: ({ context, event }) => !check(context, event).ok,
    isOffline: ({ context }) => !context.isOnline,
    isOnline: ({ context }) => context.isOnline,
    // An attempt that is taken up again was asked about before, and is charged once.
    isSentLately: ({ context, event }) => twinIn(context, event) !== null,
    hasOtherTransferUnderWay: ({ context, event }) => {
      const checked = check(context, event)
      return (
        context.attempt !== null && checked.ok && !isSameTransfer(context.attempt.transfer, checked.value)
      )
    },
    hasAttempt: (_, attempt: Attempt | null) => attempt !== null,
    isRefused: (_, answer: Result<Reservation, ReserveProblem>) => !answer.ok,
    isReservationPaid: (_, answer: Result<Reservation, ReserveProblem>) =>
      answer.ok && answer.value.status === 'succeeded',
    isReservationUnderWay: (_, answer: Result<Reservation, ReserveProblem>) =>
      answer.ok && answer.value.status === 'processing',
    isCardInvalid: (_, answer: CardAnswer) => answer.kind === 'cardInvalid',
    isDeclined: (_, answer: CardAnswer) => answer.kind === 'declined',
    isCharged: (_, answer: CardAnswer) => answer.kind === 'answered' && answer.status === 'succeeded',
    isPaid: (_, answer: Answer) => answer.outcome === 'paid',
    isUnpaid: (_, answer: Answer) => answer.outcome === 'unpaid',
    isAwaitingBank: (_, answer: Answer) =>
      answer.outcome === 'unclear' && answer.status === 'requires_action',
    isRefunded: (_, answer: Answer) => answer.outcome === 'refunded',
    isReleased: (_, answer: Answer) => answer.outcome === 'released',
  },
  delays: {
    deviceTimeout: 5_000,
    answerTimeout: 30_000,
    /** Long enough for the bank's own check, which may want a code from another device. */
    bankTimeout: 1_200_000,
    /** 2, 4, 8 … 60 seconds. */
    nextCheck: ({ context }) => Math.min(2_000 * 2 ** context.unclearAnswers, 60_000),
  },
}).createMachine({
  id: 'transfer',
  context: ({ input: { profile, isOnline, draft = EMPTY_DRAFT } }) => ({
    profile,
    isOnline,
    draft,
    isRestored: false,
    problems: [],
    problem: null,
    attempt: null,
    formerAttemptId: null,
    payment: null,
    unclearAnswers: 0,
    transaction: null,
    twin: null,
  }),
  initial: 'resuming',
  on: {
    'profile.changed': { actions: 'changeProfile' },
    'network.lost': { actions: 'noteNetworkLost' },
    'network.back': { actions: 'noteNetworkBack' },
  },
  states: {
    resuming: {
      tags: 'busy',
      invoke: {
        src: 'findOpenAttempt',
        input: ({ context }) => ({ uid: context.profile.uid }),
        onDone: [
          {
            guard: { type: 'hasAttempt', params: outputOf },
            target: 'recording',
            actions: { type: 'resumeAttempt', params: outputOf },
          },
          { target: 'editing' },
        ],
        onError: 'editing',
      },
      after: { deviceTimeout: 'editing' },
      on: {
        'draft.change': { actions: 'changeDraft' },
        'draft.restore': { guard: 'isFormEmpty', actions: 'restoreDraft' },
      },
    },

    editing: {
      on: {
        'draft.change': { actions: 'changeDraft' },
        'draft.restore': { guard: 'isFormEmpty', actions: 'restoreDraft' },
        'draft.clear': { actions: 'clearDraft' },
        'problem.dismiss': { actions: 'clearProblem' },
        'transfer.confirm': [
          { guard: 'hasFieldProblems', actions: 'showFieldProblems' },
          { guard: 'isOffline', actions: { type: 'tell', params: { kind: 'offline' } } },
          { guard: 'isSentLately', target: 'askingWhetherAgain', actions: 'noteTwin' },
          ...confirmed,
        ],
      },
    },

    // The same form in two tabs would be charged twice: to the server these are two transfers, as they may well be.
    askingWhetherAgain: {
      on: {
        'again.confirm': [
          {
            guard: 'isOffline',
            target: 'editing',
            actions: { type: 'tell', params: { kind: 'offline' } },
          },
          ...confirmed,
        ],
        'again.leave': 'editing',
      },
      exit: 'forgetTwin',
    },

    // Before and not beside the new reservation: what the former one holds would count against the cap and the plan.
    releasingFormerAttempt: {
      tags: ['busy', 'paying'],
      invoke: {
        src: 'release',
        input: ({ context }) => ({ uid: context.profile.uid, attemptId: formerAttemptIdOf(context) }),
        onDone: [
          {
            // The former transfer went through after all. The new one stays in the form, for the person to decide.
            guard: { type: 'isPaid', params: outputOf },
            target: 'receipt',
            actions: [{ type: 'showReceipt', params: outputOf }, 'endAttempt'],
          },
          { target: 'reservingAmount' },
        ],
        // The former attempt stays on the device, to be asked about at the next start. That must not lock anybody out.
        onError: 'reservingAmount',
      },
      after: { answerTimeout: 'reservingAmount' },
      exit: 'forgetFormerAttempt',
    },

    reservingAmount: {
      tags: ['busy', 'paying'],
      invoke: {
        src: 'reserve',
        input: ({ context }) => ({ uid: context.profile.uid, attempt: attemptOf(context) }),
        onDone: [
          {
            guard: { type: 'isRefused', params: outputOf },
            target: 'editing',
            actions: { type: 'tellRefusal', params: outputOf },
          },
          { guard: { type: 'isReservationPaid', params: outputOf }, target: 'recording' },
          { guard: { type: 'isReservationUnderWay', params: outputOf }, target: 'checkingOutcome' },
          { target: 'awaitingCard', actions: { type: 'openPayment', params: outputOf } },
        ],
        onError: { target: 'editing', actions: { type: 'tell', params: { kind: 'initFailed' } } },
      },
      after: {
        answerTimeout: { target: 'editing', actions: { type: 'tell', params: { kind: 'initFailed' } } },
      },
    },

    awaitingCard: {
      tags: 'paying',
      on: {
        'payment.submit': [
          { guard: 'isOnline', target: 'confirmingCard', actions: 'clearProblem' },
          { actions: { type: 'tell', params: { kind: 'offline' } } },
        ],
        'payment.close': { target: 'releasingAmount', actions: 'clearProblem' },
      },
    },

    releasingAmount: {
      tags: ['busy', 'paying'],
      entry: 'closePayment',
      invoke: {
        src: 'release',
        input: ({ context }) => ({ uid: context.profile.uid, attemptId: attemptOf(context).id }),
        onDone: [
          { guard: { type: 'isReleased', params: outputOf }, target: 'editing', actions: 'endAttempt' },
          ...settled,
          { target: 'checkingOutcome' },
        ],
        onError: 'editing',
      },
      after: { answerTimeout: 'editing' },
    },

    confirmingCard: {
      tags: ['busy', 'paying'],
      invoke: {
        src: 'confirmCard',
        input: ({ context }) => ({ clientSecret: paymentOf(context).clientSecret }),
        onDone: [
          {
            guard: { type: 'isCardInvalid', params: outputOf },
            target: 'awaitingCard',
            actions: { type: 'tell', params: { kind: 'cardInvalid' } },
          },
          {
            guard: { type: 'isDeclined', params: outputOf },
            target: 'editing',
            actions: [{ type: 'tellDecline', params: outputOf }, 'closePayment'],
          },
          { guard: { type: 'isCharged', params: outputOf }, target: 'recording' },
          { target: 'checkingOutcome.asking' },
        ],
        onError: 'checkingOutcome.asking',
      },
      after: { bankTimeout: 'checkingOutcome.asking' },
    },

    recording: {
      tags: ['busy', 'paying'],
      invoke: {
        src: 'record',
        input: ({ context }) => ({ uid: context.profile.uid, attemptId: attemptOf(context).id }),
        onDone: [...settled, { target: 'checkingOutcome' }],
        onError: 'checkingOutcome',
      },
      after: { answerTimeout: 'checkingOutcome' },
    },

    checkingOutcome: {
      tags: 'paying',
      entry: ['startCounting', 'closePayment', { type: 'tell', params: { kind: 'statusUnclear' } }],
      initial: 'waiting',
      on: {
        'outcome.leave': { target: 'editing', actions: { type: 'tell', params: { kind: 'stillChecking' } } },
      },
      states: {
        waiting: {
          after: { nextCheck: { guard: 'isOnline', target: 'asking' } },
          on: {
            'outcome.ask': 'asking',
            'network.back': { target: 'asking', actions: 'noteNetworkBack' },
          },
        },
        asking: {
          tags: 'busy',
          invoke: {
            src: 'record',
            input: ({ context }) => ({ uid: context.profile.uid, attemptId: attemptOf(context).id }),
            onDone: [...settled, { target: 'waiting', actions: 'countUnclearAnswer' }],
            onError: { target: 'waiting', actions: 'countUnclearAnswer' },
          },
          after: { answerTimeout: { target: 'waiting', actions: 'countUnclearAnswer' } },
        },
      },
    },

    receipt: {
      on: { 'receipt.close': { target: 'editing', actions: 'closeReceipt' } },
    },
  },
})

/**
 * Whether a refusal says that nothing can come of this attempt any more. The next confirmation then makes another one.
 */
export function isAttemptOver({ kind }: ReserveProblem): boolean {
  return (
    kind === 'monthlyCapExceeded' ||
    kind === 'quoteChanged' ||
    kind === 'attemptEnded' ||
    kind === 'attemptConflict'
  )
}

function unprovided(actor: string): Promise<never> {
  return Promise.reject(new Error(`${actor} must be provided`))
}

function check({ draft, profile }: CheckoutContext, event: CheckoutEvent) {
  assertEvent(event, ['transfer.confirm', 'again.confirm'])
  return checkTransfer(draft, { subscription: profile.subscription, now: event.at })
}

/** What was sent a moment ago and is the same as what is confirmed now, other than by the attempt that is under way. */
function twinIn(context: CheckoutContext, event: CheckoutEvent): SentLately | null {
  assertEvent(event, 'transfer.confirm')
  const { attempt } = context
  const checked = check(context, event)
  if (!checked.ok || (attempt && isSameTransfer(attempt.transfer, checked.value))) return null
  return twinOf(
    checked.value,
    event.lately.filter(({ id }) => id !== attempt?.id),
    event.at,
  )
}

/** Whether the server would take them for the same attempt. */
function isSameTransfer(one: CheckedTransfer, other: CheckedTransfer): boolean {
  return (
    one.gross.minor === other.gross.minor &&
    one.gross.currency === other.gross.currency &&
    one.phone === other.phone &&
    one.receivingMethod === other.receivingMethod &&
    one.coupon === other.coupon &&
    one.quote.fee.minor === other.quote.fee.minor &&
    one.quote.converted.minor === other.quote.converted.minor
  )
}

function patched(draft: TransferDraft, patch: Partial<TransferDraft>): TransferDraft {
  const isMoved = patch.country !== undefined && patch.country !== draft.country
  return { ...(isMoved ? withCountry(draft, patch.country) : draft), ...patch }
}

function emptyLike({ currency, country }: TransferDraft): TransferDraft {
  return withCountry({ ...EMPTY_DRAFT, currency }, country)
}

// The states that need these are reached only with them in place.
function attemptOf({ attempt }: CheckoutContext): Attempt {
  if (!attempt) throw new Error('No attempt is under way')
  return attempt
}

function formerAttemptIdOf({ formerAttemptId }: CheckoutContext): string {
  if (formerAttemptId === null) throw new Error('No former attempt is to be released')
  return formerAttemptId
}

function paymentOf({ payment }: CheckoutContext): Payment {
  if (!payment) throw new Error('No payment form is open')
  return payment
}
