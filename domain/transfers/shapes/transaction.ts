import { toMajor } from '../../money/money.ts'
import { toDecimalRate } from '../../money/rates.ts'
import { estimateArrival } from '../arrival.ts'
import { describeTransfer, type Transaction } from '../transaction.ts'
import { mapSenderTexts } from './fields.ts'
import type { CheckedTransfer } from './orderSchema.ts'

type PaymentFacts = Pick<
  Transaction,
  | ('id' | 'senderId' | 'senderName' | 'createdAt' | 'settledAt')
  | ('promisedMinutes' | 'delivery' | 'recipientLink')
>

/** Uses the promised quote, never a new one. Specification, sections 3 and 4. */
export function buildTransaction(order: Omit<CheckedTransfer, 'gross'>, facts: PaymentFacts): Transaction {
  const { phone, destination, receivingMethod, coupon, quote } = order
  const { code, name, currency, flag } = destination
  return {
    ...facts,
    type: 'sent',
    recipientPhone: phone,
    ...mapSenderTexts((name) => order[name]),
    amount: toMajor(quote.net),
    fees: toMajor(quote.fee),
    exchangeRate: toDecimalRate(quote.rate),
    convertedAmount: toMajor(quote.converted),
    sourceCurrency: quote.gross.currency,
    destinationCurrency: quote.converted.currency,
    destination: { code, name, currency, flag },
    status: 'completed',
    estimatedArrival: estimateArrival(facts.settledAt, facts.promisedMinutes),
    description: describeTransfer(phone),
    paymentMethod: 'card',
    couponCode: coupon,
    receivingMethod,
  }
}
