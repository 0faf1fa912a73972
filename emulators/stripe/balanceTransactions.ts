import { type BalanceTransaction, buildBalanceTransaction } from './objects.ts'
import { type Call, getUnixSeconds } from './state.ts'

/**
 * Stripe's French prices for a card of the European Economic Area: 1.5 % and 25 cents; 15 EUR per dispute.
 */
const PERCENT = 1.5
const FIXED = 25
const DISPUTE_FEE = 1_500

/** Currencies in which the account has no balance: charges in Guinean francs are converted to euros. */
const EXCHANGED: Readonly<Record<string, readonly [currency: string, rate: number]>> = {
  gnf: ['eur', 1 / 106],
}

/**
 * Records a change of the account's balance (`amount`, in minor units, signed). Charges and disputes cost a
 * fee, which a refund does not return.
 */
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
  const made = buildBalanceTransaction(getUnixSeconds(clock), about)
  state.balanceTransactions.set(made.id, made)
  return made
}
