import * as v from 'valibot'
import { finiteNumber, legacyString } from '../common/schema.ts'
import type { InvoiceStatus } from '../invoices/invoice.ts'
import type { InvoiceType } from '../invoices/suppliers.ts'
import { currencySchema, moneySchema, sourceCurrencySchema, sourceMoneySchema } from '../money/moneySchema.ts'
import type { CountryCode } from '../numbers/destinations.ts'
import type { ReceivingMethod } from '../numbers/wallets.ts'

// The wallet or country may no longer exist, but the charge must still be recorded or refunded.

export const quoteSchema = v.object({
  /** The charged amount: `net` + `fee`. */
  gross: sourceMoneySchema,
  fee: sourceMoneySchema,
  net: sourceMoneySchema,
  /** `net` at `rate`. */
  converted: moneySchema,
  rate: v.object({
    from: sourceCurrencySchema,
    to: currencySchema,
    numerator: finiteNumber,
    denominator: finiteNumber,
  }),
  feeRule: v.picklist(['coupon', 'premium', 'basic', 'default']),
  usesSlot: v.boolean(),
})

export const transferOrderSchema = v.object({
  gross: sourceMoneySchema,
  phone: v.string(),
  recipientName: v.nullish(v.string(), null),
  destination: v.object({
    code: legacyString<CountryCode>(),
    name: v.string(),
    currency: currencySchema,
    flag: v.string(),
    phonePrefix: v.string(),
  }),
  receivingMethod: legacyString<ReceivingMethod>(),
  coupon: v.nullish(v.string(), null),
  quote: quoteSchema,
})

export const invoiceOrderSchema = v.object({
  supplier: v.string(),
  reference: v.string(),
  type: legacyString<InvoiceType>(),
  amount: moneySchema,
  dueDate: v.string(),
  status: legacyString<InvoiceStatus>(),
})
