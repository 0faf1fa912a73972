import { type BalanceTransaction, buildBalanceTransaction } from './objects.ts'
import { type Call, getUnixSeconds } from './state.ts'

/** Stripe's French prices: 1.5 % and 25 cents for a European card; 15 EUR per dispute. */
const PERCENT = 1.5
const FIXED = 25
const DISPUTE_FEE = 1_500

/** Charges in Guinean francs are converted to euros. */
const EXCHANGED: Readonly<Record<string, readonly [currency: string, rate: number]>> = {
  gnf: ['eur', 1 / 106],
}

/** `amount` is signed, in minor units. Charges and disputes cost a fee, which a refund does not return. */
export function recordBalanceChange(
  { state, clock }: Pick<Call, 'state' | 'clock'>,
  type: BalanceTransaction['type'],
  { id: source, amount: charged, currency: of }: { id: string; amount: number; currency: string },
  reporting_category: string = type,
): BalanceTransaction {
  const [currency, exchange_rate] = EXCHANGED[of] ?? [of, null]
  const amount = exchange_rate === null ? charged : Math.round(charged * exchange_rate)
  const ofCharge = type === 'charge' ? Math.round((amount * PERCENT) / 100) + FIXED : 0
  const fee = reporting_category === 'dispute' ? DISPUTE_FEE : ofCharge
  const about = { amount, currency, exchange_rate, fee, reporting_category, source, type }
  const transaction = buildBalanceTransaction(getUnixSeconds(clock), about)
  state.balanceTransactions.set(transaction.id, transaction)
  return transaction
}
