/**
 * Delivers a paid transfer to its recipient, or returns the money. It exists because money must be paid out
 * at most once, and refunded exactly when it is not paid out. The functions store the state of an order and
 * ask this machine at every event what follows. It is a pure function: it waits for nothing and calls no
 * service; its actions tell the functions what to do. Events that it ignores contradict the records.
 */

import { assign, initialTransition, type SnapshotFrom, setup, transition } from 'xstate'
import { DAY, MINUTE } from '../domain/common/duration.ts'
import type { Reversal } from '../domain/money/reversal.ts'
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
  /** If the order is `due`, its charge has been verified. */
  | { type: 'order.check'; at: number }
  /** `hits`: the names for which the list of sanctions holds the order. */
  | { type: 'order.hold'; cause: HoldCause; hits?: readonly ScreeningHit[] }
  | { type: 'order.cancel'; at: number }
  /** Null removes all causes. */
  | { type: 'order.release'; cause: HoldCause | null }
  /** An operator knows that the order can't be paid out. */
  | { type: 'order.markFailed'; failure: PayoutFailure; at: number }
  | { type: 'order.markDelivered'; proof: string; at: number }
  | { type: 'order.claim'; batch: string }
  | { type: 'order.unclaim' }
  | { type: 'payout.accepted'; at: number }
  /** Never received. `hold`: why it may not be sent now, although its charge is in order. */
  | { type: 'payout.notFound'; hold: HoldCause | null; hits?: readonly ScreeningHit[]; at: number }
  /** Another amount or recipient under this reference. */
  | { type: 'payout.mismatched'; at: number }
  | { type: 'payout.delivered'; proof: string | null; at: number }
  /** The payout with this reference has failed finally. */
  | { type: 'payout.failed'; failure: PayoutFailure }
  /** The provider does not know the reference. */
  | { type: 'payout.refused'; failure: PayoutFailure }
  | { type: 'balance.sufficient' }
  /** The charge was reversed, or may be. */
  | { type: 'charge.reversed'; reversal: Reversal }
  | { type: 'refund.completed' }
  /** A completed refund has failed since. */
  | { type: 'refund.failed' }

/** Milliseconds in which an unanswered call may still reach the provider. */
const REQUEST_MAX_AGE = 10 * MINUTE
/** Milliseconds until an operator may decide the outcome. */
const PROVIDER_SILENCE_LIMIT = DAY
/** Failures for our reasons until an operator must check. */
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

/** The functions carry out these actions. */
const todo = () => {}

/** The charge was or may be reversed, or an operator abandoned an order that may have been sent. */
export const isCalledOff = ({ reversal, failure }: DeliveryFacts) =>
  reversal !== null || (failure !== null && !isInternalFailure(failure))

const isProviderSilent = ({ sentAt, handedOverAt }: DeliveryFacts, event: DeliveryEvent) =>
  'at' in event && event.at - Math.max(sentAt ?? 0, handedOverAt ?? 0) >= PROVIDER_SILENCE_LIMIT

/** A warning, a review or a name that was lifted never holds an order again. */
const isRepeatable = (cause: HoldCause) => ['operator', 'stop', 'payout', 'screeningList'].includes(cause)

const releasesLastHold = ({ holds }: DeliveryFacts, event: DeliveryEvent) =>
  event.type === 'order.release' && (event.cause === null || holds.every((cause) => cause === event.cause))

function findCause(event: DeliveryEvent, { lifted }: DeliveryFacts): HoldCause | null {
  const cause =
    event.type === 'order.hold' ? event.cause : event.type === 'payout.notFound' ? event.hold : null
  return cause !== null && !lifted.includes(cause) ? cause : null
}

const recordedAsDelivered = [
  { guard: 'isReversed', target: 'delivered', actions: ['recordDelivery', 'recordLoss', 'alertOperator'] },
  { target: 'delivered', actions: 'recordDelivery' },
] as const

/** The provider has long been silent about the payout. */
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

const failedForGood = [
  {
    guard: 'isForOperator',
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

/** A refusal is certain for its own call only: an earlier, slower call may have been accepted. */
const callOffEvents = {
  'order.markFailed': [
    { guard: 'isPossiblySent', target: 'handingOver', actions: 'recordFailure' },
    { target: 'failed', actions: ['recordFailure', 'recordDebt'] },
  ],
  'charge.reversed': [
    { guard: 'isPossiblySent', target: 'handingOver', actions: 'recordReversal' },
    { target: 'failed', actions: ['recordReversal', 'recordDebt'] },
  ],
} as const

/** A restored database does not know the claim. */
const paidBeforeRestore = {
  'order.markDelivered': { guard: 'isByHand', target: 'delivered', actions: 'recordDelivery' },
} as const

/** An abandoned order may be paid out after all: then both recipient and card have the money. */
const lateAnswers = {
  'order.check': { actions: 'checkPayout' },
  'payout.delivered': { guard: 'isNewArrival', actions: ['recordLateArrival', 'alertOperator'] },
} as const

export const deliveryMachine = setup({
  types: {
    context: {} as DeliveryFacts,
    input: {} as Pick<DeliveryFacts, 'isByHand' | 'cancelableUntil'>,
    events: {} as DeliveryEvent,
  },
  guards: {
    isByHand: ({ context }) => context.isByHand,
    /** The sender can't cancel it any more. */
    isReadyForProvider: ({ context, event }) =>
      !context.isByHand && 'at' in event && event.at >= (context.cancelableUntil ?? 0),
    /** On a server whose clock is behind, the order may have been sent before. */
    isCancelable: ({ context: { cancelableUntil, sentAt }, event }) =>
      'at' in event && sentAt === null && (cancelableUntil === null || event.at < cancelableUntil),
    isCanceled: ({ context }) => context.canceledAt !== null,
    isReversed: ({ context }) => context.reversal !== null,
    isCalledOff: ({ context }) => isCalledOff(context),
    /** No payout that was sent can still arrive. */
    isCalledOffInTime: ({ context, event }) =>
      isCalledOff(context) &&
      event.type === 'payout.notFound' &&
      event.at - (context.sentAt ?? 0) >= REQUEST_MAX_AGE,
    isInternalFailure: ({ context, event }) =>
      'failure' in event && !isCalledOff(context) && isInternalFailure(event.failure),
    /** The provider's reason is unknown, or the payout failed too often. */
    isForOperator: ({ context, event }) =>
      'failure' in event &&
      !isCalledOff(context) &&
      isInternalFailure(event.failure) &&
      (event.failure === 'unclear' || context.tries + 1 >= MAX_PAYOUT_FAILURES),
    isProviderSilent: ({ context, event }) => isProviderSilent(context, event),
    isProviderSilentAndReversed: ({ context, event }) =>
      isProviderSilent(context, event) && context.reversal !== null,
    isPossiblySent: ({ context }) => context.sentAt !== null,
    hasHolds: ({ context }) => context.holds.length > 0,
    isNewHold: ({ context, event }) => findCause(event, context) !== null,
    isLastHold: ({ context, event }) => releasesLastHold(context, event),
    isLastHoldAfterSending: ({ context, event }) =>
      releasesLastHold(context, event) && context.sentAt !== null,
    isNewArrival: ({ context }) => context.deliveredAt === null,
    isNewLoss: ({ context }) => context.loss === null,
  },
  actions: {
    /** The current reference is already stored. */
    requestPayout: todo,
    checkPayout: todo,
    checkBalance: todo,
    /** Records that the whole charge is owed back, in the transaction that stores the state. */
    recordDebt: todo,
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
    recordLateArrival: assign({ deliveredAt: ({ event }) => ('at' in event ? event.at : null) }),
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
        ...paidBeforeRestore,
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
          { guard: 'isCalledOff' },
          {
            guard: 'isForOperator',
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
        'order.markFailed': [failedByOperator, { actions: 'recordFailure' }],
        'charge.reversed': { actions: 'recordReversal' },
      },
    },

    handedOver: {
      description: 'The provider has accepted the payout.',
      on: {
        'order.check': { actions: 'checkPayout' },
        // The provider accepted the payout before, so its denial is not trusted.
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
        // The order may have been paid already.
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
        ...paidBeforeRestore,
        'order.release': [
          // The payout may have been sent before the hold.
          { guard: 'isLastHoldAfterSending', target: 'handingOver', actions: 'removeHold' },
          { guard: 'isLastHold', target: 'due', actions: 'removeHold' },
          { actions: 'removeHold' },
        ],
        ...callOffEvents,
        'charge.reversed': [
          { guard: 'isPossiblySent', target: 'handingOver', actions: ['clearHolds', 'recordReversal'] },
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

/** `recordDebt` belongs to the transaction that stores the step. */
export type DeliveryAction = 'requestPayout' | 'checkPayout' | 'checkBalance' | 'recordDebt' | 'alertOperator'

const ACTIONS: ReadonlySet<string> = new Set<DeliveryAction>([
  'requestPayout',
  'checkPayout',
  'checkBalance',
  'recordDebt',
  'alertOperator',
])

export type DeliverySnapshot = DeliveryFacts & { readonly state: DeliveryState }

const stored = ({ value, context }: SnapshotFrom<typeof deliveryMachine>): DeliverySnapshot => ({
  ...context,
  state: value,
})

const toMachineSnapshot = ({ state, ...context }: DeliverySnapshot) =>
  deliveryMachine.resolveState({ value: state, context: pickDeliveryFacts(context) })

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

export const createDelivery = (
  input: Pick<DeliveryFacts, 'isByHand' | 'cancelableUntil'>,
): DeliverySnapshot => stored(initialTransition(deliveryMachine, input)[0])

/** Events that contradict the records change nothing. */
export const acceptsDeliveryEvent = (delivery: DeliverySnapshot, event: DeliveryEvent): boolean =>
  toMachineSnapshot(delivery).can(event)

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
