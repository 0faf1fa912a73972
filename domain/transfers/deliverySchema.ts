import * as v from 'valibot'
import { finiteNumber, type Output } from '../common/schema.ts'

/** In order. `ordered`: no provider has the money yet. */
export const DELIVERY_STAGES = [
  ...(['ordered', 'handedOver', 'delivered'] as const),
  ...(['failed', 'canceled', 'paidBack'] as const),
] as const
export type DeliveryStage = (typeof DELIVERY_STAGES)[number]

/** The card is refunded in full after these. */
export const FINAL_FAILURES = [
  'recipientUnknown',
  'recipientNotAllowed',
  'expired',
  'canceled',
  'rejected',
] as const
export type FinalFailure = (typeof FINAL_FAILURES)[number]

/** Instants are UTC ms. Rejects a stage that only a newer server knows. */
export const deliverySummarySchema = v.object({
  stage: v.picklist(DELIVERY_STAGES),
  by: v.string(),
  /** Waits for us, and will arrive later than promised. */
  isLate: v.boolean(),
  /** An operator reviews it before its payout. */
  isChecked: v.boolean(),
  /** When the sender learns the result of the check; null if no time was promised. */
  answerBy: v.nullish(finiteNumber, null),
  /** Cancelable until `cancelableUntil`; if null, until an operator claims it. */
  isCancelable: v.boolean(),
  cancelableUntil: v.nullish(finiteNumber, null),
  canceledAt: v.nullish(finiteNumber, null),
  handedOverAt: v.nullish(finiteNumber, null),
  deliveredAt: v.nullish(finiteNumber, null),
  /** Shown by the recipient's wallet; null before arrival, and for wallets without one. */
  proof: v.nullish(v.string(), null),
  /** Why it will never be paid out; also null if the charge was reversed first. */
  failure: v.fallback(v.nullable(v.picklist(FINAL_FAILURES)), null),
})

/** Written by the functions only. Instants are UTC ms. Contains no warnings, reviews or disputes. */
export type DeliverySummary = Output<typeof deliverySummarySchema>
