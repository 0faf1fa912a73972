import type { Language } from '../common/language.ts'
import type { Output } from '../common/schema.ts'
import { formatAmountInput, fromMajor, type Money, type SourceCurrency, toMajor } from '../money/money.ts'
import { toDecimalRate } from '../money/rates.ts'
import { groupPhone, maskPhone } from '../numbers/phone.ts'
import { checkWallet, getDefaultReceivingMethod } from '../numbers/wallets.ts'
import { estimateArrival } from './arrival.ts'
import type { DeliverySummary } from './deliverySchema.ts'
import type { buildTransactionSchema } from './shapes/transactionSchema.ts'
import type { CheckedTransfer, TransferDraft } from './transfer.ts'

/** Decimals in major units, instants in UTC ms. */
export type Transaction = Output<ReturnType<typeof buildTransactionSchema>>

/** Uses the promised quote, never a new one; `now` in UTC ms. Specification, sections 3 and 4. */
export function buildTransaction(
  { phone, recipientName, destination, receivingMethod, coupon, quote }: Omit<CheckedTransfer, 'gross'>,
  {
    id,
    senderId,
    senderName,
    now,
    delivery,
    promisedMinutes = null,
  }: {
    readonly id: string
    readonly senderId: string
    readonly senderName: string | null
    readonly now: number
    readonly delivery: DeliverySummary | null
    readonly promisedMinutes?: number | null
  },
): Transaction {
  const { code, name, currency, flag } = destination
  return {
    id,
    senderId,
    type: 'sent',
    recipientPhone: phone,
    senderName,
    recipientName,
    amount: toMajor(quote.net),
    fees: toMajor(quote.fee),
    exchangeRate: toDecimalRate(quote.rate),
    convertedAmount: toMajor(quote.converted),
    sourceCurrency: quote.gross.currency,
    destinationCurrency: quote.converted.currency,
    destination: { code, name, currency, flag },
    status: 'completed',
    createdAt: now,
    settledAt: now,
    estimatedArrival: estimateArrival(now, promisedMinutes),
    promisedMinutes,
    description: describeTransfer(phone),
    paymentMethod: 'card',
    couponCode: coupon,
    receivingMethod,
    delivery,
    recipientLink: null,
  }
}

/** The coupon may be used up and the number wrong: the form has no coupon and needs the number confirmed. */
export function buildDraftFromTransaction(transaction: Transaction, language: Language): TransferDraft {
  const { recipientPhone, destination, receivingMethod, sourceCurrency } = transaction
  const wallet = checkWallet(receivingMethod, destination.code)
  return {
    amount: formatAmountInput(getAmounts(transaction).gross, language),
    currency: sourceCurrency,
    country: destination.code,
    phone: groupPhone(recipientPhone),
    recipientName: '',
    receivingMethod: wallet.ok ? wallet.value : getDefaultReceivingMethod(destination.code),
    coupon: '',
    phoneConfirmed: false,
  }
}

/** The description at the provider and in the record. Specification, section 7. */
export function describeTransfer(phone: string): string {
  return `Transfer to ${maskPhone(phone)}`
}

export function getAmounts({
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
