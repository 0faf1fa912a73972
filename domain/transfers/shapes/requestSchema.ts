import * as v from 'valibot'
import { integer, type Output, uuid } from '../../common/schema.ts'
import { isPromisableDuration } from '../../numbers/promisedTime.ts'
import { SENDER_TEXTS } from './fields.ts'

/** Accepts only a duration that the settings can promise: less than 70 days. */
const promised = v.pipe(
  integer,
  v.check((minutes) => isPromisableDuration(String(minutes))),
)

export const transferRequestSchema = v.strictObject({
  attemptId: uuid,
  /** The form's UUID, which the device stores with the form. Each attempt to pay the form sends it. */
  draftId: uuid,
  /** Any value except an integer is refused as `amountRequired`, like a text that is not an amount. */
  amount: v.fallback(v.nullable(integer), null),
  currency: v.picklist(['eur', 'cad']),
  description: v.pipe(v.string(), v.maxLength(200)),
  senderId: v.string(),
  recipientPhone: v.pipe(v.string(), v.maxLength(40)),
  ...v.entriesFromList(SENDER_TEXTS, v.nullish(v.pipe(v.string(), v.maxLength(100)), null)),
  receivingMethod: v.nullish(v.pipe(v.string(), v.maxLength(40)), null),
  couponCode: v.nullish(v.pipe(v.string(), v.maxLength(100)), null),
  /**
   * The price and the promised arrival, in minutes, as shown on the screen. A different price is refused.
   */
  expected: v.strictObject({ fee: integer, converted: integer, minutes: v.exactOptional(promised) }),
  /** ID of the recent duplicate, once the user has confirmed sending again. */
  again: v.nullish(v.pipe(v.string(), v.maxLength(255)), null),
})

export type TransferPaymentRequest = Output<typeof transferRequestSchema>
