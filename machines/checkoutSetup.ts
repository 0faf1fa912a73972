import { assertEvent, assign, fromPromise, setup } from 'xstate'
import { MINUTE } from '../domain/common/duration.ts'
import { assertDefined, rejectUnprovided, unwrapOk, unwrapRefusal } from './actors.ts'
import { createCheckoutForm } from './checkoutForm.ts'
import type {
  AttemptInput,
  CardAnswer,
  CheckoutAttempt,
  CheckoutContext,
  CheckoutEvent,
  CheckoutInput,
  CheckoutParts,
  CheckoutRules,
  CommonProblem,
  RecordAnswer,
  ReleaseAnswer,
  ReserveAnswer,
  SearchInput,
} from './checkoutTypes.ts'

const confirmationHandled = { confirmation: null, duplicate: null, problems: [], problem: null }

const stillChecking = { kind: 'stillChecking' } as const

/** Whether the problem outlives a change of the form. */
const isStillTrue = (problem: { readonly kind: string } | null, isSameUnclearPayment: boolean) =>
  problem?.kind === 'lookingUp' || (problem?.kind === 'stillChecking' && isSameUnclearPayment)

export function createCheckoutSetup<Parts extends CheckoutParts>(rules: CheckoutRules<Parts>) {
  type Context = CheckoutContext<Parts>
  type Sent = CheckoutAttempt<Parts>
  type Reserved = ReserveAnswer<Parts>
  type Answer = ReleaseAnswer<Parts>
  const form = createCheckoutForm(rules)
  /** Whether the card may have been charged for the current attempt. */
  const isOutcomeUnclear = ({ attempt, unclearAttemptId }: Context) =>
    attempt !== null && attempt.id === unclearAttemptId

  return setup({
    types: {
      context: {} as Context,
      events: {} as CheckoutEvent<Parts>,
      input: {} as CheckoutInput<Parts>,
      /** `paying`: reloads and updates of the app must wait. `open`: the form accepts input. */
      tags: {} as 'busy' | 'paying' | 'open',
    },
    actors: {
      /** Reads the newest unfinished attempt from the device. Rejects if the device can't tell. */
      findOpenAttempt: fromPromise<Sent | null, { uid: string }>(rejectUnprovided),
      /**
       * Asks the server for an attempt that may have been charged without this device knowing: the form's, or
       * the user's newest. Rejects without an answer.
       */
      findLatestAttempt: fromPromise<Sent | null, SearchInput>(rejectUnprovided),
      /**
       * Stores the attempt **before** it calls the server; deletes it if `isAttemptOver`. Resolves with known
       * refusals. Rejects without an answer.
       */
      reserve: fromPromise<Reserved, { uid: string; attempt: Sent }>(rejectUnprovided),
      /** Rejects if the outcome is unknown. */
      confirmCard: fromPromise<CardAnswer, { clientSecret: string }>(rejectUnprovided),
      /**
       * Stores the receipt of a paid attempt. Deletes the attempt if it is paid, refunded, or unpaid because
       * it was canceled. Rejects without an answer.
       */
      record: fromPromise<RecordAnswer<Parts>, AttemptInput>(rejectUnprovided),
      /** Asks the server to end the attempt; stores or deletes like `record`. Rejects without an answer. */
      release: fromPromise<ReleaseAnswer<Parts>, AttemptInput>(rejectUnprovided),
    },
    actions: {
      changeDraft: assign(({ context, event }) => {
        assertEvent(event, 'draft.change')
        const { patch } = event
        const draft = rules.change(context.draft, patch)
        // The message about the unclear outcome stays while the form describes the same payment.
        const isSameUnclearPayment =
          isOutcomeUnclear(context) && rules.isSameForm(assertDefined(context.attempt).draft, draft)
        return {
          draft,
          origin: 'typed' as const,
          problems: rules.filterProblems(context.problems, patch),
          problem: isStillTrue(context.problem, isSameUnclearPayment) ? context.problem : null,
          change: null,
        }
      }),
      restoreDraft: assign(({ context: { attempt }, event }) => {
        assertEvent(event, 'draft.restore')
        const origin = form.getDraftOrigin(event.draft, attempt)
        return {
          draft: rules.restore(event.draft),
          origin,
          // The server is asked about an open attempt anyway.
          unclearDraftId: origin === 'attempt' ? null : event.draftId,
          change: null,
        }
      }),
      clearDraft: assign(({ context: { draft } }) => ({
        draft: rules.createEmptyDraft(draft),
        origin: 'typed',
        problems: [],
        problem: null,
        change: null,
      })),
      checkForm: assign(({ context, event }) => {
        assertEvent(event, ['form.confirm', 'duplicate.confirm'])
        return { confirmation: form.confirm(context, event) }
      }),
      clearConfirmation: assign({ confirmation: null, duplicate: null }),
      showFieldProblems: assign(({ context }) => {
        const { checked } = assertDefined(context.confirmation)
        return { ...confirmationHandled, problems: unwrapRefusal(checked) }
      }),
      showChange: assign(({ context }) => {
        const { at, change } = assertDefined(context.confirmation)
        return { ...confirmationHandled, at, change }
      }),
      setDuplicate: assign(({ context }) => ({
        ...confirmationHandled,
        duplicate: assertDefined(context.confirmation).duplicate,
      })),
      setRefusedDuplicate: assign((_, answer: Reserved) => ({
        duplicate: form.getRefusedDuplicate(answer),
      })),
      setSentForm: assign((_, answer: Reserved) => ({ unclearDraftId: form.getSentDraftId(answer) })),
      startAttempt: assign(({ context }) => {
        const { draft, attempt, duplicate } = context
        const { attemptId, checked } = assertDefined(context.confirmation)
        const order = unwrapOk(checked)
        const [same, former] = form.isOwnOrder(context, order) ? [attempt, null] : [null, attempt]
        const { id, again } = same ?? { id: attemptId, again: duplicate?.id ?? null }
        return {
          ...confirmationHandled,
          attempt: { id, draft, order, again },
          formerAttemptId: former?.id ?? null,
          origin: 'typed' as const,
          change: null,
        }
      }),
      resumeAttempt: assign(({ context }, found: Sent | null) => {
        const { draft, origin, unclearDraftId, isSearched } = context
        const attempt = assertDefined(found)
        if (rules.isEmpty(draft))
          return { attempt, draft: rules.restore(attempt.draft), origin: 'attempt' as const }
        // A restored form found by its ID may differ: changed since, or stored only in part by a full device.
        const isOwnForm = isSearched || rules.isSameForm(attempt.draft, draft)
        return {
          attempt,
          origin: isOwnForm && origin === 'restored' ? ('attempt' as const) : origin,
          unclearDraftId: isOwnForm ? null : unclearDraftId,
        }
      }),
      /** A payment whose outcome was unclear before still is. */
      endSearch: assign(({ context }) => ({
        unclearAnswers: 0,
        problem: isOutcomeUnclear(context) ? stillChecking : null,
      })),
      /** Open attempts are searched for first, then that of a restored form. */
      noteSearch: assign(({ context: { isSearched, unclearDraftId } }) => ({
        isSearched: true,
        unclearDraftId: isSearched ? null : unclearDraftId,
      })),
      openPayment: assign((_, answer: Reserved) => {
        const { clientSecret, paymentIntentId, customerSession } = unwrapOk(answer)
        return { payment: { clientSecret, paymentIntentId, customerSession }, unclearAttemptId: null }
      }),
      showRefusal: assign(({ context }, answer: Reserved) => {
        const problem = unwrapRefusal(answer)
        const isOver = rules.isAttemptOver(problem)
        if (!isOver && isOutcomeUnclear(context)) return { problem: stillChecking }
        const attempt = isOver ? null : context.attempt
        const newer = rules.prices?.applyRefusal(context.profile, problem)
        if (!newer) return { problem, attempt }
        const news = { profile: newer.profile, at: newer.at ?? context.at, attempt }
        const checked = form.checkAt({ ...context, ...news }, news.at)
        if (!checked.ok) return { ...news, problems: checked.error }
        const before = assertDefined(context.attempt).order
        // An outdated client cannot compute the new price, so the refusal is shown instead.
        return rules.prices?.isSame(before, checked.value)
          ? { ...news, problem }
          : { ...news, change: { before, after: checked.value } }
      }),
      showDecline: assign((_, answer: CardAnswer) =>
        answer.kind === 'declined'
          ? { problem: { kind: 'failed', reason: answer.reason, message: answer.message } }
          : {},
      ),
      showProblem: assign((_, problem: CommonProblem) => ({ problem })),
      showNoAnswer: assign(({ context }) => ({
        problem: isOutcomeUnclear(context) ? stillChecking : { kind: 'initFailed' as const },
      })),
      showOffline: assign(({ context }) => {
        const isSame = form.isOwnOrder(context, unwrapOk(assertDefined(context.confirmation).checked))
        return { problem: isSame && isOutcomeUnclear(context) ? stillChecking : { kind: 'offline' as const } }
      }),
      recordUnclearAttempt: assign(({ context }) => ({
        unclearAttemptId: assertDefined(context.attempt).id,
      })),
      clearProblem: assign({ problem: null }),
      closePayment: assign({ payment: null }),
      noteCharge: assign(({ context: { attempt } }) => ({ chargedDraft: assertDefined(attempt).draft })),
      clearAttempt: assign({ attempt: null }),
      releaseAttempt: assign(({ context }) => form.releaseAttempt(context)),
      releaseAttemptIfCanceled: assign(({ context }, answer: Answer) =>
        answer.outcome === 'unpaid' && answer.status === 'canceled' ? form.releaseAttempt(context) : {},
      ),
      clearFormerAttempt: assign({ formerAttemptId: null }),
      countUnclearAnswer: assign({ unclearAnswers: ({ context }) => context.unclearAnswers + 1 }),
      resetUnclearAnswers: assign({ unclearAnswers: 0, unclearAttemptId: null }),
      showReceipt: assign((_, answer: Answer) =>
        answer.outcome === 'paid' ? { receipt: answer.receipt } : {},
      ),
      closeReceipt: assign({ receipt: null }),
      clearPaidDraft: assign(({ context: { draft, origin, attempt } }) => {
        const isPaidForm = origin === 'attempt' || rules.isSameForm(assertDefined(attempt).draft, draft)
        return {
          draft: isPaidForm ? rules.createEmptyDraft(draft) : draft,
          origin: isPaidForm ? 'typed' : origin,
          problems: [],
          problem: null,
          change: null,
        }
      }),
      updateProfile: assign(({ context, event }) => {
        assertEvent(event, 'profile.changed')
        return { profile: { ...context.profile, ...event.profile } }
      }),
      updateTime: assign(({ event }) => {
        assertEvent(event, 'time.passed')
        return { at: event.at }
      }),
      /** The form is visible, so it shows a change in price. */
      updateProfileAndPrice: assign(({ context, event }) => {
        assertEvent(event, 'profile.changed')
        return form.updatePrice(context, { profile: { ...context.profile, ...event.profile } })
      }),
      updateTimeAndPrice: assign(({ context, event }) => {
        assertEvent(event, 'time.passed')
        return form.updatePrice(context, { at: event.at })
      }),
      setOffline: assign({ isOnline: false }),
      setOnline: assign(({ context: { problem } }) => ({
        isOnline: true,
        problem: problem?.kind === 'offline' ? null : problem,
      })),
    },
    guards: {
      canRestoreDraft: ({ context: { draft, origin, chargedDraft }, event }) => {
        assertEvent(event, 'draft.restore')
        // The form of a resumed attempt counts as untouched: a form stored since then replaces it.
        const isUntouched = rules.isEmpty(draft) || origin === 'attempt'
        // A slow device may return the stored form only after its payment has ended.
        return isUntouched && !(chargedDraft && rules.isSameForm(chargedDraft, event.draft))
      },
      isDraftUnclear: ({ context }) => context.unclearDraftId !== null,
      isOutcomeUnclear: ({ context }) => isOutcomeUnclear(context),
      hasFieldProblems: ({ context }) => !assertDefined(context.confirmation).checked.ok,
      isOffline: ({ context }) => !context.isOnline,
      isOnline: ({ context }) => context.isOnline,
      isPriceChanged: ({ context }) => assertDefined(context.confirmation).change !== null,
      isDuplicate: ({ context }) => assertDefined(context.confirmation).duplicate !== null,
      isDuplicateRefused: (_, answer: Reserved) => form.getRefusedDuplicate(answer) !== null,
      isFormSentAlready: (_, answer: Reserved) => form.getSentDraftId(answer) !== null,
      hasAttemptForOtherOrder: ({ context }) => {
        const { checked } = assertDefined(context.confirmation)
        return context.attempt !== null && !form.isOwnOrder(context, unwrapOk(checked))
      },
      hasAttempt: (_, attempt: Sent | null) => attempt !== null,
      isRefused: (_, answer: Reserved) => !answer.ok,
      isReservationPaid: (_, answer: Reserved) => answer.ok && answer.value.status === 'succeeded',
      isReservationProcessing: (_, answer: Reserved) => answer.ok && answer.value.status === 'processing',
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
      deviceTimeout: 5_000,
      /** A notice about a search that is over sooner would only flash. */
      noticeDelay: 1_000,
      /** The user may leave after this time. */
      slowBankTimeout: 45_000,
      /** Long enough for a bank check with a code from another device. */
      bankTimeout: 1_200_000,
      /** 2, 4, 8 … 60 seconds. */
      nextCheckDelay: ({ context }) => Math.min(2_000 * 2 ** context.unclearAnswers, MINUTE),
    },
  })
}
