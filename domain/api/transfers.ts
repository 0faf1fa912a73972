import { number, object, pattern, strictObject } from '../schema.ts'
import { buildTransactionSchema } from '../schemas/transaction.ts'
import { defineFunction, SIGNED_IN_REFUSALS } from './definition.ts'

/**
 * Cancels a transfer that was neither handed over nor claimed by an operator, and refunds the whole charge. A
 * provider gets it at the end of a window, by the server's clock; from then on it is refused as
 * `cancellationTooLate`. Calling again returns the canceled transfer.
 */
export const CANCEL_TRANSFER = defineFunction({
  name: 'cancel-transfer',
  method: 'POST',
  most: 20,
  request: strictObject({ id: pattern(/^pi_\w{1,250}$/) }),
  response: object({ transaction: buildTransactionSchema(number) }),
  refusals: [...SIGNED_IN_REFUSALS, 'paymentNotFound', 'forbidden', 'paymentsClosed', 'cancellationTooLate'],
})
