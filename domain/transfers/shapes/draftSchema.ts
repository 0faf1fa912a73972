import * as v from 'valibot'
import { legacyString, type Output } from '../../common/schema.ts'
import { sourceCurrencySchema } from '../../money/moneySchema.ts'
import { countryCodeSchema } from '../../numbers/country.ts'
import type { ReceivingMethod } from '../../numbers/wallets.ts'
import { SENDER_TEXTS } from './fields.ts'

/** As typed. Stored on the device, possibly by another version of the app. */
export const transferDraftSchema = v.object({
  amount: v.string(),
  currency: sourceCurrencySchema,
  country: countryCodeSchema,
  phone: v.string(),
  /** The recipient's name is ignored if it is known or not asked for. */
  ...v.entriesFromList(SENDER_TEXTS, v.string()),
  receivingMethod: v.nullish(legacyString<ReceivingMethod>(), null),
  coupon: v.string(),
  phoneConfirmed: v.boolean(),
})

export type TransferDraft = Output<typeof transferDraftSchema>
