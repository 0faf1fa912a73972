import { estimatedArrival } from './arrival.ts'
import type { Language } from './language.ts'
import { fromMajor, type Money, type SourceCurrency, toMajor, typedAmount } from './money.ts'
import { groupPhone, maskPhone } from './phone.ts'
import { toNumber } from './rates.ts'
import type { InferOutput } from './schema.ts'
import type { DeliveryNews } from './schemas/delivery.ts'
import type { transactionSchema } from './schemas/transaction.ts'
import type { CheckedTransfer, TransferDraft } from './transfer.ts'
import { checkWallet, firstWallet } from './wallets.ts'

/** A transfer as it is stored. */
export type Transaction = InferOutput<ReturnType<typeof transactionSchema>>

/**
 * The record of a transfer whose card payment succeeded at `now` (UTC ms). It is made from the quote that was
 * promised, never from a new one. Specification, sections 3 and 4.
 */
export function transactionOf(
  { phone, destination, receivingMethod, coupon, quote }: Omit<CheckedTransfer, 'gross'>,
  {
    id,
    senderId,
    now,
    delivery,
    promisedMinutes = null,
  }: {
    readonly id: string
    readonly senderId: string
    readonly now: number
    readonly delivery: DeliveryNews | null
    readonly promisedMinutes?: number | null
  },
): Transaction {
  const { code, name, currency, flag } = destination
  return {
    id,
    senderId,
    type: 'sent',
    recipientPhone: phone,
    amount: toMajor(quote.net),
    fees: toMajor(quote.fee),
    exchangeRate: toNumber(quote.rate),
    convertedAmount: toMajor(quote.converted),
    sourceCurrency: quote.gross.currency,
    destinationCurrency: quote.converted.currency,
    destination: { code, name, currency, flag },
    status: 'completed',
    createdAt: now,
    settledAt: now,
    estimatedArrival: estimatedArrival(now, promisedMinutes),
    promisedMinutes,
    description: transferDescription(phone),
    paymentMethod: 'card',
    couponCode: coupon,
    receivingMethod,
    delivery,
    recipientLink: null,
  }
}

/**
 * The form for the same transfer once more. Its coupon may be spent, its price may have changed and its number may have
 * been a mistake: the first is left out, the quote is a new one, and the number is to be confirmed anew.
 */
export function draftLike(transaction: Transaction, language: Language): TransferDraft {
  const { recipientPhone, destination, receivingMethod, sourceCurrency } = transaction
  const wallet = checkWallet(receivingMethod, destination.code)
  return {
    amount: typedAmount(amountsOf(transaction).gross, language),
    currency: sourceCurrency,
    country: destination.code,
    phone: groupPhone(recipientPhone),
    receivingMethod: wallet.ok ? wallet.value : firstWallet(destination.code),
    coupon: '',
    phoneConfirmed: false,
  }
}

/** What the payment is called at the provider and in the record. Specification, section 7. */
export function transferDescription(phone: string): string {
  return `Transfer to ${maskPhone(phone)}`
}

/** The amounts of a stored transfer as money. */
export function amountsOf({
  amount,
  fees,
  convertedAmount,
  sourceCurrency,
  destinationCurrency,
}: Transaction): Readonly<Record<'gross' | 'fee' | 'net', Money<SourceCurrency>>> & {
  readonly converted: Money
} {
  return {
    gross: fromMajor(amount + fees, sourceCurrency),
    fee: fromMajor(fees, sourceCurrency),
    net: fromMajor(amount, sourceCurrency),
    converted: fromMajor(convertedAmount, destinationCurrency),
  }
}
