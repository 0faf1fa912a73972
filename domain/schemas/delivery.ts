import { boolean, fallback, type InferOutput, nullable, number, object, picklist, string } from '../schema.ts'

/** What people may know of it, in the order in which it goes on. `ordered`: nobody has the money yet to bring it. */
export const DELIVERY_STAGES = ['ordered', 'handedOver', 'delivered', 'failed', 'paidBack'] as const
export type DeliveryStage = (typeof DELIVERY_STAGES)[number]

/** The failures after which the card gets everything back. */
export const FINAL_FAILURES = [
  'recipientUnknown',
  'recipientNotAllowed',
  'expired',
  'canceled',
  'rejected',
] as const
export type FinalFailure = (typeof FINAL_FAILURES)[number]

/** Instants are UTC milliseconds. A stage that only a newer server knows is refused. */
export const deliveryNewsSchema = object({
  stage: picklist(...DELIVERY_STAGES),
  /** The name of the provider that pays it out. */
  by: string,
  /** It waits for us, and comes later than was promised. */
  isLate: boolean,
  handedOverAt: nullable(number),
  deliveredAt: nullable(number),
  /** What the recipient's wallet shows; null while it is not there, and where the wallet shows nothing. */
  proof: nullable(string),
  /** Why it will never be paid out; null as well when its charge went back before. */
  failure: fallback(picklist(...FINAL_FAILURES), null),
})

/**
 * What the sender may know of a delivery; it stands in the transfer itself, and only the functions write it. Instants are UTC
 * milliseconds. Nothing in it tells of warnings, reviews, disputes and of who pays.
 */
export type DeliveryNews = InferOutput<typeof deliveryNewsSchema>
