import type { CountryCode } from '../destinations.ts'
import type { InvoiceStatus } from '../invoice.ts'
import { boolean, formerly, nullable, number, object, picklist, string } from '../schema.ts'
import type { InvoiceType } from '../suppliers.ts'
import type { ReceivingMethod } from '../wallets.ts'
import { currencySchema, moneySchema, sourceCurrencySchema, sourceMoneySchema } from './money.ts'

// What a payment is for, as it was promised. A wallet or a country may have gone since: the charge is recorded or paid back all
// the same.

export const quoteSchema = object({
  /** What the card is charged: `net` + `fee`. */
  gross: sourceMoneySchema,
  fee: sourceMoneySchema,
  net: sourceMoneySchema,
  /** What the recipient gets: `net` at `rate`. */
  converted: moneySchema,
  rate: object({ from: sourceCurrencySchema, to: currencySchema, numerator: number, denominator: number }),
  feeRule: picklist('coupon', 'premium', 'basic', 'default'),
  usesSlot: boolean,
})

/** A transfer that keeps every rule of the form. */
export const transferOrderSchema = object({
  gross: sourceMoneySchema,
  phone: string,
  destination: object({
    code: formerly<CountryCode>(),
    name: string,
    currency: currencySchema,
    flag: string,
    phonePrefix: string,
  }),
  receivingMethod: formerly<ReceivingMethod>(),
  coupon: nullable(string),
  quote: quoteSchema,
})

export const orderedInvoiceSchema = object({
  supplier: string,
  reference: string,
  type: formerly<InvoiceType>(),
  amount: moneySchema,
  dueDate: string,
  status: formerly<InvoiceStatus>(),
})
