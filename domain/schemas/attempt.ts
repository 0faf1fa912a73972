import { DESTINATIONS } from '../destinations.ts'
import { boolean, legacyString, nullable, object, picklist, type Schema, string } from '../schema.ts'
import type { InvoiceType } from '../suppliers.ts'
import type { ReceivingMethod } from '../wallets.ts'
import { sourceCurrencySchema } from './money.ts'
import { invoiceOrderSchema, transferOrderSchema } from './order.ts'

/** An attempt to pay as the device stores it, possibly by another version of the app. */
const attempt = <Draft, Order>(draft: Schema<Draft>, order: Schema<Order>) =>
  object({ id: string, draft, order, again: nullable(string) })

export const transferAttemptSchema = attempt(
  object({
    amount: string,
    currency: sourceCurrencySchema,
    country: picklist(...DESTINATIONS.map(({ code }) => code)),
    phone: string,
    recipientName: string,
    receivingMethod: nullable(legacyString<ReceivingMethod>()),
    coupon: string,
    phoneConfirmed: boolean,
  }),
  transferOrderSchema,
)

export const invoiceAttemptSchema = attempt(
  object({
    type: nullable(legacyString<InvoiceType>()),
    supplier: string,
    reference: string,
    invoice: nullable(invoiceOrderSchema),
  }),
  invoiceOrderSchema,
)
