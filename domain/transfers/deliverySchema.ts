import * as v from 'valibot'
import { finiteNumber, type Output } from '../common/schema.ts'

/** The stages that users see, in order. `ordered`: no provider has the money yet. */
export const DELIVERY_STAGES = [
  ...(['ordered', 'handedOver', 'delivered'] as const),
  ...(['failed', 'canceled', 'paidBack'] as const),
] as const
export type DeliveryStage = (typeof DELIVERY_STAGES)[number]

/** The failures after which the card is refunded in full. */
export const FINAL_FAILURES = [
  'recipientUnknown',
  'recipientNotAllowed',
  'expired',
  'canceled',
  'rejected',
] as const
export type FinalFailure = (typeof FINAL_FAILURES)[number]

/** Instants are UTC milliseconds. Rejects a stage that only a newer server knows. */
export const deliverySummarySchema = v.object({
  stage: v.picklist(DELIVERY_STAGES),
  /** The provider that pays the transfer out. */
  by: v.string(),
  /** The transfer waits for us, and will arrive later than promised. */
  isLate: v.boolean(),
  /** An operator reviews the transfer before its payout. */
  isChecked: v.boolean(),
  /** When the sender learns the result of the check at the latest; null if no time was promised. */
  answerBy: v.nullish(finiteNumber, null),
  /** The app offers to cancel the transfer until `cancelableUntil`; if null, until an operator claims it. */
  isCancelable: v.boolean(),
  cancelableUntil: v.nullish(finiteNumber, null),
  /** When the sender canceled the transfer. */
  canceledAt: v.nullish(finiteNumber, null),
  handedOverAt: v.nullish(finiteNumber, null),
  deliveredAt: v.nullish(finiteNumber, null),
  /** The reference shown by the recipient's wallet; null before arrival, and for wallets without one. */
  proof: v.nullish(v.string(), null),
  /** Why the transfer will never be paid out; also null if the charge was reversed first. */
  failure: v.fallback(v.nullable(v.picklist(FINAL_FAILURES)), null),
})

/**
 * The delivery as the sender sees it, stored in the transfer and written by the functions only. Instants are
 * UTC milliseconds. Contains nothing about warnings, reviews, disputes or the sender.
 */
export type DeliverySummary = Output<typeof deliverySummarySchema>
