import * as v from 'valibot'
import { finiteNumber } from '../common/schema.ts'
import { currencySchema, moneySchema, sourceCurrencySchema, sourceMoneySchema } from '../money/moneySchema.ts'

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
