import { collectFields, err, ok } from '../../common/result.ts'
import { money } from '../../money/money.ts'
import { checkTransferAmount } from '../../prices/limits.ts'
import { describeTransfer } from '../transaction.ts'
import { checkFields, mapSenderTexts } from './fields.ts'
import type { CheckedTransfer } from './orderSchema.ts'
import type { TransferPaymentRequest } from './requestSchema.ts'

/** `minutes`: the promised arrival; null without a promise. */
export const buildPaymentRequest = (
  order: CheckedTransfer,
  {
    minutes,
    ...attempt
  }: Pick<TransferPaymentRequest, 'attemptId' | 'draftId' | 'senderId' | 'again'> & {
    readonly minutes: number | null
  },
): TransferPaymentRequest => ({
  ...attempt,
  amount: order.gross.minor,
  currency: order.gross.currency === 'EUR' ? 'eur' : 'cad',
  description: describeTransfer(order.phone),
  recipientPhone: order.phone,
  ...mapSenderTexts((name) => order[name]),
  receivingMethod: order.receivingMethod,
  couponCode: order.coupon,
  expected: {
    fee: order.quote.fee.minor,
    converted: order.quote.converted.minor,
    ...(minutes !== null && { minutes }),
  },
})

/** Returns the transfer without its price, which the server computes again, or the first problem. */
export function checkRequest(request: TransferPaymentRequest, amount: number, isNameRequired: boolean) {
  const { destination, checks } = checkFields({
    phone: request.recipientPhone,
    ...mapSenderTexts((name) => request[name] ?? ''),
    isNameRequired,
    receivingMethod: request.receivingMethod,
    coupon: request.couponCode ?? '',
  })
  const gross = checkTransferAmount(money(amount, request.currency === 'eur' ? 'EUR' : 'CAD'))
  const { phone, receivingMethod: wallet, ...others } = checks
  const checked = collectFields({ gross, phone, receivingMethod: wallet, ...others })
  return checked.ok ? ok({ ...checked.value, destination }) : err(checked.error[0])
}

export type RequestProblem = Extract<ReturnType<typeof checkRequest>, { readonly ok: false }>['error']
