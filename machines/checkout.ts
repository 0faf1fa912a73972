/**
 * Takes a payment from the form to its receipt, whatever is paid for. It exists because money must not be charged twice, nor be
 * called sent before the server said so, whatever fails in between: every payment has an attempt id that is older than the
 * first call, the receipt is reached only by the server's answer, and an answer that never came leads to asking
 * again, not to a guess. The form as it was typed survives every failure. Transfers and invoices each bring the rules of
 * their own form, and everything else is the same. Specification, sections 4, 5, 7 and 8.
 */
import { assertEvent, assign, fromPromise, setup } from 'xstate'
import type { PaymentStarted, Settlement } from '../domain/api.ts'
import type { Result } from '../domain/result.ts'
import { outputOf, unprovided } from './actors.ts'

/** One intention to pay. The server charges it at most once, however often it is sent. Plain data. */
export interface Attempt<Draft, Order> {
  readonly id: string
  /** The form it was made from, to show it again after a restart. */
  readonly draft: Draft
  /** What was promised. Another order needs another attempt. */
  readonly order: Order
  /** The same payment of a moment ago that the person was asked about and wants once more; null when nobody asked. */
  readonly again: string | null
}

export interface Payment {
  readonly clientSecret: string
  readonly paymentIntentId: string
}

/** What the server may refuse of any payment. */
export type CommonRefusal =
  | { readonly kind: 'userNotFound' }
  | { readonly kind: 'sessionExpired' }
  | { readonly kind: 'emailUnverified' }
  /** The attempt is over, without a charge; the next confirmation makes a new one. */
  | { readonly kind: 'attemptEnded' }
  | { readonly kind: 'attemptConflict' }
  /** The payment could not be prepared; trying again is safe. */
  | { readonly kind: 'initFailed' }
  /** `retryAfterSeconds`: whole seconds. */
  | { readonly kind: 'tooManyRequests'; readonly retryAfterSeconds: number }
  /** The person may not pay for now; nobody says why. */
  | { readonly kind: 'paymentsPaused' }
  /** So many cards of the person were declined that none is taken for a while; whole seconds. */
  | { readonly kind: 'tooManyDeclines'; readonly retryAfterSeconds: number }
  /** Nobody can pay for now. */
  | { readonly kind: 'paymentsClosed' }
  /** Any other refusal, in the server's own words; empty without any. */
  | { readonly kind: 'refused'; readonly said: string }

/** The provider's answer to the card payment. It proves nothing yet: the server asks the provider itself. */
export type CardAnswer =
  | { readonly kind: 'answered'; readonly status: string }
  | { readonly kind: 'cardInvalid' }
  | { readonly kind: 'declined'; readonly reason: string; readonly message: string }

/** Where a payment stands, by the server, with the receipt of its kind. */
export type RecordAnswer<Receipt> =
  | { readonly outcome: 'paid'; readonly receipt: Receipt }
  | Exclude<Settlement, { readonly outcome: 'paid' }>

export type ReleaseAnswer<Receipt> = { readonly outcome: 'released' } | RecordAnswer<Receipt>

/** What the person is told above the form, by the names of the specification's section 8 where it has one. */
export type CheckoutProblem<Refusal> = CommonProblem | Refusal

export type CommonProblem =
  | CommonRefusal
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
  | { readonly kind: 'disputed' }

/**
 * What one kind of payment adds: its form, and when two orders are one. `Payer` is who pays, with what the form's rules need
 * to know of them; `Order` is a form that keeps every rule; `Refusal` is what the server may refuse of this kind only,
 * `Duplicate` what was paid a moment ago and may be the same once more.
 */
export interface CheckoutRules<Payer, Draft, Order, Problem, Refusal, Duplicate> {
  /** Of the machine. */
  readonly id: string
  readonly emptyDraft: Draft
  /** Whether there is nothing in the form that somebody would miss. */
  readonly isEmpty: (draft: Draft) => boolean
  readonly change: (draft: Draft, patch: Partial<Draft>) => Draft
  /** Of the problems that were shown, those that the change leaves. */
  readonly stillWrong: (problems: readonly Problem[], patch: Partial<Draft>) => readonly Problem[]
  /** The form as it comes back from the device. */
  readonly restore: (draft: Draft) => Draft
  /** A fresh form for who has just sent this one. */
  readonly emptyLike: (draft: Draft) => Draft
  /** `at`: now, in UTC ms. `own`: the order of the attempt that is open here. */
  readonly check: (
    draft: Draft,
    payer: Payer,
    at: number,
    own: Order | null,
  ) => Result<Order, readonly Problem[]>
  /** Whether both forms are the same payment, rather than one typed since. */
  readonly isSameForm: (one: Draft, other: Draft) => boolean
  /** Whether the server would take them for the same attempt. */
  readonly isSameOrder: (one: Order, other: Order) => boolean
  /** What was paid a moment ago and is the same order. Null where the server itself refuses the same twice: nobody is asked then. */
  readonly duplicates: {
    readonly find: (order: Order, recent: readonly Duplicate[], at: number) => Duplicate | null
    /** The one that the server knows of, whichever device it is from. */
    readonly refused: (refusal: CommonRefusal | Refusal) => Duplicate | null
  } | null
  /** How the price follows what is known of the payer, which may change elsewhere and with time. Null where it does not. */
  readonly prices: {
    readonly isSame: (one: Order, other: Order) => boolean
    /** The payer with the newer facts that a refusal brings, and of when they are (UTC ms, null when it is not told); null without any. */
    readonly learn: (
      payer: Payer,
      refusal: CommonRefusal | Refusal,
    ) => { readonly profile: Payer; readonly at: number | null } | null
    /** The payer once what the order held is given back. */
    readonly free: (payer: Payer, order: Order) => Payer
  } | null
  /** Whether a refusal says that nothing can come of this attempt any more. */
  readonly isAttemptOver: (refusal: CommonRefusal | Refusal) => boolean
}

/**
 * Where the form comes from. As long as nobody has touched it: `kept` is one that was begun and never sent, `attempt` that of an
 * attempt which was taken up again, and may be paid.
 */
export type Origin = 'typed' | 'kept' | 'attempt'

export interface CheckoutInput<Payer, Draft> {
  readonly profile: Payer
  readonly isOnline: boolean
  /** Now, in UTC ms by the server's clock, as every instant that the machine is told. */
  readonly at: number
  /** An empty form otherwise. */
  readonly draft?: Draft
}

export interface CheckoutContext<Payer, Draft, Order, Problem, Refusal, Receipt, Duplicate> {
  readonly profile: Payer
  /** The instant (UTC ms) whose price stands on the screen. */
  readonly at: number
  readonly isOnline: boolean
  readonly draft: Draft
  readonly origin: Origin
  /** What is wrong with the form, since it was last confirmed. */
  readonly problems: readonly Problem[]
  readonly problem: CheckoutProblem<Refusal> | null
  /** The price of the form has become another one since the person saw it, other than by what they typed. */
  readonly change: { readonly before: Order; readonly after: Order } | null
  /** Kept after a refusal, so that confirming the same order again can't charge it a second time. */
  readonly attempt: Attempt<Draft, Order> | null
  /** The attempt of an order that was changed since; to be given up before the new one is reserved. */
  readonly formerAttemptId: string | null
  /** The open payment form. Its secret is not to be kept on the device. */
  readonly payment: Payment | null
  /** How often the server could not tell the outcome. */
  readonly unclearAnswers: number
  /** What was paid. */
  readonly receipt: Receipt | null
  /** What was paid a moment ago and is the same as what was confirmed: the person is asked whether to pay it again. */
  readonly duplicate: Duplicate | null
}

export type CheckoutEvent<Payer, Draft, Duplicate> =
  | { type: 'draft.change'; patch: Partial<Draft> }
  /**
   * The form as the device kept it, which may come before or after the attempt that is open there. It never goes on by itself: the
   * person confirms it, at the price of today.
   */
  | { type: 'draft.restore'; draft: Draft }
  | { type: 'draft.clear' }
  /**
   * `attemptId`: a fresh UUID, used if this is a new attempt. `at`: now, in UTC ms. `recent`: what this device paid, in any
   * tab, as far as its rows tell.
   */
  | { type: 'form.confirm'; attemptId: string; at: number; recent: readonly Duplicate[] }
  /** Yes, the same once more. `attemptId` and `at` as above. */
  | { type: 'again.confirm'; attemptId: string; at: number }
  | { type: 'again.leave' }
  | { type: 'payment.submit' }
  | { type: 'payment.close' }
  | { type: 'outcome.ask' }
  | { type: 'outcome.leave' }
  | { type: 'receipt.close' }
  | { type: 'problem.dismiss' }
  /** What the device knows of the payer now; what is left out stays. */
  | { type: 'profile.changed'; profile: Partial<Payer> }
  /** The price may be another one by now. `at`: now, in UTC ms. */
  | { type: 'time.passed'; at: number }
  | { type: 'network.lost' }
  | { type: 'network.back' }

interface AttemptInput {
  readonly uid: string
  readonly attemptId: string
}

/** The machine for one kind of payment. */
export function createCheckout<
  Payer extends { readonly uid: string },
  Draft extends object,
  Order,
  Problem extends { readonly field: string },
  Refusal extends { readonly kind: string },
  Receipt,
  Duplicate extends { readonly id: string },
>(rules: CheckoutRules<Payer, Draft, Order, Problem, Refusal, Duplicate>) {
  type Context = CheckoutContext<Payer, Draft, Order, Problem, Refusal, Receipt, Duplicate>
  type Event = CheckoutEvent<Payer, Draft, Duplicate>
  type Sent = Attempt<Draft, Order>
  type Reserved = Result<PaymentStarted, CommonRefusal | Refusal>

  type Answer = ReleaseAnswer<Receipt>

  /** What the server's word about the payment leads to, wherever it was asked. Only `unclear` leaves the question open, unless it is the bank that waits for the person. */
  const settled = [
    {
      guard: { type: 'isPaid', params: outputOf<Answer> },
      target: `#${rules.id}.receipt`,
      actions: [
        { type: 'showReceipt', params: outputOf<Answer> },
        'emptyPaidForm',
        'endAttempt',
        'closePayment',
      ],
    },
    {
      guard: { type: 'isRefunded', params: outputOf<Answer> },
      target: `#${rules.id}.editing`,
      actions: [{ type: 'tell', params: { kind: 'refunded' } }, 'freeAttempt', 'closePayment'],
    },
    {
      guard: { type: 'isDisputed', params: outputOf<Answer> },
      target: `#${rules.id}.editing`,
      actions: [{ type: 'tell', params: { kind: 'disputed' } }, 'freeAttempt', 'closePayment'],
    },
    {
      guard: { type: 'isAwaitingBank', params: outputOf<Answer> },
      target: `#${rules.id}.editing`,
      actions: [{ type: 'tell', params: { kind: 'bankUnfinished' } }, 'closePayment'],
    },
    {
      guard: { type: 'isUnpaid', params: outputOf<Answer> },
      target: `#${rules.id}.editing`,
      actions: [
        { type: 'tell', params: { kind: 'notCharged' } },
        { type: 'freeAttemptIfCanceled', params: outputOf<Answer> },
        'closePayment',
      ],
    },
  ] as const

  /** Of a form that the device had: what was sent is never shown as one that was not. */
  const originOf = (draft: Draft, attempt: Sent | null): Origin =>
    attempt && rules.isSameForm(attempt.draft, draft) ? 'attempt' : 'kept'

  const orderOf = ({ draft, profile, attempt }: Context, at: number) =>
    rules.check(draft, profile, at, attempt?.order ?? null)

  /** A price that was shown for a later moment, by newer news of the server, is not taken back. */
  const confirmedAt = (context: Context, event: Event) => {
    assertEvent(event, ['form.confirm', 'again.confirm'])
    return Math.max(event.at, context.at)
  }

  const check = (context: Context, event: Event) => orderOf(context, confirmedAt(context, event))

  /** How the price of the same form differs in two moments, null when it does not, or nothing can be paid. */
  const changeBetween = (one: Context, other: Context): Context['change'] => {
    const before = orderOf(one, one.at)
    const after = orderOf(other, other.at)
    if (!before.ok || !after.ok || rules.prices?.isSame(before.value, after.value) !== false) return null
    return { before: before.value, after: after.value }
  }

  /** What follows from newer facts. What the person has not seen yet counts from what they saw last. */
  const follow = (context: Context, news: Partial<Context>): Partial<Context> => {
    const change = changeBetween(context, { ...context, ...news })
    if (!change) return news
    const before = context.change?.before ?? change.before
    return { ...news, change: rules.prices?.isSame(before, change.after) ? null : { ...change, before } }
  }

  /** What was paid a moment ago and is the same as what is confirmed now, other than by the attempt that is under way. */
  const duplicateIn = (context: Context, event: Event): Duplicate | null => {
    assertEvent(event, 'form.confirm')
    const { attempt } = context
    const checked = check(context, event)
    if (!checked.ok || (attempt && rules.isSameOrder(attempt.order, checked.value))) return null
    const others = event.recent.filter(({ id }) => id !== attempt?.id)
    return rules.duplicates?.find(checked.value, others, event.at) ?? null
  }

  const refusedDuplicate = (answer: Reserved): Duplicate | null =>
    answer.ok ? null : (rules.duplicates?.refused(answer.error) ?? null)

  const freed = ({ profile, attempt }: Context) => ({
    attempt: null,
    profile: attempt && rules.prices ? rules.prices.free(profile, attempt.order) : profile,
  })

  /** Where a confirmed order goes on. */
  const confirmed = [
    { guard: 'hasOtherOrderUnderWay', target: 'releasingFormerAttempt', actions: 'takeUpAttempt' },
    { target: 'reserving', actions: 'takeUpAttempt' },
  ] as const

  const following = {
    'profile.changed': { actions: 'followProfile' },
    'time.passed': { actions: 'followTime' },
  } as const
  // Nobody is charged at another price than the one that stood there when they pressed.
  const repriced = rules.prices
    ? ([{ guard: 'isPriceChanged', target: 'editing', actions: 'showChange' }] as const)
    : []

  // The same form in two tabs, or on two devices, would be charged twice: these are two orders, as they may well be.
  const asking = {
    askingWhetherAgain: {
      on: {
        'again.confirm': [
          {
            guard: 'isOffline',
            target: 'editing',
            actions: [{ type: 'tell', params: { kind: 'offline' } }, 'forgetDuplicate'],
          },
          ...repriced,
          ...confirmed,
        ],
        'again.leave': { target: 'editing', actions: 'forgetDuplicate' },
      },
    },
  } as const
  const asked = [{ guard: 'isDuplicate', target: 'askingWhetherAgain', actions: 'noteDuplicate' }] as const
  const askedByServer = [
    {
      guard: { type: 'isSentAlready', params: outputOf<Reserved> },
      target: 'askingWhetherAgain',
      actions: [{ type: 'noteServersTwin', params: outputOf<Reserved> }, 'endAttempt'],
    },
  ] as const

  return setup({
    types: {
      context: {} as Context,
      events: {} as Event,
      input: {} as CheckoutInput<Payer, Draft>,
      /** `paying`: a reload or an update of the app has to wait. `open`: the form takes what is typed. */
      tags: {} as 'busy' | 'paying' | 'open',
    },
    actors: {
      /** Reads from the device, asking nobody: the newest attempt that has not come to an end, or null. */
      findOpenAttempt: fromPromise<Sent | null, { uid: string }>(async () => unprovided('findOpenAttempt')),
      /**
       * Keeps the attempt on the device **before** it calls the server. Resolves with the refusals it knows. Where
       * `isAttemptOver` says so of the refusal, takes the attempt from the device again. Rejects when there is no
       * answer.
       */
      reserve: fromPromise<Reserved, { uid: string; attempt: Sent }>(async () => unprovided('reserve')),
      /** Confirms the payment with the card in the open form. Rejects when the outcome is unknown. */
      confirmCard: fromPromise<CardAnswer, { clientSecret: string }>(async () => unprovided('confirmCard')),
      /**
       * Asks the server where the payment stands. What was paid it puts among the receipts on the device. Takes the attempt
       * from the device when it is paid, refunded, or unpaid because it was canceled. Rejects when there is no answer.
       */
      record: fromPromise<RecordAnswer<Receipt>, AttemptInput>(async () => unprovided('record')),
      /** Asks the server to give the attempt up; the device is treated as `record` does. Rejects when there is no answer. */
      release: fromPromise<ReleaseAnswer<Receipt>, AttemptInput>(async () => unprovided('release')),
    },
    actions: {
      changeDraft: assign(({ context, event }) => {
        assertEvent(event, 'draft.change')
        const { patch } = event
        return {
          draft: rules.change(context.draft, patch),
          origin: 'typed' as const,
          problems: rules.stillWrong(context.problems, patch),
          problem: null,
          change: null,
        }
      }),
      restoreDraft: assign(({ context: { attempt }, event }) => {
        assertEvent(event, 'draft.restore')
        return { draft: rules.restore(event.draft), origin: originOf(event.draft, attempt), change: null }
      }),
      clearDraft: assign(({ context: { draft } }) => ({
        draft: rules.emptyLike(draft),
        origin: 'typed',
        problems: [],
        problem: null,
        change: null,
      })),
      showFieldProblems: assign(({ context, event }) => {
        const checked = check(context, event)
        return { problems: checked.ok ? [] : checked.error, problem: null }
      }),
      showChange: assign(({ context, event }) => {
        const at = confirmedAt(context, event)
        return {
          at,
          change: changeBetween(context, { ...context, at }),
          problems: [],
          problem: null,
          duplicate: null,
        }
      }),
      takeUpAttempt: assign(({ context, event }) => {
        assertEvent(event, ['form.confirm', 'again.confirm'])
        const { draft, attempt, duplicate } = context
        const checked = check(context, event)
        if (!checked.ok) return {}
        const isSame = attempt !== null && rules.isSameOrder(attempt.order, checked.value)
        return {
          attempt: {
            id: isSame ? attempt.id : event.attemptId,
            draft,
            order: checked.value,
            again: isSame ? attempt.again : (duplicate?.id ?? null),
          },
          formerAttemptId: isSame ? null : (attempt?.id ?? null),
          origin: 'typed' as const,
          problems: [],
          problem: null,
          change: null,
          duplicate: null,
        }
      }),
      resumeAttempt: assign(({ context: { draft, origin } }, attempt: Sent | null) => {
        if (!attempt) return {}
        if (rules.isEmpty(draft))
          return { attempt, draft: rules.restore(attempt.draft), origin: 'attempt' as const }
        return { attempt, origin: origin === 'kept' ? originOf(draft, attempt) : origin }
      }),
      noteDuplicate: assign(({ context, event }) => ({
        duplicate: duplicateIn(context, event),
        problems: [],
        problem: null,
      })),
      noteServersTwin: assign((_, answer: Reserved) => ({
        duplicate: refusedDuplicate(answer),
        problems: [],
        problem: null,
      })),
      forgetDuplicate: assign({ duplicate: null }),
      openPayment: assign((_, answer: Reserved) => {
        if (!answer.ok) return {}
        const { clientSecret, paymentIntentId } = answer.value
        return { payment: { clientSecret, paymentIntentId } }
      }),
      tellRefusal: assign(({ context }, answer: Reserved) => {
        if (answer.ok) return {}
        const attempt = rules.isAttemptOver(answer.error) ? null : context.attempt
        const learnt = rules.prices?.learn(context.profile, answer.error)
        if (!learnt) return { problem: answer.error, attempt }
        const news = { profile: learnt.profile, at: learnt.at ?? context.at, attempt }
        const checked = orderOf({ ...context, ...news }, news.at)
        if (!checked.ok) return { ...news, problems: checked.error }
        const before = attemptOf(context).order
        // Whose rules are older than the server's can't know its price.
        return rules.prices?.isSame(before, checked.value)
          ? { ...news, problem: answer.error }
          : { ...news, change: { before, after: checked.value } }
      }),
      tellDecline: assign((_, answer: CardAnswer) =>
        answer.kind === 'declined'
          ? { problem: { kind: 'failed', reason: answer.reason, message: answer.message } }
          : {},
      ),
      tell: assign((_, problem: CommonProblem) => ({ problem })),
      clearProblem: assign({ problem: null }),
      closePayment: assign({ payment: null }),
      endAttempt: assign({ attempt: null }),
      /** Nothing was paid with it, so nothing is used up. */
      freeAttempt: assign(({ context }) => freed(context)),
      freeAttemptIfCanceled: assign(({ context }, answer: Answer) =>
        answer.outcome === 'unpaid' && answer.status === 'canceled' ? freed(context) : {},
      ),
      forgetFormerAttempt: assign({ formerAttemptId: null }),
      countUnclearAnswer: assign({ unclearAnswers: ({ context }) => context.unclearAnswers + 1 }),
      startCounting: assign({ unclearAnswers: 0 }),
      showReceipt: assign((_, answer: Answer) =>
        answer.outcome === 'paid' ? { receipt: answer.receipt } : {},
      ),
      closeReceipt: assign({ receipt: null }),
      emptyPaidForm: assign(({ context: { draft, origin, attempt } }) => {
        const isPaidForm = attempt !== null && rules.isSameForm(attempt.draft, draft)
        return {
          draft: isPaidForm ? rules.emptyLike(draft) : draft,
          origin: isPaidForm ? 'typed' : origin,
          problems: [],
          problem: null,
          change: null,
        }
      }),
      changeProfile: assign(({ context, event }) => {
        assertEvent(event, 'profile.changed')
        return { profile: { ...context.profile, ...event.profile } }
      }),
      passTime: assign(({ event }) => {
        assertEvent(event, 'time.passed')
        return { at: event.at }
      }),
      /** The same in sight of the form. */
      followProfile: assign(({ context, event }) => {
        assertEvent(event, 'profile.changed')
        return follow(context, { profile: { ...context.profile, ...event.profile } })
      }),
      followTime: assign(({ context, event }) => {
        assertEvent(event, 'time.passed')
        return follow(context, { at: event.at })
      }),
      noteNetworkLost: assign({ isOnline: false }),
      noteNetworkBack: assign(({ context: { problem } }) => ({
        isOnline: true,
        problem: problem?.kind === 'offline' ? null : problem,
      })),
    },
    guards: {
      // The form of an attempt is in the person's way only until the one comes that they typed since.
      isFormUntouched: ({ context }) => rules.isEmpty(context.draft) || context.origin === 'attempt',
      hasFieldProblems: ({ context, event }) => !check(context, event).ok,
      isOffline: ({ context }) => !context.isOnline,
      isOnline: ({ context }) => context.isOnline,
      // An attempt that is taken up again was asked about before, and is charged once.
      isDuplicate: ({ context, event }) => duplicateIn(context, event) !== null,
      isPriceChanged: ({ context, event }) =>
        changeBetween(context, { ...context, at: confirmedAt(context, event) }) !== null,
      isSentAlready: (_, answer: Reserved) => refusedDuplicate(answer) !== null,
      hasOtherOrderUnderWay: ({ context, event }) => {
        const checked = check(context, event)
        return (
          context.attempt !== null && checked.ok && !rules.isSameOrder(context.attempt.order, checked.value)
        )
      },
      hasAttempt: (_, attempt: Sent | null) => attempt !== null,
      isRefused: (_, answer: Reserved) => !answer.ok,
      isReservationPaid: (_, answer: Reserved) => answer.ok && answer.value.status === 'succeeded',
      isReservationUnderWay: (_, answer: Reserved) => answer.ok && answer.value.status === 'processing',
      isCardInvalid: (_, answer: CardAnswer) => answer.kind === 'cardInvalid',
      isDeclined: (_, answer: CardAnswer) => answer.kind === 'declined',
      isCharged: (_, answer: CardAnswer) => answer.kind === 'answered' && answer.status === 'succeeded',
      isPaid: (_, answer: Answer) => answer.outcome === 'paid',
      isUnpaid: (_, answer: Answer) => answer.outcome === 'unpaid',
      isAwaitingBank: (_, answer: Answer) =>
        answer.outcome === 'unclear' && answer.status === 'requires_action',
      isRefunded: (_, answer: Answer) => answer.outcome === 'refunded',
      isDisputed: (_, answer: Answer) => answer.outcome === 'disputed',
      isReleased: (_, answer: Answer) => answer.outcome === 'released',
    },
    delays: {
      answerTimeout: 30_000,
      /** After it the person is told what is waited for, and may leave. */
      bankPatience: 45_000,
      /** Long enough for the bank's own check, which may want a code from another device. */
      bankTimeout: 1_200_000,
      /** 2, 4, 8 … 60 seconds. */
      nextCheck: ({ context }) => Math.min(2_000 * 2 ** context.unclearAnswers, 60_000),
    },
  }).createMachine({
    id: rules.id,
    context: ({ input: { profile, isOnline, at, draft = rules.emptyDraft } }) => ({
      profile,
      at,
      isOnline,
      draft,
      origin: 'typed',
      problems: [],
      problem: null,
      change: null,
      attempt: null,
      formerAttemptId: null,
      payment: null,
      unclearAnswers: 0,
      receipt: null,
      duplicate: null,
    }),
    initial: 'resuming',
    on: {
      'profile.changed': { actions: 'changeProfile' },
      'time.passed': { actions: 'passTime' },
      // Whatever the device answers first, and wherever the attempt is by then.
      'draft.restore': { guard: 'isFormUntouched', actions: 'restoreDraft' },
      'network.lost': { actions: 'noteNetworkLost' },
      'network.back': { actions: 'noteNetworkBack' },
    },
    states: {
      resuming: {
        tags: ['busy', 'open'],
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
        on: {
          'draft.change': { actions: 'changeDraft' },
        },
      },

      editing: {
        tags: 'open',
        on: {
          'draft.change': { actions: 'changeDraft' },
          'draft.clear': { actions: 'clearDraft' },
          'problem.dismiss': { actions: 'clearProblem' },
          ...(rules.prices ? following : {}),
          'form.confirm': [
            { guard: 'hasFieldProblems', actions: 'showFieldProblems' },
            { guard: 'isOffline', actions: { type: 'tell', params: { kind: 'offline' } } },
            ...repriced,
            ...(rules.duplicates ? asked : []),
            ...confirmed,
          ],
        },
      },

      // Typed as if it were always there: whoever shows the machine asks whether it is in it.
      ...(rules.duplicates ? asking : ({} as typeof asking)),

      // Before and not beside the new reservation: what the former one holds would count against the cap and the plan.
      releasingFormerAttempt: {
        tags: ['busy', 'paying'],
        invoke: {
          src: 'release',
          input: ({ context }) => ({ uid: context.profile.uid, attemptId: formerAttemptIdOf(context) }),
          onDone: [
            {
              // The former order went through after all. The new one stays in the form, for the person to decide.
              guard: { type: 'isPaid', params: outputOf },
              target: 'receipt',
              actions: [{ type: 'showReceipt', params: outputOf }, 'endAttempt'],
            },
            { target: 'reserving' },
          ],
          // The former attempt stays on the device, to be asked about at the next start. That must not lock anybody out.
          onError: 'reserving',
        },
        after: { answerTimeout: 'reserving' },
        exit: 'forgetFormerAttempt',
      },

      reserving: {
        tags: ['busy', 'paying'],
        invoke: {
          src: 'reserve',
          input: ({ context }) => ({ uid: context.profile.uid, attempt: attemptOf(context) }),
          onDone: [
            ...(rules.duplicates ? askedByServer : []),
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
          'payment.close': { target: 'releasing', actions: 'clearProblem' },
        },
      },

      releasing: {
        tags: ['busy', 'paying', 'open'],
        entry: 'closePayment',
        invoke: {
          src: 'release',
          input: ({ context }) => ({ uid: context.profile.uid, attemptId: attemptOf(context).id }),
          onDone: [
            { guard: { type: 'isReleased', params: outputOf }, target: 'editing', actions: 'freeAttempt' },
            ...settled,
            { target: 'checkingOutcome' },
          ],
          onError: 'editing',
        },
        after: { answerTimeout: 'editing' },
        // The form is in sight again: what is typed there is not lost to a slow answer.
        on: {
          'draft.change': { actions: 'changeDraft' },
        },
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
        initial: 'expected',
        states: {
          expected: { after: { bankPatience: 'overdue' } },
          // Nobody has to sit before it: the server is asked then, and the bank's answer still counts.
          overdue: { on: { 'outcome.ask': `#${rules.id}.checkingOutcome.asking` } },
        },
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
          'outcome.leave': {
            target: 'editing',
            actions: { type: 'tell', params: { kind: 'stillChecking' } },
          },
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
}

/** Whether a refusal ends an attempt of any kind: the next confirmation then makes another one. */
export const isCommonlyOver = ({ kind }: { readonly kind: string }): boolean =>
  kind === 'attemptEnded' || kind === 'attemptConflict'

// The states that need these are reached only with them in place.
function attemptOf<Sent>({ attempt }: { readonly attempt: Sent | null }): Sent {
  if (!attempt) throw new Error('No attempt is under way')
  return attempt
}

function formerAttemptIdOf({ formerAttemptId }: { readonly formerAttemptId: string | null }): string {
  if (formerAttemptId === null) throw new Error('No former attempt is to be released')
  return formerAttemptId
}

function paymentOf({ payment }: { readonly payment: Payment | null }): Payment {
  if (!payment) throw new Error('No payment form is open')
  return payment
}
