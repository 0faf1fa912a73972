import * as v from 'valibot'
import { finiteNumber, uuid } from '../common/schema.ts'
import { buildTransactionSchema } from '../transfers/shapes/transactionSchema.ts'
import { defineFunction } from './definition.ts'

/**
 * Cancels a transfer that was neither handed over nor claimed by an operator, and refunds the whole charge. A
 * provider gets it at the end of a window, by the server's clock; from then on it is refused as
 * `cancellationTooLate`. While it is held or waits for us it is refused as `cancellationUnavailable`. Calling
 * again returns the canceled transfer.
 */
export const CANCEL_TRANSFER = defineFunction({
  name: 'cancel-transfer',
  method: 'POST',
  most: 20,
  request: v.strictObject({ id: v.pipe(v.string(), v.regex(/^pi_\w{1,250}$/)) }),
  response: v.object({ transaction: buildTransactionSchema(finiteNumber) }),
})

/**
 * Mails the receipt of a transfer or invoice, as a PDF, to the verified address of the payer's account. Tries
 * three times at most, and never changes the payment. A repeated request with the same `press` mails nothing
 * more and gets the same outcome; `tooManyRequests` while that is not known. After `mailNotSent`, another
 * press mails the receipt. `emailUnverified` also if the account has no verified address.
 */
export const MAIL_RECEIPT = defineFunction({
  name: 'mail-receipt',
  method: 'POST',
  most: 5,
  request: v.strictObject({
    id: v.pipe(v.string(), v.regex(/^pi_\w{1,250}$/)),
    /** Made by the device for a press of the button; the same until its outcome is known. */
    press: uuid,
    language: v.picklist(['fr', 'en']),
    /** The receipt's times are in this zone of the device, such as 'Europe/Paris'; in UTC if it is unknown. */
    timeZone: v.pipe(v.string(), v.maxLength(64)),
  }),
  /** The address to which the receipt was mailed. */
  response: v.object({ address: v.string() }),
})
