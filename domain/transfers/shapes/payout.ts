import type { Output } from '../../common/schema.ts'
import { mapSenderTexts } from './fields.ts'
import type { CheckedTransfer } from './orderSchema.ts'
import type { payoutSchema } from './payoutSchema.ts'

export const buildPayout = (
  order: CheckedTransfer,
  senderName: string | null,
): Output<typeof payoutSchema> => ({
  amount: order.quote.converted,
  phone: order.phone,
  wallet: order.receivingMethod,
  senderName,
  ...mapSenderTexts((name) => order[name]),
})
