import * as v from 'valibot'
import { uuid } from '../common/schema.ts'
import { invoiceOrderSchema, transferOrderSchema } from '../prices/order.ts'
import { defineFunction, SIGNED_IN_REFUSALS } from './definition.ts'

/**
 * Finds the caller's newest payment of a kind that may have been charged without the caller's device knowing:
 * one that is open, or that began within the last hour and was not released. For a device that can't read
 * its own list of open payments.
 */
export const FIND_LATEST_ATTEMPT = defineFunction({
  name: 'latest-attempt',
  method: 'POST',
  // The app asks after 2, 4, 8 … 60 seconds until it gets an answer, in each tab.
  most: 60,
  request: v.strictObject({ kind: v.picklist(['transfer', 'invoice']) }),
  response: v.object({
    attempt: v.nullish(
      v.object({
        attemptId: uuid,
        /** The promised transfer or invoice; null if the payment is of the other kind. */
        transfer: v.nullish(transferOrderSchema, null),
        invoice: v.nullish(invoiceOrderSchema, null),
      }),
      null,
    ),
  }),
  refusals: SIGNED_IN_REFUSALS,
})
