import { type BalanceTransaction, newBalanceTransaction } from './objects.ts'
import { type Call, seconds } from './state.ts'

/** Stripe's French price list for a card of the European Economic Area: 1.5 % and 25 cents; 15 EUR for a dispute. */
const PERCENT = 1.5
const FIXED = 25
const DISPUTE_FEE = 1_500

/** An account has no balance in Guinean francs: charges in them are exchanged to euros. */
const EXCHANGED: Readonly<Record<string, readonly [currency: string, rate: number]>> = {
  gnf: ['eur', 1 / 106],
}

/**
 * Records that money entered or left the account's balance (`amount`, in minor units, signed). A charge costs a fee,
 * which no refund returns; so does a dispute.
 */
export function book(
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
  const made = newBalanceTransaction(seconds(clock), about)
  state.balanceTransactions.set(made.id, made)
  return made
}
