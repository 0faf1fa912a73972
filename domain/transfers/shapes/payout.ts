import type { Output } from '../../common/schema.ts'
import type { CheckedTransfer } from './orderSchema.ts'
import type { payoutSchema } from './payoutSchema.ts'

export const buildPayout = (
  { quote, phone, receivingMethod, recipientName }: CheckedTransfer,
  senderName: string | null,
): Output<typeof payoutSchema> => ({
  amount: quote.converted,
  phone,
  wallet: receivingMethod,
  senderName,
  recipientName,
})
