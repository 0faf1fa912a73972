import * as v from 'valibot'
import { legacyString } from '../../common/schema.ts'
import { moneySchema } from '../../money/moneySchema.ts'
import type { ReceivingMethod } from '../../numbers/wallets.ts'
import { SENDER_TEXTS } from './fields.ts'

/** Stored in the delivery order, and sent to its provider. */
export const payoutSchema = v.object({
  /** The amount to deliver, in whole minor units. */
  amount: moneySchema,
  /** The recipient's number in E.164 form: '+224660000000'. */
  phone: v.string(),
  wallet: legacyString<ReceivingMethod>(),
  /** Names, null if unknown: Regulation (EU) 2023/1113, articles 4 and 6. */
  senderName: v.nullish(v.string(), null),
  ...v.entriesFromList(SENDER_TEXTS, v.nullish(v.string(), null)),
})
