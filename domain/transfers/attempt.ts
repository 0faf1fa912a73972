import * as v from 'valibot'
import { legacyString } from '../common/schema.ts'
import type { InvoiceType } from '../invoices/suppliers.ts'
import { sourceCurrencySchema } from '../money/moneySchema.ts'
import { countryCodeSchema } from '../numbers/country.ts'
import type { ReceivingMethod } from '../numbers/wallets.ts'
import { invoiceOrderSchema, transferOrderSchema } from '../prices/order.ts'

/** Stored on the device, possibly by another version of the app. */
const attempt = <Draft, Order>(
  draft: v.GenericSchema<unknown, Draft>,
  order: v.GenericSchema<unknown, Order>,
) => v.object({ id: v.string(), draft, order, again: v.nullish(v.string(), null) })

export const transferAttemptSchema = attempt(
  v.object({
    amount: v.string(),
    currency: sourceCurrencySchema,
    country: countryCodeSchema,
    phone: v.string(),
    recipientName: v.string(),
    receivingMethod: v.nullish(legacyString<ReceivingMethod>(), null),
    coupon: v.string(),
    phoneConfirmed: v.boolean(),
  }),
  transferOrderSchema,
)

export const invoiceAttemptSchema = attempt(
  v.object({
    type: v.nullish(legacyString<InvoiceType>(), null),
    supplier: v.string(),
    reference: v.string(),
    invoice: v.nullish(invoiceOrderSchema, null),
  }),
  invoiceOrderSchema,
)
