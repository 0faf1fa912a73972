/**
 * Takes a payment from the form to its receipt, whatever is paid for. It exists because money must not be charged twice, nor be
 * called sent before the server said so, whatever fails in between: every payment has an attempt id that is older than the
 * first call, the receipt is reached only by the server's answer, and an answer that never came leads to asking
 * again, not to a guess. The form as it was typed survives every failure. Transfers and invoices each bring the rules of
 * their own form, and everything else is the same. Specification, sections 4, 5, 7 and 8.
 */
import { inPlace, withAnswer } from './actors.ts'
import { checkoutSetup } from './checkoutSetup.ts'
import type { CheckoutParts, CheckoutRules, CommonProblem, RefusalOf } from './checkoutTypes.ts'

const told = <Kind extends CommonProblem['kind']>(kind: Kind) => ({ type: 'tell', params: { kind } }) as const

/** The machine for one kind of payment. */
export function createCheckout<Parts extends CheckoutParts>(rules: CheckoutRules<Parts>) {
  /** What the server's word about the payment leads to, wherever it was asked. Only `unclear` leaves the question open, unless it is the bank that waits for the person. */
  const settled = [
    {
      guard: withAnswer('isPaid'),
      target: `#${rules.id}.receipt`,
      actions: [withAnswer('showReceipt'), 'emptyPaidForm', 'endAttempt', 'closePayment'],
    },
    {
      guard: withAnswer('isRefunded'),
      target: `#${rules.id}.editing`,
      actions: [told('refunded'), 'freeAttempt', 'closePayment'],
    },
    {
      guard: withAnswer('isDisputed'),
      target: `#${rules.id}.editing`,
      actions: [told('disputed'), 'freeAttempt', 'closePayment'],
    },
    {
      guard: withAnswer('isAwaitingBank'),
      target: `#${rules.id}.editing`,
      actions: [told('bankUnfinished'), 'closePayment'],
    },
    {
      guard: withAnswer('isUnpaid'),
      target: `#${rules.id}.editing`,
      actions: [told('notCharged'), withAnswer('freeAttemptIfCanceled'), 'closePayment'],
    },
  ] as const

  // What some kinds of payment have, and others don't: prices that move, and the same order twice.
  const following = {
    'profile.changed': { actions: 'followProfile' },
    'time.passed': { actions: 'followTime' },
  } as const
  const repriced = {
    guard: 'isPriceChanged',
    target: 'editing',
    actions: 'showChange',
  } as const

  // The same form in two tabs, or on two devices, would be charged twice: these are two orders, as they may well be.
  const asked = {
    guard: 'isDuplicate',
    target: 'askingWhetherAgain',
    actions: 'noteDuplicate',
  } as const
  const askedByServer = {
    guard: withAnswer('isSentAlready'),
    target: 'askingWhetherAgain',
    actions: [withAnswer('noteServersDuplicate'), 'endAttempt'],
  } as const
  const asking = {
    askingWhetherAgain: {
      description:
        'The same was paid a short while ago, or may be; the person says whether it is meant once more, or goes back.',
      on: {
        'again.confirm': 'checkingForm',
        'again.leave': { target: 'editing', actions: 'forgetDuplicate' },
      },
    },
  } as const

  return checkoutSetup(rules).createMachine({
    id: rules.id,
    context: ({ input: { profile, isOnline, at, draft = rules.emptyDraft } }) => ({
      profile,
      at,
      isOnline,
      draft,
      origin: 'typed',
      confirmation: null,
      problems: [],
      problem: null,
      change: null,
      attempt: null,
      formerAttemptId: null,
      unclearAttemptId: null,
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
        description:
          'The device is asked for a payment that has not come to its end; the form can be filled in meanwhile.',
        tags: ['busy', 'open'],
        invoke: {
          src: 'findOpenAttempt',
          input: ({ context }) => ({ uid: context.profile.uid }),
          onDone: [
            {
              guard: withAnswer('hasAttempt'),
              target: 'recording',
              actions: withAnswer('resumeAttempt'),
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
        description:
          'The form is there to be filled in and confirmed; what went wrong before stands beside it.',
        tags: 'open',
        on: {
          'draft.change': { actions: 'changeDraft' },
          'draft.clear': { actions: 'clearDraft' },
          'problem.dismiss': { actions: 'clearProblem' },
          ...(rules.prices ? following : {}),
          'form.confirm': 'checkingForm',
          // Who left the question open asks again, before anything else is paid.
          'outcome.ask': { guard: 'isUnclear', target: 'checkingOutcome.asking' },
        },
      },

      checkingForm: {
        description: 'What was typed is checked at once; nobody ever sees it here.',
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
            actions: ['tellOffline', 'forgetConfirmation'],
          },
          ...(rules.prices ? [repriced] : []),
          ...(rules.duplicates ? [asked] : []),
          {
            guard: 'hasOtherOrderUnderWay',
            target: 'releasingFormerAttempt',
            actions: 'takeUpAttempt',
          },
          { target: 'reserving', actions: 'takeUpAttempt' },
        ],
      },

      // Typed as if it were always there: whoever shows the machine asks whether it is in it.
      ...(rules.duplicates ? asking : ({} as typeof asking)),

      // Before and not beside the new reservation: what the former one holds would count against the cap and the plan.
      releasingFormerAttempt: {
        description:
          'Another order was begun before, and is given up first, because it holds a part of the cap; the person waits.',
        tags: ['busy', 'paying'],
        invoke: {
          src: 'release',
          input: ({ context }) => ({ uid: context.profile.uid, attemptId: inPlace(context.formerAttemptId) }),
          onDone: [
            {
              // The former order went through after all. The new one stays in the form, for the person to decide.
              guard: withAnswer('isPaid'),
              target: 'receipt',
              actions: [withAnswer('showReceipt'), 'endAttempt'],
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
        description: 'The server is asked for this payment, and no card is charged yet; the person waits.',
        tags: ['busy', 'paying'],
        invoke: {
          src: 'reserve',
          input: ({ context }) => ({ uid: context.profile.uid, attempt: inPlace(context.attempt) }),
          onDone: [
            ...(rules.duplicates ? [askedByServer] : []),
            {
              guard: withAnswer('isRefused'),
              target: 'editing',
              actions: withAnswer('tellRefusal'),
            },
            { guard: withAnswer('isReservationPaid'), target: 'recording' },
            { guard: withAnswer('isReservationUnderWay'), target: 'checkingOutcome' },
            { target: 'awaitingCard', actions: withAnswer('openPayment') },
          ],
          onError: { target: 'editing', actions: 'tellNoAnswer' },
        },
        after: {
          answerTimeout: { target: 'editing', actions: 'tellNoAnswer' },
        },
      },

      awaitingCard: {
        description: 'The form for the card is open; the person pays, or closes it and has paid nothing.',
        tags: 'paying',
        on: {
          'payment.submit': [
            { guard: 'isOnline', target: 'confirmingCard', actions: 'clearProblem' },
            { actions: told('offline') },
          ],
          'payment.close': { target: 'releasing', actions: 'clearProblem' },
        },
      },

      releasing: {
        description:
          'The person has closed the payment, and the server gives it up; the form is there again.',
        tags: ['busy', 'paying', 'open'],
        entry: 'closePayment',
        invoke: {
          src: 'release',
          input: ({ context }) => ({ uid: context.profile.uid, attemptId: inPlace(context.attempt).id }),
          onDone: [
            { guard: withAnswer('isReleased'), target: 'editing', actions: 'freeAttempt' },
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
        description: 'The bank is asked to charge the card, and may ask the person to confirm it.',
        tags: ['busy', 'paying'],
        invoke: {
          src: 'confirmCard',
          input: ({ context }) => ({ clientSecret: inPlace(context.payment).clientSecret }),
          onDone: [
            {
              guard: withAnswer('isCardInvalid'),
              target: 'awaitingCard',
              actions: told('cardInvalid'),
            },
            {
              guard: withAnswer('isDeclined'),
              target: 'editing',
              actions: [withAnswer('tellDecline'), 'closePayment'],
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
              'The bank answers within the usual time; the person waits, or confirms it as the bank asks.',
            after: { bankPatience: 'overdue' },
          },
          overdue: {
            description:
              'The bank takes long; the person may leave it and have the server asked, and the bank’s answer still counts.',
            on: { 'outcome.ask': `#${rules.id}.checkingOutcome.asking` },
          },
        },
      },

      recording: {
        description:
          'The card is charged, or may be, and the server is asked to record it; the person waits.',
        tags: ['busy', 'paying'],
        invoke: {
          src: 'record',
          input: ({ context }) => ({ uid: context.profile.uid, attemptId: inPlace(context.attempt).id }),
          onDone: [...settled, { target: 'checkingOutcome' }],
          onError: 'checkingOutcome',
        },
        after: { answerTimeout: 'checkingOutcome' },
      },

      checkingOutcome: {
        description:
          'Nobody knows yet whether the card was charged; the server is asked again and again, and the person may leave.',
        tags: 'paying',
        entry: ['startCounting', 'closePayment', told('statusUnclear')],
        initial: 'waiting',
        on: {
          'outcome.leave': {
            target: 'editing',
            actions: [told('stillChecking'), 'noteUnclear'],
          },
        },
        states: {
          waiting: {
            description:
              'The next question comes by itself after some seconds; the person can ask at once, or leave.',
            after: { nextCheck: { guard: 'isOnline', target: 'asking' } },
            on: {
              'outcome.ask': 'asking',
              'network.back': { target: 'asking', actions: 'noteNetworkBack' },
            },
          },
          asking: {
            description: 'The server is being asked what became of the payment; the person waits, or leaves.',
            tags: 'busy',
            invoke: {
              src: 'record',
              input: ({ context }) => ({ uid: context.profile.uid, attemptId: inPlace(context.attempt).id }),
              onDone: [...settled, { target: 'waiting', actions: 'countUnclearAnswer' }],
              onError: { target: 'waiting', actions: 'countUnclearAnswer' },
            },
            after: { answerTimeout: { target: 'waiting', actions: 'countUnclearAnswer' } },
          },
        },
      },

      receipt: {
        description:
          'The server has recorded the payment; the person sees the receipt, keeps or shares it, and closes it.',
        on: { 'receipt.close': { target: 'editing', actions: 'closeReceipt' } },
      },
    },
  })
}

/**
 * Tells whether nothing can come of an attempt any more after a refusal, of any kind of payment or of this one (`own`): the next
 * confirmation then makes another one.
 */
export const endsAttempt =
  <Parts extends CheckoutParts>(own: readonly Parts['refusal']['kind'][]) =>
  ({ kind }: RefusalOf<Parts>): boolean =>
    kind === 'attemptEnded' || kind === 'attemptConflict' || own.some((one) => one === kind)
