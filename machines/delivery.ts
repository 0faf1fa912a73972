/**
 * Delivers a paid transfer to its recipient, or returns the money. It exists because money must be paid out
 * at most once, and refunded exactly when it is not paid out. The functions store the state of an order and
 * ask this machine at every event what follows. It is a pure function: it waits for nothing and calls no
 * service; its actions tell the functions what to do. Events that it ignores contradict the records.
 */

import { assign, initialTransition, type SnapshotFrom, setup, transition } from 'xstate'
import { DAY, MINUTE } from '../domain/common/duration.ts'
import type { Reversal } from '../domain/money/reconciliation.ts'
import {
  type DeliveryFacts,
  type DeliveryState,
  type HoldCause,
  isInternalFailure,
  type PayoutFailure,
} from '../domain/payouts/deliveryOrder.ts'
import type { ScreeningHit } from '../domain/payouts/screening.ts'

/** `at`: UTC milliseconds. */
export type DeliveryEvent =
  /** A check is due. If the order is `due`, its charge has been verified. */
  | { type: 'order.check'; at: number }
  /** `hits`: the names for which the list of sanctions holds the order. */
  | { type: 'order.hold'; cause: HoldCause; hits?: readonly ScreeningHit[] }
  /** The sender cancels the transfer. */
  | { type: 'order.cancel'; at: number }
  /** Removes one cause of the hold; null removes all causes. */
  | { type: 'order.release'; cause: HoldCause | null }
  /** An operator knows that the order can't be paid out. */
  | { type: 'order.markFailed'; failure: PayoutFailure; at: number }
  /** An operator knows that the recipient has the money. */
  | { type: 'order.markDelivered'; proof: string; at: number }
  /** An operator claimed the order. */
  | { type: 'order.claim'; batch: string }
  | { type: 'order.unclaim' }
  /** The provider accepted the payout. */
  | { type: 'payout.accepted'; at: number }
  /**
   * The provider never received the payout. `hold`: why it may not be sent now, although its charge is in
   * order.
   */
  | { type: 'payout.notFound'; hold: HoldCause | null; hits?: readonly ScreeningHit[]; at: number }
  /** The provider has a different payout under this reference: another amount or recipient. */
  | { type: 'payout.mismatched'; at: number }
  | { type: 'payout.delivered'; proof: string | null; at: number }
  /** The payout with this reference has failed finally. */
  | { type: 'payout.failed'; failure: PayoutFailure }
  /** The provider refused the payout, and does not know its reference. */
  | { type: 'payout.refused'; failure: PayoutFailure }
  /** Our account at the provider has enough money for the payout. */
  | { type: 'balance.sufficient' }
  /** The charge was reversed, or may be. */
  | { type: 'charge.reversed'; reversal: Reversal }
  | { type: 'refund.completed' }
  /** A completed refund has failed since. */
  | { type: 'refund.failed' }

/** How long an unanswered call may still reach the provider, in milliseconds. */
const REQUEST_MAX_AGE = 10 * MINUTE
/** How long a payout is left to the provider before an operator may decide its outcome, in milliseconds. */
const PROVIDER_SILENCE_LIMIT = DAY
/** How often a payout may fail for our reasons before an operator must check. */
export const MAX_PAYOUT_FAILURES = 20

const NEW_ORDER = {
  attempt: 1,
  tries: 0,
  sentAt: null,
  holds: [],
  lifted: [],
  batch: null,
  failure: null,
  proof: null,
  handedOverAt: null,
  deliveredAt: null,
  reversal: null,
  loss: null,
  canceledAt: null,
} satisfies Omit<DeliveryFacts, 'isByHand' | 'cancelableUntil'>

/** The functions carry out these actions; the machine only names them. */
const todo = () => {}

/**
 * Whether the order must not be paid out: its charge was or may be reversed, or an operator abandoned the
 * order when it might already have been sent.
 */
export const isCalledOff = ({ reversal, failure }: DeliveryFacts) =>
  reversal !== null || (failure !== null && !isInternalFailure(failure))

/** Whether the provider has been silent for so long that an operator may decide the outcome. */
const isProviderSilent = ({ sentAt, handedOverAt }: DeliveryFacts, event: DeliveryEvent) =>
  'at' in event && event.at - Math.max(sentAt ?? 0, handedOverAt ?? 0) >= PROVIDER_SILENCE_LIMIT

/** Whether the cause may hold an order again after it was lifted; a warning, a review or a name may not. */
const isRepeatable = (cause: HoldCause) => ['operator', 'stop', 'payout', 'screeningList'].includes(cause)

const releasesLastHold = ({ holds }: DeliveryFacts, event: DeliveryEvent) =>
  event.type === 'order.release' && (event.cause === null || holds.every((cause) => cause === event.cause))

/** Finds the cause for which an event holds an order; null if there is none, or if it was lifted before. */
function findCause(event: DeliveryEvent, { lifted }: DeliveryFacts): HoldCause | null {
  const cause =
    event.type === 'order.hold' ? event.cause : event.type === 'payout.notFound' ? event.hold : null
  return cause !== null && !lifted.includes(cause) ? cause : null
}

/** The recipient has the money, according to the provider or operator that paid it. */
const recordedAsDelivered = [
  { guard: 'isReversed', target: 'delivered', actions: ['recordDelivery', 'recordLoss', 'alertOperator'] },
  { target: 'delivered', actions: 'recordDelivery' },
] as const

/** Like `recordedAsDelivered`, for a payout about which the provider has long been silent. */
const deliveredByOperator = [
  {
    guard: 'isProviderSilentAndReversed',
    target: 'delivered',
    actions: ['recordDelivery', 'recordLoss', 'alertOperator'],
  },
  { guard: 'isProviderSilent', target: 'delivered', actions: 'recordDelivery' },
] as const
const failedByOperator = {
  guard: 'isProviderSilent',
  target: 'failed',
  actions: ['recordFailure', 'recordDebt'],
} as const

/** The provider reports that the payout has failed finally. */
const failedForGood = [
  {
    guard: 'needsOperator',
    target: 'held',
    actions: ['recordFailure', 'startNextTry', 'holdPayout', 'alertOperator'],
  },
  {
    guard: 'isInternalFailure',
    target: 'waiting',
    actions: ['recordFailure', 'countTry', 'startNextTry', 'alertOperator'],
  },
  { target: 'failed', actions: ['recordFailure', 'recordDebt'] },
] as const

/**
 * The order must no longer be paid out. A refusal is certain for its own call only: an earlier, slower call
 * may have been accepted, so the provider is asked.
 */
const callOffEvents = {
  'order.markFailed': [
    { guard: 'mayHaveBeenSent', target: 'handingOver', actions: 'recordFailure' },
    { target: 'failed', actions: ['recordFailure', 'recordDebt'] },
  ],
  'charge.reversed': [
    { guard: 'mayHaveBeenSent', target: 'handingOver', actions: 'recordReversal' },
    { target: 'failed', actions: ['recordReversal', 'recordDebt'] },
  ],
} as const

/**
 * An operator has abandoned the order, but the provider answers after all: if it was paid out, both recipient
 * and card have the money.
 */
const lateAnswers = {
  'order.check': { actions: 'checkPayout' },
  'payout.delivered': { actions: 'alertOperator' },
} as const

export const deliveryMachine = setup({
  types: {
    context: {} as DeliveryFacts,
    input: {} as Pick<DeliveryFacts, 'isByHand' | 'cancelableUntil'>,
    events: {} as DeliveryEvent,
  },
  guards: {
    isByHand: ({ context }) => context.isByHand,
    /** Whether a provider pays the order out, and the sender can't cancel it any more. */
    isReadyForProvider: ({ context, event }) =>
      !context.isByHand && 'at' in event && event.at >= (context.cancelableUntil ?? 0),
    /**
     * Whether the sender may cancel: on a server whose clock is behind, the order may have been sent before.
     */
    isCancelable: ({ context: { cancelableUntil, sentAt }, event }) =>
      'at' in event && sentAt === null && (cancelableUntil === null || event.at < cancelableUntil),
    isCanceled: ({ context }) => context.canceledAt !== null,
    isReversed: ({ context }) => context.reversal !== null,
    isCalledOff: ({ context }) => isCalledOff(context),
    /** Whether the order was called off, and no payout that was sent can still arrive. */
    isCalledOffInTime: ({ context, event }) =>
      isCalledOff(context) &&
      event.type === 'payout.notFound' &&
      event.at - (context.sentAt ?? 0) >= REQUEST_MAX_AGE,
    isInternalFailure: ({ context, event }) =>
      'failure' in event && !isCalledOff(context) && isInternalFailure(event.failure),
    /** Whether an operator must act: the provider's reason is unknown, or the payout failed too often. */
    needsOperator: ({ context, event }) =>
      'failure' in event &&
      !isCalledOff(context) &&
      isInternalFailure(event.failure) &&
      (event.failure === 'unclear' || context.tries + 1 >= MAX_PAYOUT_FAILURES),
    isProviderSilent: ({ context, event }) => isProviderSilent(context, event),
    isProviderSilentAndReversed: ({ context, event }) =>
      isProviderSilent(context, event) && context.reversal !== null,
    mayHaveBeenSent: ({ context }) => context.sentAt !== null,
    hasHolds: ({ context }) => context.holds.length > 0,
    isNewHold: ({ context, event }) => findCause(event, context) !== null,
    isLastHold: ({ context, event }) => releasesLastHold(context, event),
    isLastHoldAfterSending: ({ context, event }) =>
      releasesLastHold(context, event) && context.sentAt !== null,
    isNewLoss: ({ context }) => context.loss === null,
  },
  actions: {
    /** Requests the payout from the provider with the current reference, which is already stored. */
    requestPayout: todo,
    /** Asks the provider for the outcome of the payout with the current reference. */
    checkPayout: todo,
    checkBalance: todo,
    /** Records, in the transaction that stores the state, that the whole charge is owed back. */
    recordDebt: todo,
    /** Alerts an operator, who must check the order. */
    alertOperator: todo,
    recordSentAt: assign({ sentAt: ({ context, event }) => ('at' in event ? event.at : context.sentAt) }),
    recordHandover: assign({
      handedOverAt: ({ context, event }) => ('at' in event ? event.at : context.handedOverAt),
      failure: null,
    }),
    recordDelivery: assign(({ event }) =>
      event.type === 'payout.delivered' || event.type === 'order.markDelivered'
        ? { proof: event.proof, deliveredAt: event.at, failure: null, holds: [] }
        : {},
    ),
    recordFailure: assign(({ event }) =>
      'failure' in event ? { failure: event.failure, batch: null, holds: [] } : {},
    ),
    recordCancellation: assign({
      canceledAt: ({ event }) => (event.type === 'order.cancel' ? event.at : null),
    }),
    recordReversal: assign(({ event }) =>
      event.type === 'charge.reversed' ? { reversal: event.reversal } : {},
    ),
    recordLoss: assign({
      loss: ({ context, event }) => (event.type === 'charge.reversed' ? event.reversal : context.reversal),
    }),
    /** The last reference has failed finally, so a new one can't pay twice. */
    startNextTry: assign({ attempt: ({ context }) => context.attempt + 1, sentAt: null }),
    addHold: assign(({ context, event }) => {
      const cause = findCause(event, context)
      return cause === null ? {} : { holds: [...new Set([...context.holds, cause])] }
    }),
    removeHold: assign(({ context: { holds, lifted }, event }) => {
      const isOver = (cause: HoldCause) =>
        event.type === 'order.release' && (event.cause === null || event.cause === cause)
      return {
        holds: holds.filter((cause) => !isOver(cause)),
        lifted: [...lifted, ...holds.filter((cause) => isOver(cause) && !isRepeatable(cause))],
      }
    }),
    holdPayout: assign({ holds: ['payout'], tries: 0 }),
    countTry: assign({ tries: ({ context }) => context.tries + 1 }),
    clearHolds: assign({ holds: [] }),
    recordBatch: assign({ batch: ({ event }) => (event.type === 'order.claim' ? event.batch : null) }),
    clearBatch: assign({ batch: null }),
  },
}).createMachine({
  id: 'delivery',
  context: ({ input }) => ({ ...NEW_ORDER, ...input }),
  initial: 'due',
  states: {
    due: {
      description: 'The transfer is paid, its payout has not been requested, and its sender may cancel it.',
      on: {
        'order.check': {
          guard: 'isReadyForProvider',
          target: 'handingOver',
          actions: ['recordSentAt', 'requestPayout'],
        },
        'order.cancel': {
          guard: 'isCancelable',
          target: 'canceled',
          actions: ['recordCancellation', 'recordDebt'],
        },
        'order.hold': { guard: 'isNewHold', target: 'held', actions: 'addHold' },
        ...callOffEvents,
        'order.claim': { guard: 'isByHand', target: 'claimed', actions: 'recordBatch' },
      },
    },

    handingOver: {
      description: 'The reference is stored, and it is unknown whether the provider has the payout.',
      on: {
        'order.check': { actions: 'checkPayout' },
        'payout.notFound': [
          { guard: 'isCalledOffInTime', target: 'failed', actions: 'recordDebt' },
          // The call may still be on its way.
          { guard: 'isCalledOff' },
          { guard: 'isNewHold', target: 'held', actions: 'addHold' },
          { actions: ['recordSentAt', 'requestPayout'] },
        ],
        'payout.accepted': { target: 'handedOver', actions: 'recordHandover' },
        // The reference is used up, whatever its outcome.
        'payout.mismatched': { target: 'handedOver', actions: ['recordHandover', 'alertOperator'] },
        'payout.delivered': [...recordedAsDelivered],
        'payout.failed': [...failedForGood],
        'payout.refused': [
          {
            guard: 'needsOperator',
            target: 'held',
            actions: ['recordFailure', 'holdPayout', 'alertOperator'],
          },
          {
            guard: 'isInternalFailure',
            target: 'waiting',
            actions: ['recordFailure', 'countTry', 'alertOperator'],
          },
          { target: 'failed', actions: ['recordFailure', 'recordDebt'] },
        ],
        'order.markDelivered': [...deliveredByOperator],
        'order.markFailed': failedByOperator,
        'charge.reversed': { actions: 'recordReversal' },
      },
    },

    handedOver: {
      description: 'The provider has accepted the payout.',
      on: {
        'order.check': { actions: 'checkPayout' },
        // The provider accepted the payout before, so its denial is not trusted: nothing is sent or refunded.
        'payout.notFound': { actions: 'alertOperator' },
        'payout.mismatched': { actions: 'alertOperator' },
        'payout.delivered': [...recordedAsDelivered],
        'payout.failed': [...failedForGood],
        'order.markDelivered': [...deliveredByOperator],
        'order.markFailed': failedByOperator,
        'charge.reversed': { actions: 'recordReversal' },
      },
    },

    waiting: {
      description: 'The payout failed for a reason of ours, such as an empty account; it is tried again.',
      on: {
        'order.check': { actions: 'checkBalance' },
        'balance.sufficient': 'due',
        'order.hold': { guard: 'isNewHold', target: 'held', actions: 'addHold' },
        ...callOffEvents,
      },
    },

    claimed: {
      description: 'An operator has claimed the order, and has not recorded the outcome yet.',
      on: {
        'order.unclaim': [
          { guard: 'isReversed', target: 'failed', actions: ['clearBatch', 'clearHolds', 'recordDebt'] },
          { guard: 'hasHolds', target: 'held', actions: 'clearBatch' },
          { target: 'due', actions: 'clearBatch' },
        ],
        // The order may have been paid already, so the operator who claimed it must learn of the hold.
        'order.hold': { guard: 'isNewHold', actions: ['addHold', 'alertOperator'] },
        'order.release': { actions: 'removeHold' },
        'order.markDelivered': [...recordedAsDelivered],
        'order.markFailed': { target: 'failed', actions: ['recordFailure', 'recordDebt'] },
        'charge.reversed': { actions: 'recordReversal' },
      },
    },

    held: {
      description:
        'The order is on hold: an operator, a warning, a review, a paused sender, a name or failing payouts.',
      on: {
        'order.hold': { guard: 'isNewHold', actions: 'addHold' },
        'order.release': [
          // The payout may have been sent before the hold, so ask the provider for its outcome first.
          { guard: 'isLastHoldAfterSending', target: 'handingOver', actions: 'removeHold' },
          { guard: 'isLastHold', target: 'due', actions: 'removeHold' },
          { actions: 'removeHold' },
        ],
        'order.markFailed': [
          { guard: 'mayHaveBeenSent', target: 'handingOver', actions: 'recordFailure' },
          { target: 'failed', actions: ['recordFailure', 'recordDebt'] },
        ],
        'charge.reversed': [
          { guard: 'mayHaveBeenSent', target: 'handingOver', actions: ['clearHolds', 'recordReversal'] },
          { target: 'failed', actions: ['clearHolds', 'recordReversal', 'recordDebt'] },
        ],
      },
    },

    delivered: {
      description: 'The recipient has the money.',
      on: {
        'charge.reversed': { guard: 'isNewLoss', actions: ['recordLoss', 'alertOperator'] },
      },
    },

    failed: {
      description: 'The order will never be paid out, and the whole charge is owed to the card.',
      on: { 'refund.completed': 'paidBack', ...lateAnswers },
    },

    canceled: {
      description: 'The sender canceled the transfer in time, and the whole charge is owed to the card.',
      on: { 'refund.completed': 'paidBack' },
    },

    paidBack: {
      description: 'The card was refunded in full.',
      on: {
        'refund.failed': [{ guard: 'isCanceled', target: 'canceled' }, { target: 'failed' }],
        ...lateAnswers,
      },
    },
  },
})

/** The tasks of the functions; `recordDebt` belongs to the transaction that stores the step. */
export type DeliveryAction = 'requestPayout' | 'checkPayout' | 'checkBalance' | 'recordDebt' | 'alertOperator'

const ACTIONS: ReadonlySet<string> = new Set<DeliveryAction>([
  'requestPayout',
  'checkPayout',
  'checkBalance',
  'recordDebt',
  'alertOperator',
])

/** The part of an order that the machine knows. */
export type DeliverySnapshot = DeliveryFacts & { readonly state: DeliveryState }

const stored = ({ value, context }: SnapshotFrom<typeof deliveryMachine>): DeliverySnapshot => ({
  ...context,
  state: value,
})

const toMachineSnapshot = ({ state, ...context }: DeliverySnapshot) =>
  deliveryMachine.resolveState({ value: state, context: pickDeliveryFacts(context) })

/** Drops the other stored fields of an order. */
const pickDeliveryFacts = (from: DeliveryFacts): DeliveryFacts => ({
  isByHand: from.isByHand,
  cancelableUntil: from.cancelableUntil,
  canceledAt: from.canceledAt,
  attempt: from.attempt,
  tries: from.tries,
  sentAt: from.sentAt,
  holds: from.holds,
  lifted: from.lifted,
  batch: from.batch,
  failure: from.failure,
  proof: from.proof,
  handedOverAt: from.handedOverAt,
  deliveredAt: from.deliveredAt,
  reversal: from.reversal,
  loss: from.loss,
})

/** Creates the order of a newly recorded transfer. */
export const createDelivery = (
  input: Pick<DeliveryFacts, 'isByHand' | 'cancelableUntil'>,
): DeliverySnapshot => stored(initialTransition(deliveryMachine, input)[0])

/** Whether the event agrees with the known facts; other events change nothing. */
export const acceptsDeliveryEvent = (delivery: DeliverySnapshot, event: DeliveryEvent): boolean =>
  toMachineSnapshot(delivery).can(event)

/** Returns the order after the event, and the tasks that follow. */
export function applyDeliveryEvent(
  delivery: DeliverySnapshot,
  event: DeliveryEvent,
): { readonly delivery: DeliverySnapshot; readonly todo: readonly DeliveryAction[] } {
  const [next, actions] = transition(deliveryMachine, toMachineSnapshot(delivery), event)
  return {
    delivery: stored(next),
    todo: actions.flatMap(({ type }) => (ACTIONS.has(type) ? (type as DeliveryAction) : [])),
  }
}
