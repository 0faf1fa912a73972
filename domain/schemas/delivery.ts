import { DELIVERY_STAGES, FINAL_FAILURES } from '../delivery.ts'
import { boolean, fallback, nullable, number, object, picklist, string } from '../schema.ts'

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
