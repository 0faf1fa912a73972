import type { Language } from '../common/language.ts'
import type { Output } from '../common/schema.ts'
import { formatAmountInput, fromMajor, type Money, type SourceCurrency } from '../money/money.ts'
import { groupPhone, maskPhone } from '../numbers/phone.ts'
import { checkWallet, getDefaultReceivingMethod } from '../numbers/wallets.ts'
import type { TransferDraft } from './shapes/draftSchema.ts'
import { mapSenderTexts } from './shapes/fields.ts'
import type { buildTransactionSchema } from './shapes/transactionSchema.ts'

/** Decimals in major units, instants in UTC ms. */
export type Transaction = Output<ReturnType<typeof buildTransactionSchema>>

/** The coupon may be used up and the number wrong: the form has no coupon and needs the number confirmed. */
export function buildDraftFromTransaction(transaction: Transaction, language: Language): TransferDraft {
  const { recipientPhone, destination, receivingMethod, sourceCurrency } = transaction
  const wallet = checkWallet(receivingMethod, destination.code)
  return {
    amount: formatAmountInput(getAmounts(transaction).gross, language),
    currency: sourceCurrency,
    country: destination.code,
    phone: groupPhone(recipientPhone),
    ...mapSenderTexts(() => ''),
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
