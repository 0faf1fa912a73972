/**
 * Takes a payment of any kind from the form to its receipt. It exists because a failure must never charge
 * money twice, or report a payment as sent before the server has confirmed it. Every payment has an attempt
 * ID that is older than the first call; only the server's answer leads to the receipt; and a missing answer
 * leads to another request instead of a guess. The typed form survives every failure. Transfers and invoices
 * differ only in the rules of their forms. Specification, sections 4, 5, 7 and 8.
 */
import { assertDefined, withAnswer } from './actors.ts'
import { createCheckoutSetup } from './checkoutSetup.ts'
import type { CheckoutParts, CheckoutRules, CommonProblem, PartsRefusal } from './checkoutTypes.ts'

const showProblem = <Kind extends CommonProblem['kind']>(kind: Kind) =>
  ({ type: 'showProblem', params: { kind } }) as const

/** Both questions that the server must answer are repeated in this way. */
const unanswered = { target: 'waiting', actions: 'countUnclearAnswer' } as const
const waitingForServer = {
  after: { nextCheckDelay: { guard: 'isOnline', target: 'asking' } },
  on: {
    'outcome.check': 'asking',
    'network.restored': { target: 'asking', actions: 'setOnline' },
  },
} as const

export function createCheckoutMachine<Parts extends CheckoutParts>(rules: CheckoutRules<Parts>) {
  /** An answer that matches none of these leaves the outcome unclear. */
  const outcomeTransitions = [
    {
      guard: withAnswer('isPaid'),
      target: `#${rules.id}.receipt`,
      actions: [withAnswer('showReceipt'), 'noteCharge', 'clearPaidDraft', 'clearAttempt', 'closePayment'],
    },
    {
      guard: withAnswer('isRefunded'),
      target: `#${rules.id}.editing`,
      actions: [showProblem('refunded'), 'noteCharge', 'releaseAttempt', 'closePayment'],
    },
    {
      guard: withAnswer('isDisputed'),
      target: `#${rules.id}.editing`,
      actions: [showProblem('disputed'), 'noteCharge', 'releaseAttempt', 'closePayment'],
    },
    {
      guard: withAnswer('isAwaitingBank'),
      target: `#${rules.id}.editing`,
      actions: [showProblem('bankUnfinished'), 'closePayment'],
    },
    {
      guard: withAnswer('isUnpaid'),
      target: `#${rules.id}.editing`,
      actions: [showProblem('notCharged'), withAnswer('releaseAttemptIfCanceled'), 'closePayment'],
    },
  ] as const

  // Only some kinds of payment have changing prices and duplicates.
  const priceUpdates = {
    'profile.changed': { actions: 'updateProfileAndPrice' },
    'time.passed': { actions: 'updateTimeAndPrice' },
  } as const
  const priceChangeTransition = {
    guard: 'isPriceChanged',
    target: 'editing',
    actions: 'showChange',
  } as const

  // The same form sent from two tabs would charge twice, which may be intended, so the user is asked.
  const duplicateTransition = {
    guard: 'isDuplicate',
    target: 'confirmingDuplicate',
    actions: 'setDuplicate',
  } as const
  const refusedDuplicateTransition = {
    guard: withAnswer('isDuplicateRefused'),
    target: 'confirmingDuplicate',
    actions: [withAnswer('setRefusedDuplicate'), 'clearAttempt'],
  } as const
  // Another tab has sent this form, or this device has lost its attempt.
  const sentFormTransition = {
    guard: withAnswer('isFormSentAlready'),
    target: 'lookingUp',
    actions: [withAnswer('setSentForm'), 'clearAttempt'],
  } as const
  const asking = {
    confirmingDuplicate: {
      description: 'A duplicate was paid recently, or may be; the user confirms paying again, or goes back.',
      on: {
        'duplicate.confirm': 'checkingForm',
        'duplicate.cancel': { target: 'editing', actions: 'clearConfirmation' },
      },
    },
  } as const

  // Only the server can say whether the attempt found was paid.
  const foundTransition = { guard: withAnswer('hasAttempt'), target: `#${rules.id}.recording` } as const

  return createCheckoutSetup(rules).createMachine({
    id: rules.id,
    context: ({ input: { profile, isOnline, at, draft = rules.emptyDraft } }) => ({
      profile,
      at,
      isOnline,
      draft,
      origin: 'typed',
      isSearched: false,
      unclearDraftId: null,
      confirmation: null,
      problems: [],
      problem: null,
      change: null,
      attempt: null,
      chargedDraft: null,
      formerAttemptId: null,
      unclearAttemptId: null,
      payment: null,
      unclearAnswers: 0,
      receipt: null,
      duplicate: null,
    }),
    initial: 'resuming',
    on: {
      'profile.changed': { actions: 'updateProfile' },
      'time.passed': { actions: 'updateTime' },
      // The stored form may arrive before or after the stored attempt, in any state.
      'draft.restore': { guard: 'canRestoreDraft', actions: 'restoreDraft' },
      'network.lost': { actions: 'setOffline' },
      'network.restored': { actions: 'setOnline' },
    },
    states: {
      resuming: {
        description: 'The device looks for an unfinished payment; the user can fill in the form meanwhile.',
        tags: ['busy', 'open'],
        invoke: {
          src: 'findOpenAttempt',
          input: ({ context }) => ({ uid: context.profile.uid }),
          onDone: [
            { ...foundTransition, actions: [withAnswer('resumeAttempt'), 'noteSearch'] },
            { target: 'editing', actions: 'noteSearch' },
          ],
          onError: 'lookingUp',
        },
        after: { deviceTimeout: 'lookingUp' },
        on: {
          'draft.change': { actions: 'changeDraft' },
        },
      },

      // After a failed search, a paid form could be paid again without this state.
      lookingUp: {
        description:
          'The device can’t tell whether a payment or its form was paid; the server is asked, and nothing can be paid.',
        tags: 'open',
        exit: 'endSearch',
        after: { noticeDelay: { actions: showProblem('lookingUp') } },
        on: {
          'draft.change': { actions: 'changeDraft' },
        },
        initial: 'asking',
        states: {
          asking: {
            description: 'The server looks for a payment of this user that may have been charged.',
            tags: 'busy',
            invoke: {
              src: 'findLatestAttempt',
              input: ({ context: { profile, isSearched, unclearDraftId } }) => ({
                uid: profile.uid,
                draftId: isSearched ? unclearDraftId : null,
              }),
              onDone: [
                { ...foundTransition, actions: [withAnswer('resumeAttempt'), 'noteSearch'] },
                { target: `#${rules.id}.editing`, actions: 'noteSearch' },
              ],
              onError: unanswered,
            },
            after: { answerTimeout: unanswered },
          },
          waiting: {
            ...waitingForServer,
            description:
              'The server has not answered and is asked again after some seconds; the user can ask at once.',
            entry: showProblem('lookingUp'),
          },
        },
      },

      editing: {
        description: 'The user fills in the form and confirms it; earlier problems are shown with it.',
        tags: 'open',
        always: { guard: 'isDraftUnclear', target: 'lookingUp' },
        on: {
          'draft.change': { actions: 'changeDraft' },
          'draft.clear': { actions: 'clearDraft' },
          'problem.dismiss': { actions: 'clearProblem' },
          ...(rules.prices ? priceUpdates : {}),
          'form.confirm': 'checkingForm',
          // The user may have left a payment with an unclear outcome.
          'outcome.check': { guard: 'isOutcomeUnclear', target: 'checkingOutcome.asking' },
        },
      },

      checkingForm: {
        description: 'The form is checked; this state is left at once.',
        entry: 'checkForm',
        always: [
          {
            guard: 'hasFieldProblems',
            target: 'editing',
            actions: 'showFieldProblems',
          },
          {
            guard: 'isOffline',
            target: 'editing',
            actions: ['showOffline', 'clearConfirmation'],
          },
          ...(rules.prices ? [priceChangeTransition] : []),
          ...(rules.duplicates ? [duplicateTransition] : []),
          {
            guard: 'hasAttemptForOtherOrder',
            target: 'releasingFormerAttempt',
            actions: 'startAttempt',
          },
          { target: 'reserving', actions: 'startAttempt' },
        ],
      },

      // The type includes this state for every kind of payment, so that screens can check it with `matches`.
      ...(rules.duplicates ? asking : ({} as typeof asking)),

      // Otherwise both attempts would count against the cap and the plan.
      releasingFormerAttempt: {
        description:
          'An earlier attempt is released first, because it holds a part of the cap; the user waits.',
        tags: ['busy', 'paying'],
        invoke: {
          src: 'release',
          input: ({ context }) => ({
            uid: context.profile.uid,
            attemptId: assertDefined(context.formerAttemptId),
          }),
          onDone: [
            {
              // The former order was paid after all; the user decides whether to pay the new one.
              guard: withAnswer('isPaid'),
              target: 'receipt',
              actions: [withAnswer('showReceipt'), 'clearAttempt'],
            },
            { target: 'reserving' },
          ],
          // The former attempt stays on the device and is checked at the next start.
          onError: 'reserving',
        },
        after: { answerTimeout: 'reserving' },
        exit: 'clearFormerAttempt',
      },

      reserving: {
        description: 'The server prepares the payment, and no card is charged yet; the user waits.',
        tags: ['busy', 'paying'],
        invoke: {
          src: 'reserve',
          input: ({ context }) => ({ uid: context.profile.uid, attempt: assertDefined(context.attempt) }),
          onDone: [
            ...(rules.duplicates ? [refusedDuplicateTransition, sentFormTransition] : []),
            {
              guard: withAnswer('isRefused'),
              target: 'editing',
              actions: withAnswer('showRefusal'),
            },
            { guard: withAnswer('isReservationPaid'), target: 'recording' },
            { guard: withAnswer('isReservationProcessing'), target: 'checkingOutcome' },
            { target: 'awaitingCard', actions: withAnswer('openPayment') },
          ],
          onError: { target: 'editing', actions: 'showNoAnswer' },
        },
        after: {
          answerTimeout: { target: 'editing', actions: 'showNoAnswer' },
        },
      },

      awaitingCard: {
        description: 'The card form is open; the user pays, or closes it without paying.',
        tags: 'paying',
        on: {
          'payment.submit': [
            { guard: 'isOnline', target: 'confirmingCard', actions: 'clearProblem' },
            { actions: showProblem('offline') },
          ],
          'payment.close': { target: 'releasing', actions: 'clearProblem' },
        },
      },

      releasing: {
        description: 'The user has closed the payment, and the server releases it; the form is shown again.',
        tags: ['busy', 'paying', 'open'],
        entry: 'closePayment',
        invoke: {
          src: 'release',
          input: ({ context }) => ({
            uid: context.profile.uid,
            attemptId: assertDefined(context.attempt).id,
          }),
          onDone: [
            { guard: withAnswer('isReleased'), target: 'editing', actions: 'releaseAttempt' },
            ...outcomeTransitions,
            { target: 'checkingOutcome' },
          ],
          onError: 'editing',
        },
        after: { answerTimeout: 'editing' },
        // The form is already visible again.
        on: {
          'draft.change': { actions: 'changeDraft' },
        },
      },

      confirmingCard: {
        description: 'The bank charges the card, and may ask the user to confirm it.',
        tags: ['busy', 'paying'],
        invoke: {
          src: 'confirmCard',
          input: ({ context }) => ({ clientSecret: assertDefined(context.payment).clientSecret }),
          onDone: [
            {
              guard: withAnswer('isCardInvalid'),
              target: 'awaitingCard',
              actions: showProblem('cardInvalid'),
            },
            {
              guard: withAnswer('isDeclined'),
              target: 'editing',
              actions: [withAnswer('showDecline'), 'closePayment'],
            },
            { guard: withAnswer('isCharged'), target: 'recording' },
            { target: 'checkingOutcome.asking' },
          ],
          onError: 'checkingOutcome.asking',
        },
        after: { bankTimeout: 'checkingOutcome.asking' },
        initial: 'expected',
        states: {
          expected: {
            description:
              'The bank is within its usual time; the user waits, or confirms the payment for the bank.',
            after: { slowBankTimeout: 'overdue' },
          },
          overdue: {
            description:
              'The bank takes long; the user may leave and let the server ask, and the bank’s answer still counts.',
            on: { 'outcome.check': `#${rules.id}.checkingOutcome.asking` },
          },
        },
      },

      recording: {
        description: 'The card is charged, or may be, and the server records the payment; the user waits.',
        tags: ['busy', 'paying'],
        invoke: {
          src: 'record',
          input: ({ context }) => ({
            uid: context.profile.uid,
            attemptId: assertDefined(context.attempt).id,
          }),
          onDone: [...outcomeTransitions, { target: 'checkingOutcome' }],
          onError: 'checkingOutcome',
        },
        after: { answerTimeout: 'checkingOutcome' },
      },

      checkingOutcome: {
        description:
          'It is unknown whether the card was charged; the server is asked repeatedly, and the user may leave.',
        tags: 'paying',
        entry: ['resetUnclearAnswers', 'closePayment', showProblem('statusUnclear')],
        initial: 'waiting',
        on: {
          'outcome.leave': {
            target: 'editing',
            actions: [showProblem('stillChecking'), 'recordUnclearAttempt'],
          },
        },
        states: {
          waiting: {
            ...waitingForServer,
            description: 'The server is asked again after some seconds; the user can ask at once, or leave.',
          },
          asking: {
            description: 'The server is asked for the outcome of the payment; the user waits, or leaves.',
            tags: 'busy',
            invoke: {
              src: 'record',
              input: ({ context }) => ({
                uid: context.profile.uid,
                attemptId: assertDefined(context.attempt).id,
              }),
              onDone: [...outcomeTransitions, unanswered],
              onError: unanswered,
            },
            after: { answerTimeout: unanswered },
          },
        },
      },

      receipt: {
        description:
          'The server has recorded the payment; the user sees, saves or shares the receipt, and closes it.',
        on: { 'receipt.close': { target: 'editing', actions: 'closeReceipt' } },
      },
    },
  })
}

/** Whether a refusal ends the attempt. `own`: the refusals of this kind of payment that do. */
export const createAttemptOverCheck =
  <Parts extends CheckoutParts>(own: readonly Parts['refusal']['kind'][]) =>
  ({ kind }: PartsRefusal<Parts>): boolean =>
    kind === 'attemptEnded' || kind === 'attemptConflict' || own.some((one) => one === kind)
