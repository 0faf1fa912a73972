import * as v from 'valibot'
import { HOUR, MINUTE } from '../common/duration.ts'
import { finiteNumber, integer, legacyString, type Output } from '../common/schema.ts'
import { moneySchema } from '../money/moneySchema.ts'
import type { Reversal } from '../money/reconciliation.ts'
import {
  type DeliveryStage,
  type DeliverySummary,
  FINAL_FAILURES,
  type FinalFailure,
} from '../transfers/deliverySchema.ts'
import { isScreeningCause, type ScreeningCause, screeningHitSchema } from './screening.ts'

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

/** Causes that an approved document of the sender ends. */
export const IDENTITY_CAUSES = ['identityOfCard', 'identityOfRecipient'] as const

/**
 * Causes of a hold until an operator's review: the amount sent in one day by a sender, by a card or to a
 * number, and in one month by a card above the monthly cap, or without an approved document by a card or to a
 * number above the limit without identity.
 */
export const VELOCITY_CAUSES = [
  ...(['velocityOfPerson', 'velocityOfCard', 'velocityOfRecipient', 'capOfCard'] as const),
  ...IDENTITY_CAUSES,
] as const
export type VelocityCause = (typeof VELOCITY_CAUSES)[number]

export const isVelocityCause = (cause: HoldCause): cause is VelocityCause =>
  VELOCITY_CAUSES.some((one) => one === cause)

/**
 * Why an order is held: an operator's decision, a paused sender, repeated payout failures, the amount sent in
 * a day or a month, the list of sanctions, or the ID of a warning or review at Stripe.
 */
export type HoldCause = 'operator' | 'stop' | 'payout' | VelocityCause | ScreeningCause | (string & {})

const facts = {
  /** Whether operators pay it by hand. */
  isByHand: v.boolean(),
  /**
   * Until when the sender may cancel the order; a provider gets it from then on. Null if operators pay it by
   * hand: the sender may cancel it until one claims it.
   */
  cancelableUntil: v.nullish(finiteNumber, null),
  /** When the sender canceled the order; null otherwise. */
  canceledAt: v.nullish(finiteNumber, null),
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
  sentAt: v.nullish(finiteNumber, null),
  /** Why the order is held; empty unless it is held or claimed. */
  holds: v.array(legacyString<HoldCause>()),
  /**
   * Warnings and reviews that have been released. They never hold the order again, although Stripe may report
   * them twice or still list them as open.
   */
  lifted: v.array(legacyString<HoldCause>()),
  /** The batch (`deliveryBatches`) in which an operator claimed or paid the order; null otherwise. */
  batch: v.nullish(v.string(), null),
  /** Why nothing has arrived so far; null without a failure. */
  failure: v.nullish(legacyString<PayoutFailure>(), null),
  /** The reference shown by the recipient's wallet. */
  proof: v.nullish(v.string(), null),
  handedOverAt: v.nullish(finiteNumber, null),
  deliveredAt: v.nullish(finiteNumber, null),
  /** A reversal of the charge, after the payout could no longer be stopped. */
  reversal: v.nullish(legacyString<Reversal>(), null),
  /** Our loss: the money was paid out and the charge reversed. */
  loss: v.nullish(legacyString<Reversal>(), null),
}

/** The facts of an order besides its state. Instants are UTC milliseconds. */
export type DeliveryFacts = Pick<DeliveryOrder, keyof typeof facts>

export const deliveryOrderSchema = v.object({
  ...facts,
  uid: v.string(),
  /** The sender's keys (`buildPersonKeys`); empty once the order has ended. */
  persons: v.array(v.string()),
  state: v.picklist(DELIVERY_STATES),
  /** The provider that pays the order out; never changes. */
  provider: v.string(),
  /** The key of the payment attempt, which records how much of the cap it uses. */
  attemptKey: v.string(),
  /** The amount to deliver, in whole minor units. */
  amount: moneySchema,
  phone: v.string(),
  /** The names of both persons, as in the transfer. */
  senderName: v.nullish(v.string(), null),
  recipientName: v.nullish(v.string(), null),
  wallet: v.string(),
  createdAt: finiteNumber,
  /** The ID of the current payout at the provider, stored before the call; null before. */
  reference: v.nullish(v.string(), null),
  /**
   * The latest hold by the list of sanctions: when its sender gets an answer at the latest (UTC ms), and
   * which names are like one on the list. Null without such a hold.
   */
  screening: v.nullish(v.object({ answerBy: finiteNumber, hits: v.array(screeningHitSchema) }), null),
  /** When the order entered its state. */
  since: finiteNumber,
  /** When the order was last checked automatically, and when it is checked next; null if never. */
  lookedAt: v.nullish(finiteNumber, null),
  checkAt: v.nullish(finiteNumber, null),
})

/** A stored order. Its ID is the transfer's. */
export type DeliveryOrder = Output<typeof deliveryOrderSchema>

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
  screening,
}: Pick<
  DeliveryOrder,
  | ('state' | 'provider' | 'cancelableUntil' | 'canceledAt' | 'holds')
  | ('failure' | 'proof' | 'handedOverAt' | 'deliveredAt' | 'screening')
>): DeliverySummary {
  const stage = STAGES[state]
  const isScreened = stage === 'ordered' && holds.some(isScreeningCause)
  const isChecked = isScreened || (stage === 'ordered' && holds.some(isVelocityCause))
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
    answerBy: isScreened ? (screening?.answerBy ?? null) : null,
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
