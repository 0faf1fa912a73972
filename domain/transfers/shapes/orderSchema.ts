import * as v from 'valibot'
import { legacyString, type Output } from '../../common/schema.ts'
import { currencySchema, sourceMoneySchema } from '../../money/moneySchema.ts'
import type { CountryCode } from '../../numbers/destinations.ts'
import type { ReceivingMethod } from '../../numbers/wallets.ts'
import { quoteSchema } from '../../prices/quoteSchema.ts'
import { SENDER_TEXTS } from './fields.ts'

/** The wallet or country may no longer exist, but the charge must still be recorded or refunded. */
export const transferOrderSchema = v.object({
  gross: sourceMoneySchema,
  phone: v.string(),
  ...v.entriesFromList(SENDER_TEXTS, v.nullish(v.string(), null)),
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

export type CheckedTransfer = Output<typeof transferOrderSchema>

/** Before its price, which depends on the plan and the month. */
export type UnpricedTransfer = Omit<CheckedTransfer, 'quote'>
