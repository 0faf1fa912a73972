import { assertEvent, assign, fromPromise, setup } from 'xstate'
import { MINUTE } from '../domain/duration.ts'
import { granted, inPlace, refusalIn, unprovidedAnswer } from './actors.ts'
import { checkoutForm } from './checkoutForm.ts'
import type {
  Attempt,
  AttemptInput,
  CardAnswer,
  CheckoutContext,
  CheckoutEvent,
  CheckoutInput,
  CheckoutParts,
  CheckoutRules,
  CommonProblem,
  RecordAnswer,
  ReleaseAnswer,
  ReserveAnswer,
} from './checkoutTypes.ts'

/** A press is looked at no longer, and nothing that was told before it stands. */
const decided = { confirmation: null, duplicate: null, problems: [], problem: null }

const stillChecking = { kind: 'stillChecking' } as const

/** What the names in the statechart of checkout.ts stand for: what its actors promise, and what its actions and guards do. */
export function checkoutSetup<Parts extends CheckoutParts>(rules: CheckoutRules<Parts>) {
  type Context = CheckoutContext<Parts>
  type Sent = Attempt<Parts>
  type Reserved = ReserveAnswer<Parts>
  type Answer = ReleaseAnswer<Parts>
  const form = checkoutForm(rules)
  /** Whether the card may have been charged for the attempt at hand. */
  const isUnclear = ({ attempt, unclearAttemptId }: Context) =>
    attempt !== null && attempt.id === unclearAttemptId

  return setup({
    types: {
      context: {} as Context,
      events: {} as CheckoutEvent<Parts>,
      input: {} as CheckoutInput<Parts>,
      /** `paying`: a reload or an update of the app has to wait. `open`: the form takes what is typed. */
      tags: {} as 'busy' | 'paying' | 'open',
    },
    actors: {
      /** Reads from the device, asking nobody: the newest attempt that has not come to an end, or null. */
      findOpenAttempt: fromPromise<Sent | null, { uid: string }>(unprovidedAnswer),
      /**
       * Keeps the attempt on the device **before** it calls the server. Resolves with the refusals it knows. Where
       * `isAttemptOver` says so of the refusal, takes the attempt from the device again. Rejects when there is no
       * answer.
       */
      reserve: fromPromise<Reserved, { uid: string; attempt: Sent }>(unprovidedAnswer),
      /** Confirms the payment with the card in the open form. Rejects when the outcome is unknown. */
      confirmCard: fromPromise<CardAnswer, { clientSecret: string }>(unprovidedAnswer),
      /**
       * Asks the server where the payment stands. What was paid it puts among the receipts on the device. Takes the attempt
       * from the device when it is paid, refunded, or unpaid because it was canceled. Rejects when there is no answer.
       */
      record: fromPromise<RecordAnswer<Parts>, AttemptInput>(unprovidedAnswer),
      /** Asks the server to give the attempt up; the device is treated as `record` does. Rejects when there is no answer. */
      release: fromPromise<ReleaseAnswer<Parts>, AttemptInput>(unprovidedAnswer),
    },
    actions: {
      changeDraft: assign(({ context, event }) => {
        assertEvent(event, 'draft.change')
        const { patch } = event
        const draft = rules.change(context.draft, patch)
        // The doubt is about the payment: a tick makes it no other one.
        const isInDoubt = isUnclear(context) && rules.isSameForm(inPlace(context.attempt).draft, draft)
        return {
          draft,
          origin: 'typed' as const,
          problems: rules.stillWrong(context.problems, patch),
          problem: isInDoubt && context.problem?.kind === 'stillChecking' ? stillChecking : null,
          change: null,
        }
      }),
      restoreDraft: assign(({ context: { attempt }, event }) => {
        assertEvent(event, 'draft.restore')
        return {
          draft: rules.restore(event.draft),
          origin: form.originOf(event.draft, attempt),
          change: null,
        }
      }),
      clearDraft: assign(({ context: { draft } }) => ({
        draft: rules.emptyLike(draft),
        origin: 'typed',
        problems: [],
        problem: null,
        change: null,
      })),
      checkForm: assign(({ context, event }) => {
        assertEvent(event, ['form.confirm', 'again.confirm'])
        return { confirmation: form.confirm(context, event) }
      }),
      forgetConfirmation: assign({ confirmation: null, duplicate: null }),
      showFieldProblems: assign(({ context }) => {
        const { checked } = inPlace(context.confirmation)
        return { ...decided, problems: refusalIn(checked) }
      }),
      showChange: assign(({ context }) => {
        const { at, change } = inPlace(context.confirmation)
        return { ...decided, at, change }
      }),
      noteDuplicate: assign(({ context }) => ({
        ...decided,
        duplicate: inPlace(context.confirmation).duplicate,
      })),
      noteServersDuplicate: assign((_, answer: Reserved) => ({
        duplicate: form.refusedDuplicate(answer),
        problems: [],
        problem: null,
      })),
      forgetDuplicate: assign({ duplicate: null }),
      takeUpAttempt: assign(({ context }) => {
        const { draft, attempt, duplicate } = context
        const { attemptId, checked } = inPlace(context.confirmation)
        const order = granted(checked)
        const [same, former] = form.isOwnOrder(context, order) ? [attempt, null] : [null, attempt]
        const { id, again } = same ?? { id: attemptId, again: duplicate?.id ?? null }
        return {
          ...decided,
          attempt: { id, draft, order, again },
          formerAttemptId: former?.id ?? null,
          origin: 'typed' as const,
          change: null,
        }
      }),
      resumeAttempt: assign(({ context: { draft, origin } }, found: Sent | null) => {
        const attempt = inPlace(found)
        if (rules.isEmpty(draft))
          return { attempt, draft: rules.restore(attempt.draft), origin: 'attempt' as const }
        return { attempt, origin: origin === 'kept' ? form.originOf(draft, attempt) : origin }
      }),
      openPayment: assign((_, answer: Reserved) => {
        const { clientSecret, paymentIntentId, customerSession } = granted(answer)
        return { payment: { clientSecret, paymentIntentId, customerSession }, unclearAttemptId: null }
      }),
      tellRefusal: assign(({ context }, answer: Reserved) => {
        const problem = refusalIn(answer)
        const isOver = rules.isAttemptOver(problem)
        if (!isOver && isUnclear(context)) return { problem: stillChecking }
        const attempt = isOver ? null : context.attempt
        const learnt = rules.prices?.learn(context.profile, problem)
        if (!learnt) return { problem, attempt }
        const news = { profile: learnt.profile, at: learnt.at ?? context.at, attempt }
        const checked = form.checkAt({ ...context, ...news }, news.at)
        if (!checked.ok) return { ...news, problems: checked.error }
        const before = inPlace(context.attempt).order
        // Whose rules are older than the server's can't know its price.
        return rules.prices?.isSame(before, checked.value)
          ? { ...news, problem }
          : { ...news, change: { before, after: checked.value } }
      }),
      tellDecline: assign((_, answer: CardAnswer) =>
        answer.kind === 'declined'
          ? { problem: { kind: 'failed', reason: answer.reason, message: answer.message } }
          : {},
      ),
      tell: assign((_, problem: CommonProblem) => ({ problem })),
      tellNoAnswer: assign(({ context }) => ({
        problem: isUnclear(context) ? stillChecking : { kind: 'initFailed' as const },
      })),
      tellOffline: assign(({ context }) => {
        const isSame = form.isOwnOrder(context, granted(inPlace(context.confirmation).checked))
        return { problem: isSame && isUnclear(context) ? stillChecking : { kind: 'offline' as const } }
      }),
      noteUnclear: assign(({ context }) => ({ unclearAttemptId: inPlace(context.attempt).id })),
      clearProblem: assign({ problem: null }),
      closePayment: assign({ payment: null }),
      endAttempt: assign({ attempt: null }),
      /** Nothing was paid with it, so nothing is used up. */
      freeAttempt: assign(({ context }) => form.freed(context)),
      freeAttemptIfCanceled: assign(({ context }, answer: Answer) =>
        answer.outcome === 'unpaid' && answer.status === 'canceled' ? form.freed(context) : {},
      ),
      forgetFormerAttempt: assign({ formerAttemptId: null }),
      countUnclearAnswer: assign({ unclearAnswers: ({ context }) => context.unclearAnswers + 1 }),
      startCounting: assign({ unclearAnswers: 0, unclearAttemptId: null }),
      showReceipt: assign((_, answer: Answer) =>
        answer.outcome === 'paid' ? { receipt: answer.receipt } : {},
      ),
      closeReceipt: assign({ receipt: null }),
      emptyPaidForm: assign(({ context: { draft, origin, attempt } }) => {
        const isPaidForm = rules.isSameForm(inPlace(attempt).draft, draft)
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
        return form.follow(context, { profile: { ...context.profile, ...event.profile } })
      }),
      followTime: assign(({ context, event }) => {
        assertEvent(event, 'time.passed')
        return form.follow(context, { at: event.at })
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
      isUnclear: ({ context }) => isUnclear(context),
      hasFieldProblems: ({ context }) => !inPlace(context.confirmation).checked.ok,
      isOffline: ({ context }) => !context.isOnline,
      isOnline: ({ context }) => context.isOnline,
      isPriceChanged: ({ context }) => inPlace(context.confirmation).change !== null,
      isDuplicate: ({ context }) => inPlace(context.confirmation).duplicate !== null,
      isSentAlready: (_, answer: Reserved) => form.refusedDuplicate(answer) !== null,
      hasOtherOrderUnderWay: ({ context }) => {
        const { checked } = inPlace(context.confirmation)
        return context.attempt !== null && !form.isOwnOrder(context, granted(checked))
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
      nextCheck: ({ context }) => Math.min(2_000 * 2 ** context.unclearAnswers, MINUTE),
    },
  })
}
