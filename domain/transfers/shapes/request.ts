import { collectFields, err, ok } from '../../common/result.ts'
import { money } from '../../money/money.ts'
import { checkTransferAmount } from '../../prices/limits.ts'
import { describeTransfer } from '../transaction.ts'
import { checkFields } from './fields.ts'
import type { CheckedTransfer } from './orderSchema.ts'
import type { TransferPaymentRequest } from './requestSchema.ts'

/** `minutes`: the promised arrival; null without a promise. */
export const buildPaymentRequest = (
  { gross, phone, recipientName, receivingMethod, coupon, quote }: CheckedTransfer,
  {
    minutes,
    ...attempt
  }: Pick<TransferPaymentRequest, 'attemptId' | 'draftId' | 'senderId' | 'again'> & {
    readonly minutes: number | null
  },
): TransferPaymentRequest => ({
  ...attempt,
  amount: gross.minor,
  currency: gross.currency === 'EUR' ? 'eur' : 'cad',
  description: describeTransfer(phone),
  recipientPhone: phone,
  recipientName,
  receivingMethod,
  couponCode: coupon,
  expected: {
    fee: quote.fee.minor,
    converted: quote.converted.minor,
    ...(minutes !== null && { minutes }),
  },
})

/** Returns the transfer without its price, which the server computes again, or the first problem. */
export function checkRequest(
  { currency, recipientPhone, recipientName, receivingMethod, couponCode }: TransferPaymentRequest,
  amount: number,
  isNameRequired: boolean,
) {
  const { destination, checks } = checkFields({
    phone: recipientPhone,
    recipientName: recipientName ?? '',
    isNameRequired,
    receivingMethod,
    coupon: couponCode ?? '',
  })
  const gross = checkTransferAmount(money(amount, currency === 'eur' ? 'EUR' : 'CAD'))
  const { phone, receivingMethod: wallet, ...others } = checks
  const checked = collectFields({ gross, phone, receivingMethod: wallet, ...others })
  return checked.ok ? ok({ ...checked.value, destination }) : err(checked.error[0])
}

export type RequestProblem = Extract<ReturnType<typeof checkRequest>, { readonly ok: false }>['error']
