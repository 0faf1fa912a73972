import { boolean, fallback, type InferOutput, nullable, number, object, picklist, string } from '../schema.ts'

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
export const deliverySummarySchema = object({
  stage: picklist(...DELIVERY_STAGES),
  /** The provider that pays the transfer out. */
  by: string,
  /** The transfer waits for us, and will arrive later than promised. */
  isLate: boolean,
  /** An operator reviews the transfer first, because much was sent within a day. */
  isChecked: boolean,
  /** The app offers to cancel the transfer until `cancelableUntil`; if null, until an operator claims it. */
  isCancelable: boolean,
  cancelableUntil: nullable(number),
  /** When the sender canceled the transfer. */
  canceledAt: nullable(number),
  handedOverAt: nullable(number),
  deliveredAt: nullable(number),
  /** The reference shown by the recipient's wallet; null before arrival, and for wallets without one. */
  proof: nullable(string),
  /** Why the transfer will never be paid out; also null if the charge was reversed first. */
  failure: fallback(picklist(...FINAL_FAILURES), null),
})

/**
 * The delivery as the sender sees it, stored in the transfer and written by the functions only. Instants are
 * UTC milliseconds. Contains nothing about warnings, reviews, disputes or the sender.
 */
export type DeliverySummary = InferOutput<typeof deliverySummarySchema>
