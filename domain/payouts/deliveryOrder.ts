import { HOUR, MINUTE } from '../duration.ts'
import type { Reversal } from '../reconciliation.ts'
import {
  array,
  boolean,
  type InferOutput,
  integer,
  legacyString,
  nullable,
  number,
  type ObjectOutput,
  object,
  picklist,
  string,
} from '../schema.ts'
import {
  type DeliveryStage,
  type DeliverySummary,
  FINAL_FAILURES,
  type FinalFailure,
} from '../schemas/delivery.ts'
import { moneySchema } from '../schemas/money.ts'

// The delivery order of a paid transfer, stored under the transfer's ID. Transfers recorded without a
// configured provider have none. machines/delivery.ts defines the transitions.

/** The states of an order; machines/delivery.ts describes each. */
export const DELIVERY_STATES = [
  ...(['due', 'handingOver', 'handedOver', 'waiting', 'claimed', 'held'] as const),
  ...(['delivered', 'failed', 'canceled', 'paidBack'] as const),
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Failures on our side, for an operator to resolve. The transfer waits until then. */
const OURS = ['noBalance', 'limit', 'notSetUp', 'unclear'] as const

/**
 * Why a payout failed. The failure is certain, even if its reason is not.
 *
 * `noBalance`: our account at the provider is empty. `limit`: above our present limit there, or the wallet's.
 * `notSetUp`: the provider rejects our setup (keys, environment, currency, callback URL). `unclear`: the
 * provider's reason is unknown to us.
 *
 * `recipientUnknown`: no wallet has this number. `recipientNotAllowed`: the wallet may not receive it.
 * `expired`: the recipient did not accept in time. `canceled`: an operator canceled it. `rejected`: the
 * recipient refused it.
 */
export type PayoutFailure = (typeof OURS)[number] | FinalFailure

/** Whether the transfer waits for us instead of being refunded. */
export const isInternalFailure = (failure: PayoutFailure): boolean => OURS.some((one) => one === failure)

/**
 * Causes of a hold until an operator's review: the amount sent in one day by a sender, by a card or to a
 * number.
 */
export const VELOCITY_CAUSES = ['velocityOfPerson', 'velocityOfCard', 'velocityOfRecipient'] as const
export type VelocityCause = (typeof VELOCITY_CAUSES)[number]

export const isVelocityCause = (cause: HoldCause): cause is VelocityCause =>
  VELOCITY_CAUSES.some((one) => one === cause)

/**
 * Why an order is held: an operator's decision, a paused sender, repeated payout failures, the amount sent in
 * a day, or the ID of a warning or review at Stripe.
 */
export type HoldCause = 'operator' | 'stop' | 'payout' | VelocityCause | (string & {})

const facts = {
  /** Whether operators pay it by hand. */
  isByHand: boolean,
  /**
   * Until when the sender may cancel the order; a provider gets it from then on. Null if operators pay it by
   * hand: the sender may cancel it until one claims it.
   */
  cancelableUntil: nullable(number),
  /** When the sender canceled the order; null otherwise. */
  canceledAt: nullable(number),
  /**
   * The number of the payout, from 1. The reference is made from it and the transfer's ID, so it increases
   * only after a certain failure.
   */
  attempt: integer,
  /** Failures on our side since an operator last checked. */
  tries: integer,
  /**
   * When the current reference was last sent, or was about to be; null before. From then on it may have been
   * paid out, unless the provider says otherwise.
   */
  sentAt: nullable(number),
  /** Why the order is held; empty unless it is held or claimed. */
  holds: array(legacyString<HoldCause>()),
  /**
   * Warnings and reviews that have been released. They never hold the order again, although Stripe may report
   * them twice or still list them as open.
   */
  lifted: array(legacyString<HoldCause>()),
  /** The batch (`deliveryBatches`) in which an operator claimed or paid the order; null otherwise. */
  batch: nullable(string),
  /** Why nothing has arrived so far; null without a failure. */
  failure: nullable(legacyString<PayoutFailure>()),
  /** The reference shown by the recipient's wallet. */
  proof: nullable(string),
  handedOverAt: nullable(number),
  deliveredAt: nullable(number),
  /** A reversal of the charge, after the payout could no longer be stopped. */
  reversal: nullable(legacyString<Reversal>()),
  /** Our loss: the money was paid out and the charge reversed. */
  loss: nullable(legacyString<Reversal>()),
}

/** The facts of an order besides its state. Instants are UTC milliseconds. */
export type DeliveryFacts = ObjectOutput<typeof facts>

export const deliveryOrderSchema = object({
  ...facts,
  uid: string,
  /** The sender's keys (`buildPersonKeys`); empty once the order has ended. */
  persons: array(string),
  state: picklist(...DELIVERY_STATES),
  /** The provider that pays the order out; never changes. */
  provider: string,
  /** The key of the payment attempt, which records how much of the cap it uses. */
  attemptKey: string,
  /** The amount to deliver, in whole minor units. */
  amount: moneySchema,
  phone: string,
  /** The names of both persons, as in the transfer. */
  senderName: nullable(string),
  recipientName: nullable(string),
  wallet: string,
  createdAt: number,
  /** The ID of the current payout at the provider, stored before the call; null before. */
  reference: nullable(string),
  /** When the order entered its state. */
  since: number,
  /** When the order was last checked automatically, and when it is checked next; null if never. */
  lookedAt: nullable(number),
  checkAt: nullable(number),
})

/** A stored order. Its ID is the transfer's. */
export type DeliveryOrder = InferOutput<typeof deliveryOrderSchema>

const STAGES: Record<DeliveryState, DeliveryStage> = {
  due: 'ordered',
  handingOver: 'ordered',
  waiting: 'ordered',
  claimed: 'ordered',
  held: 'ordered',
  handedOver: 'handedOver',
  delivered: 'delivered',
  failed: 'failed',
  canceled: 'canceled',
  paidBack: 'paidBack',
}

/** Derives the part of an order that the sender may see. */
export function deriveDeliverySummary({
  state,
  provider: by,
  cancelableUntil,
  canceledAt,
  holds,
  failure,
  proof,
  handedOverAt,
  deliveredAt,
}: Pick<
  DeliveryOrder,
  | ('state' | 'provider' | 'cancelableUntil' | 'canceledAt' | 'holds')
  | ('failure' | 'proof' | 'handedOverAt' | 'deliveredAt')
>): DeliverySummary {
  const stage = STAGES[state]
  const isChecked = stage === 'ordered' && holds.some(isVelocityCause)
  // A hold must not show, so the sender learns only on trying that a held order can't be canceled.
  const isCancelable = (state === 'due' || state === 'held') && !isChecked
  const isOver = stage === 'failed' || stage === 'paidBack'
  return {
    stage,
    by,
    // An order stays late during retries, because it keeps its last failure until the provider accepts the
    // payout.
    isLate: stage === 'ordered' && (failure !== null || isChecked),
    isChecked,
    isCancelable,
    cancelableUntil: isCancelable ? cancelableUntil : null,
    canceledAt,
    // An earlier payout that failed is hidden.
    handedOverAt: stage === 'ordered' ? null : handedOverAt,
    deliveredAt: stage === 'delivered' ? deliveredAt : null,
    proof: stage === 'delivered' ? proof : null,
    failure: isOver ? (FINAL_FAILURES.find((one) => one === failure) ?? null) : null,
  }
}

/**
 * Returns when to check an order again after a check at `now` (UTC ms): less often the older it is, but at
 * least hourly. Null if only operators or the card's provider can change it.
 */
export function getNextCheckTime(
  {
    state,
    isByHand,
    cancelableUntil,
    createdAt,
  }: Pick<DeliveryOrder, 'state' | 'isByHand' | 'cancelableUntil' | 'createdAt'>,
  now: number,
): number | null {
  if (isByHand) return null
  switch (state) {
    case 'due':
      return cancelableUntil
    case 'handingOver':
      return now + MINUTE
    case 'handedOver':
    case 'waiting':
      return now + Math.min(Math.max((now - createdAt) / 4, MINUTE), HOUR)
    default:
      return null
  }
}
