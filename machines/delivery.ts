/**
 * Brings a transfer that is paid to whom it is for, or its money back. It exists because money must be paid out once at most, and
 * given back exactly when it is not: the functions store where an order stands, and at every piece of news ask this machine what
 * follows. It is a pure function: it waits for nothing and calls nobody, and its actions are what the functions do then. What it
 * ignores contradicts the records.
 */

import { assign, initialTransition, type SnapshotFrom, setup, transition } from 'xstate'
import {
  type DeliveryFacts,
  type DeliveryState,
  type HoldCause,
  isOurs,
  type PayoutFailure,
  type Reversal,
} from '../domain/delivery.ts'
import { DAY, MINUTE } from '../domain/duration.ts'

/** `at`: UTC milliseconds. */
export type DeliveryEvent =
  /** It is time to do something. Of one that is due its charge was found in order. */
  | { type: 'order.look'; at: number }
  | { type: 'order.hold'; cause: HoldCause }
  /** One cause less; null lifts them all. */
  | { type: 'order.release'; cause: HoldCause | null }
  /** An operator knows that it can't be paid out. */
  | { type: 'order.giveUp'; failure: PayoutFailure; at: number }
  /** An operator knows that the recipient has the money. */
  | { type: 'order.arrived'; proof: string; at: number }
  /** People have it in hand. */
  | { type: 'claim.take'; batch: string }
  | { type: 'claim.release' }
  /** The provider has it. */
  | { type: 'payout.taken'; at: number }
  /** The provider says that it never had it. `hold`: why it may not be sent now, although its charge is in order. */
  | { type: 'payout.unknown'; hold: HoldCause | null; at: number }
  /** The provider tells of another payout under this reference: another amount, or to somebody else. */
  | { type: 'payout.contradicted'; at: number }
  | { type: 'payout.delivered'; proof: string | null; at: number }
  /** The payout with this reference has failed for good. */
  | { type: 'payout.failed'; failure: PayoutFailure }
  /** The provider has not taken it, and does not know its reference. */
  | { type: 'payout.refused'; failure: PayoutFailure }
  /** Our account at the provider has enough for it. */
  | { type: 'balance.enough' }
  /** The money of the charge went back, or may. */
  | { type: 'charge.reversed'; reversal: Reversal }
  | { type: 'refund.done' }
  /** A refund that was done has failed since. */
  | { type: 'refund.owed' }

/** How long what was sent without an answer may still arrive at the provider, in milliseconds. */
const ON_ITS_WAY = 10 * MINUTE
/** How long what a provider has is its own, before an operator may say what became of it, in milliseconds. */
const ITS_OWN_FOR = DAY

const NEW = {
  attempt: 1,
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
} satisfies Omit<DeliveryFacts, 'isByHand'>

/** What the functions do; nothing happens here. */
const todo = () => {}

/** Whether it is not to be paid out: its charge went back or may, or an operator gave it up while it could have been sent. */
export const isCalledOff = ({ reversal, failure }: DeliveryFacts) =>
  reversal !== null || (failure !== null && !isOurs(failure))

/** Nobody has told of it for so long that an operator knows better. */
const isLeft = ({ sentAt, handedOverAt }: DeliveryFacts, event: DeliveryEvent) =>
  'at' in event && event.at - Math.max(sentAt ?? 0, handedOverAt ?? 0) >= ITS_OWN_FOR

const isLast = ({ holds }: DeliveryFacts, event: DeliveryEvent) =>
  event.type === 'order.release' && (event.cause === null || holds.every((cause) => cause === event.cause))

/** The cause for which an event holds an order; null when there is none, or when it was lifted before. */
function findCause(event: DeliveryEvent, { lifted }: DeliveryFacts): HoldCause | null {
  const cause =
    event.type === 'order.hold' ? event.cause : event.type === 'payout.unknown' ? event.hold : null
  return cause !== null && !lifted.includes(cause) ? cause : null
}

/** Whoever had it in hand says that the recipient has the money. */
const arrived = [
  { guard: 'isReversed', target: 'delivered', actions: ['noteDelivered', 'noteLoss', 'alert'] },
  { target: 'delivered', actions: 'noteDelivered' },
] as const

/** The same, of what a provider has, and has told nothing of for long. */
const arrivedUntold = [
  { guard: 'isLeftAndReversed', target: 'delivered', actions: ['noteDelivered', 'noteLoss', 'alert'] },
  { guard: 'isLeft', target: 'delivered', actions: 'noteDelivered' },
] as const
const givenUpUntold = { guard: 'isLeft', target: 'failed', actions: ['noteFailure', 'owe'] } as const

/** The provider says that this try has failed for good. */
const missed = [
  { guard: 'isOurs', target: 'waiting', actions: ['noteFailure', 'beginNextTry', 'alert'] },
  { target: 'failed', actions: ['noteFailure', 'owe'] },
] as const

/** Nobody is to pay it any more. Refused was one call alone, also of what is due once more: a slower one may have been taken, and is asked about. */
const calledOffUnlessSent = {
  'order.giveUp': [
    { guard: 'mayBeSent', target: 'handingOver', actions: 'noteFailure' },
    { target: 'failed', actions: ['noteFailure', 'owe'] },
  ],
  'charge.reversed': [
    { guard: 'mayBeSent', target: 'handingOver', actions: 'noteReversal' },
    { target: 'failed', actions: ['noteReversal', 'owe'] },
  ],
} as const

/** An operator has given it up, and its provider calls all the same: if it has paid, both the recipient and the card have the money. */
const heardTooLate = {
  'order.look': { actions: 'ask' },
  'payout.delivered': { actions: 'alert' },
} as const

export const deliveryMachine = setup({
  types: {
    context: {} as DeliveryFacts,
    input: {} as Pick<DeliveryFacts, 'isByHand'>,
    events: {} as DeliveryEvent,
  },
  guards: {
    isByHand: ({ context }) => context.isByHand,
    hasApi: ({ context }) => !context.isByHand,
    isReversed: ({ context }) => context.reversal !== null,
    isCalledOff: ({ context }) => isCalledOff(context),
    /** And nothing that was sent can still arrive. */
    isCalledOffInTime: ({ context, event }) =>
      isCalledOff(context) &&
      event.type === 'payout.unknown' &&
      event.at - (context.sentAt ?? 0) >= ON_ITS_WAY,
    isOurs: ({ context, event }) => 'failure' in event && !isCalledOff(context) && isOurs(event.failure),
    isLeft: ({ context, event }) => isLeft(context, event),
    isLeftAndReversed: ({ context, event }) => isLeft(context, event) && context.reversal !== null,
    mayBeSent: ({ context }) => context.sentAt !== null,
    isNewCause: ({ context, event }) => findCause(event, context) !== null,
    isLastHold: ({ context, event }) => isLast(context, event),
    isLastHoldOfSent: ({ context, event }) => isLast(context, event) && context.sentAt !== null,
    isNewLoss: ({ context }) => context.loss === null,
  },
  actions: {
    /** Calls the provider with the reference of this try, which was written down before. */
    send: todo,
    /** Asks the provider what became of the reference. */
    ask: todo,
    askForBalance: todo,
    /** Writes down, together with where the order stands, that all of the charge is owed back. */
    owe: todo,
    /** Somebody has to look at it. */
    alert: todo,
    noteSent: assign({ sentAt: ({ context, event }) => ('at' in event ? event.at : context.sentAt) }),
    noteHandedOver: assign({
      handedOverAt: ({ context, event }) => ('at' in event ? event.at : context.handedOverAt),
      failure: null,
    }),
    noteDelivered: assign(({ event }) =>
      event.type === 'payout.delivered' || event.type === 'order.arrived'
        ? { proof: event.proof, deliveredAt: event.at, failure: null, batch: null, holds: [] }
        : {},
    ),
    noteFailure: assign(({ event }) =>
      'failure' in event ? { failure: event.failure, batch: null, holds: [] } : {},
    ),
    noteReversal: assign(({ event }) =>
      event.type === 'charge.reversed' ? { reversal: event.reversal } : {},
    ),
    noteLoss: assign({
      loss: ({ context, event }) => (event.type === 'charge.reversed' ? event.reversal : context.reversal),
    }),
    /** The reference of the last try has failed for good, so another one pays nothing twice. */
    beginNextTry: assign({ attempt: ({ context }) => context.attempt + 1, sentAt: null }),
    addHold: assign(({ context, event }) => {
      const cause = findCause(event, context)
      return cause === null ? {} : { holds: [...new Set([...context.holds, cause])] }
    }),
    dropHold: assign(({ context: { holds, lifted }, event }) => {
      const isOver = (cause: HoldCause) =>
        event.type === 'order.release' && (event.cause === null || event.cause === cause)
      return {
        holds: holds.filter((cause) => !isOver(cause)),
        // An operator may hold it again.
        lifted: [...lifted, ...holds.filter((cause) => isOver(cause) && cause !== 'operator')],
      }
    }),
    dropHolds: assign({ holds: [] }),
    noteBatch: assign({ batch: ({ event }) => (event.type === 'claim.take' ? event.batch : null) }),
    dropBatch: assign({ batch: null }),
  },
}).createMachine({
  id: 'delivery',
  context: ({ input }) => ({ ...NEW, ...input }),
  initial: 'due',
  states: {
    due: {
      description: 'It is paid for, and nobody has been asked to pay it out.',
      on: {
        'order.look': { guard: 'hasApi', target: 'handingOver', actions: ['noteSent', 'send'] },
        'order.hold': { guard: 'isNewCause', target: 'held', actions: 'addHold' },
        ...calledOffUnlessSent,
        'claim.take': { guard: 'isByHand', target: 'claimed', actions: 'noteBatch' },
      },
    },

    handingOver: {
      description: 'Its reference is written down, and nobody knows yet whether the provider has it.',
      on: {
        'order.look': { actions: 'ask' },
        'payout.unknown': [
          { guard: 'isCalledOffInTime', target: 'failed', actions: 'owe' },
          // What was sent may be on its way still.
          { guard: 'isCalledOff' },
          { guard: 'isNewCause', target: 'held', actions: 'addHold' },
          { actions: ['noteSent', 'send'] },
        ],
        'payout.taken': { target: 'handedOver', actions: 'noteHandedOver' },
        // Whatever became of it, the reference is used.
        'payout.contradicted': { target: 'handedOver', actions: ['noteHandedOver', 'alert'] },
        'payout.delivered': [...arrived],
        'payout.failed': [...missed],
        'payout.refused': [
          { guard: 'isOurs', target: 'waiting', actions: ['noteFailure', 'alert'] },
          { target: 'failed', actions: ['noteFailure', 'owe'] },
        ],
        'order.arrived': [...arrivedUntold],
        'order.giveUp': givenUpUntold,
        'charge.reversed': { actions: 'noteReversal' },
      },
    },

    handedOver: {
      description: 'The provider has it, and works on it.',
      on: {
        'order.look': { actions: 'ask' },
        // It has said otherwise before: nothing is sent again, and nothing given back.
        'payout.unknown': { actions: 'alert' },
        'payout.contradicted': { actions: 'alert' },
        'payout.delivered': [...arrived],
        'payout.failed': [...missed],
        'order.arrived': [...arrivedUntold],
        'order.giveUp': givenUpUntold,
        'charge.reversed': { actions: 'noteReversal' },
      },
    },

    waiting: {
      description:
        'The provider could not, for a reason that is ours, such as an empty account; it is tried again.',
      on: {
        'order.look': { actions: 'askForBalance' },
        'balance.enough': 'due',
        'order.hold': { guard: 'isNewCause', target: 'held', actions: 'addHold' },
        ...calledOffUnlessSent,
      },
    },

    claimed: {
      description: 'Somebody pays it by hand, and has not said yet what became of it.',
      on: {
        'claim.release': [
          { guard: 'isReversed', target: 'failed', actions: ['dropBatch', 'owe'] },
          { target: 'due', actions: 'dropBatch' },
        ],
        'order.arrived': [...arrived],
        'order.giveUp': { target: 'failed', actions: ['noteFailure', 'owe'] },
        'charge.reversed': { actions: 'noteReversal' },
      },
    },

    held: {
      description: 'It is not paid out as long as an operator, a warning or a review speaks against it.',
      on: {
        'order.hold': { guard: 'isNewCause', actions: 'addHold' },
        'order.release': [
          // First it is asked about.
          { guard: 'isLastHoldOfSent', target: 'handingOver', actions: 'dropHold' },
          { guard: 'isLastHold', target: 'due', actions: 'dropHold' },
          { actions: 'dropHold' },
        ],
        'order.giveUp': [
          { guard: 'mayBeSent', target: 'handingOver', actions: 'noteFailure' },
          { target: 'failed', actions: ['noteFailure', 'owe'] },
        ],
        'charge.reversed': [
          { guard: 'mayBeSent', target: 'handingOver', actions: ['dropHolds', 'noteReversal'] },
          { target: 'failed', actions: ['dropHolds', 'noteReversal', 'owe'] },
        ],
      },
    },

    delivered: {
      description: 'The recipient has the money.',
      on: {
        'charge.reversed': { guard: 'isNewLoss', actions: ['noteLoss', 'alert'] },
      },
    },

    failed: {
      description: 'It will never be paid out, and all of the charge is owed back to the card.',
      on: { 'refund.done': 'paidBack', ...heardTooLate },
    },

    paidBack: {
      description: 'The card has everything back.',
      on: { 'refund.owed': 'failed', ...heardTooLate },
    },
  },
})

/** What the functions have to do; `owe` belongs to the database transaction that stores the step. */
export type DeliveryAction = 'send' | 'ask' | 'askForBalance' | 'owe' | 'alert'

const ACTIONS: ReadonlySet<string> = new Set<DeliveryAction>(['send', 'ask', 'askForBalance', 'owe', 'alert'])

/** An order as the machine knows it. */
export type Delivery = DeliveryFacts & { readonly state: DeliveryState }

const stored = ({ value, context }: SnapshotFrom<typeof deliveryMachine>): Delivery => ({
  ...context,
  state: value,
})

const snapshotOf = ({ state, ...context }: Delivery) =>
  deliveryMachine.resolveState({ value: state, context: factsOf(context) })

/** Nothing of what else is stored with an order. */
const factsOf = (from: DeliveryFacts): DeliveryFacts => ({
  isByHand: from.isByHand,
  attempt: from.attempt,
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

/** The order of a transfer that is recorded now. */
export const newDelivery = (input: { readonly isByHand: boolean }): Delivery =>
  stored(initialTransition(deliveryMachine, input)[0])

/** Whether the news agrees with what is known; what does not changes nothing. */
export const takes = (delivery: Delivery, event: DeliveryEvent): boolean => snapshotOf(delivery).can(event)

/** Where an order stands after the news, and what is to be done. */
export function nextOf(
  delivery: Delivery,
  event: DeliveryEvent,
): { readonly delivery: Delivery; readonly todo: readonly DeliveryAction[] } {
  const [next, actions] = transition(deliveryMachine, snapshotOf(delivery), event)
  return {
    delivery: stored(next),
    todo: actions.flatMap(({ type }) => (ACTIONS.has(type) ? (type as DeliveryAction) : [])),
  }
}
