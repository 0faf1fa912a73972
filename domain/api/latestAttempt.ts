import * as v from 'valibot'
import { uuid } from '../common/schema.ts'
import { invoiceOrderSchema } from '../invoices/invoiceSchema.ts'
import { transferOrderSchema } from '../transfers/shapes/orderSchema.ts'
import { defineFunction } from './definition.ts'

/**
 * Finds the caller's payment of a kind that may have been charged without the caller's device knowing. With
 * `draftId`: that of this form, unless it was released. Without, for a device that can't read its own list:
 * the newest that is open, or that began within the last hour and was not released.
 */
export const FIND_LATEST_ATTEMPT = defineFunction({
  name: 'latest-attempt',
  method: 'POST',
  // The app asks after 2, 4, 8 … 60 seconds until it gets an answer, in each tab.
  most: 60,
  request: v.strictObject({ kind: v.picklist(['transfer', 'invoice']), draftId: v.nullish(uuid, null) }),
  response: v.object({
    attempt: v.nullable(
      v.object({
        attemptId: uuid,
        /** The promised transfer or invoice; null if the payment is of the other kind. */
        transfer: v.nullish(transferOrderSchema, null),
        invoice: v.nullish(invoiceOrderSchema, null),
      }),
    ),
  }),
})
