import * as v from 'valibot'
import { HOUR, MINUTE } from '../common/duration.ts'
import { finiteNumber, integer, legacyString, type Output } from '../common/schema.ts'
import { sourceMoneySchema } from '../money/moneySchema.ts'
import type { Reversal } from '../money/reversal.ts'
import {
  type DeliveryStage,
  type DeliverySummary,
  FINAL_FAILURES,
  type FinalFailure,
} from '../transfers/deliverySchema.ts'
import { payoutSchema } from '../transfers/shapes/payoutSchema.ts'
import { isScreeningCause, type ScreeningCause, screeningHitSchema } from './screening.ts'

// An order has its transfer's ID. Transfers recorded without a configured provider have none.

/** `machines/delivery.ts` describes each. */
export const DELIVERY_STATES = [
  ...(['due', 'handingOver', 'handedOver', 'waiting', 'claimed', 'held'] as const),
  ...(['delivered', 'failed', 'canceled', 'paidBack'] as const),
] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Failures on our side: the transfer waits for an operator. */
const OURS = ['noBalance', 'limit', 'notSetUp', 'unclear'] as const

/**
 * `noBalance`: our account at the provider is empty. `limit`: above our present limit there, or the wallet's.
 * `notSetUp`: the provider rejects our setup. `unclear`: the failure is certain, its reason unknown.
 * `recipientUnknown`: no wallet has this number. `recipientNotAllowed`: the wallet may not receive it.
 * `expired`: the recipient did not accept in time. `canceled`: by an operator. `rejected`: by the recipient.
 */
export type PayoutFailure = (typeof OURS)[number] | FinalFailure

/** Whether the transfer waits for us instead of being refunded. */
export const isInternalFailure = (failure: PayoutFailure): boolean => OURS.some((one) => one === failure)

/** Holds that end when the sender's document is approved. */
export const IDENTITY_CAUSES = ['identityOfCard', 'identityOfRecipient'] as const

/**
 * Holds for an operator's review: the amount sent in a day (sender, card, number), or in a month above the
 * cap (card) or above the limit without identity (card, number).
 */
export const VELOCITY_CAUSES = [
  ...(['velocityOfPerson', 'velocityOfCard', 'velocityOfRecipient', 'capOfCard'] as const),
  ...IDENTITY_CAUSES,
] as const
export type VelocityCause = (typeof VELOCITY_CAUSES)[number]

export const isVelocityCause = (cause: HoldCause): cause is VelocityCause =>
  VELOCITY_CAUSES.some((one) => one === cause)

/** Any other string is the ID of a warning or review at Stripe. */
export type HoldCause = 'operator' | 'stop' | 'payout' | VelocityCause | ScreeningCause | (string & {})

const facts = {
  isByHand: v.boolean(),
  /** Until then the sender may cancel. Null if paid by hand: until an operator claims the order. */
  cancelableUntil: v.nullish(finiteNumber, null),
  canceledAt: v.nullish(finiteNumber, null),
  /** From 1. The reference contains it, so it increases only after a certain failure. */
  attempt: integer,
  /** Failures on our side since an operator last checked. */
  tries: integer,
  /** When it was last sent, or about to be. It may be paid out since, unless the provider denies it. */
  sentAt: v.nullish(finiteNumber, null),
  holds: v.array(legacyString<HoldCause>()),
  /** Released warnings and reviews never hold the order again, although Stripe may report them twice. */
  lifted: v.array(legacyString<HoldCause>()),
  /** ID in `deliveryBatches`, once an operator claimed or paid the order. */
  batch: v.nullish(v.string(), null),
  failure: v.nullish(legacyString<PayoutFailure>(), null),
  /** The reference shown by the recipient's wallet. */
  proof: v.nullish(v.string(), null),
  handedOverAt: v.nullish(finiteNumber, null),
  /** Also of a payout that arrived after it was given up, and was refunded. */
  deliveredAt: v.nullish(finiteNumber, null),
  /** Reversed after the payout could no longer be stopped. */
  reversal: v.nullish(legacyString<Reversal>(), null),
  /** Our loss: paid out, and the charge reversed. */
  loss: v.nullish(legacyString<Reversal>(), null),
}

/** Instants are UTC milliseconds. */
export type DeliveryFacts = Pick<DeliveryOrder, keyof typeof facts>

export const deliveryOrderSchema = v.object({
  ...facts,
  uid: v.string(),
  /** The sender's keys (`buildPersonKeys`); empty once the order has ended. */
  persons: v.array(v.string()),
  state: v.picklist(DELIVERY_STATES),
  provider: v.string(),
  /** The payment attempt, which records how much of the cap it uses. */
  attemptKey: v.string(),
  /** The part of the charge that paid for `amount`, and our fee. */
  net: sourceMoneySchema,
  fee: sourceMoneySchema,
  ...payoutSchema.entries,
  createdAt: finiteNumber,
  /** The current payout's ID at the provider, stored before the call. */
  reference: v.nullish(v.string(), null),
  /** The latest hold by the list of sanctions. `answerBy`: UTC ms. */
  screening: v.nullish(v.object({ answerBy: finiteNumber, hits: v.array(screeningHitSchema) }), null),
  since: finiteNumber,
  lookedAt: v.nullish(finiteNumber, null),
  checkAt: v.nullish(finiteNumber, null),
})

export type DeliveryOrder = Output<typeof deliveryOrderSchema>

export const hasDeliveryEnded = ({ state }: Pick<DeliveryOrder, 'state'>) =>
  ['delivered', 'failed', 'canceled', 'paidBack'].includes(state)

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
  // A hold must not show, so the sender learns only on trying that a held order can't be canceled. A provider
  // gets the order after `cancelableUntil`, so the time alone ends its offer.
  const isUntouched = cancelableUntil !== null || state === 'due' || state === 'held'
  const isCancelable = stage === 'ordered' && isUntouched && !isChecked
  const isOver = stage === 'failed' || stage === 'paidBack'
  return {
    stage,
    by,
    // The last failure stays until the provider accepts a payout, so the order stays late during retries.
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

/** UTC ms: rarer for older orders, at least hourly. Null if only operators or Stripe can change it. */
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
