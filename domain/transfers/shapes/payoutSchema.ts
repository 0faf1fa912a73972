import * as v from 'valibot'
import { legacyString } from '../../common/schema.ts'
import { moneySchema } from '../../money/moneySchema.ts'
import type { ReceivingMethod } from '../../numbers/wallets.ts'

/** Stored in the delivery order, and sent to its provider. */
export const payoutSchema = v.object({
  /** The amount to deliver, in whole minor units. */
  amount: moneySchema,
  /** The recipient's number in E.164 form: '+224660000000'. */
  phone: v.string(),
  wallet: legacyString<ReceivingMethod>(),
  /** Both names: Regulation (EU) 2023/1113, articles 4 and 6. Null if unknown. */
  senderName: v.nullish(v.string(), null),
  recipientName: v.nullish(v.string(), null),
})
