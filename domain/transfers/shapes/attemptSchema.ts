import * as v from 'valibot'
import { invoiceDraftSchema, invoiceOrderSchema } from '../../invoices/invoiceSchema.ts'
import { transferDraftSchema } from './draftSchema.ts'
import { transferOrderSchema } from './orderSchema.ts'

/** Stored on the device, possibly by another version of the app. */
const buildAttemptSchema = <Draft, Order>(
  draft: v.GenericSchema<unknown, Draft>,
  order: v.GenericSchema<unknown, Order>,
) => v.object({ id: v.string(), draft, order, again: v.nullish(v.string(), null) })

export const transferAttemptSchema = buildAttemptSchema(transferDraftSchema, transferOrderSchema)

export const invoiceAttemptSchema = buildAttemptSchema(invoiceDraftSchema, invoiceOrderSchema)
