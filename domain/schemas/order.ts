import type { CountryCode } from '../destinations.ts'
import type { InvoiceStatus } from '../invoice.ts'
import { boolean, legacyString, nullable, number, object, picklist, string } from '../schema.ts'
import type { InvoiceType } from '../suppliers.ts'
import type { ReceivingMethod } from '../wallets.ts'
import { currencySchema, moneySchema, sourceCurrencySchema, sourceMoneySchema } from './money.ts'

// The content of a payment, as promised to the user. Its wallet or country may no longer exist, but the
// charge must still be recorded or refunded.

export const quoteSchema = object({
  /** The charged amount: `net` + `fee`. */
  gross: sourceMoneySchema,
  fee: sourceMoneySchema,
  net: sourceMoneySchema,
  /** The received amount: `net` at `rate`. */
  converted: moneySchema,
  rate: object({ from: sourceCurrencySchema, to: currencySchema, numerator: number, denominator: number }),
  feeRule: picklist('coupon', 'premium', 'basic', 'default'),
  usesSlot: boolean,
})

/** A transfer that passed every rule of the form. */
export const transferOrderSchema = object({
  gross: sourceMoneySchema,
  phone: string,
  /** Null if the sender gave none. */
  recipientName: nullable(string),
  destination: object({
    code: legacyString<CountryCode>(),
    name: string,
    currency: currencySchema,
    flag: string,
    phonePrefix: string,
  }),
  receivingMethod: legacyString<ReceivingMethod>(),
  coupon: nullable(string),
  quote: quoteSchema,
})

export const invoiceOrderSchema = object({
  supplier: string,
  reference: string,
  type: legacyString<InvoiceType>(),
  amount: moneySchema,
  dueDate: string,
  status: legacyString<InvoiceStatus>(),
})
