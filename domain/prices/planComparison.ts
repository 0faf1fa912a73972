import type { Tier } from '../account/profileSchema.ts'
import { cleanCode } from '../common/clean.ts'
import { DAY } from '../common/duration.ts'
import { err, ok, type Result } from '../common/result.ts'
import { type Money, money, type SourceCurrency } from '../money/money.ts'
import { computeDefaultFee } from './fees.ts'
import { getTransferLimits, MONTHLY_CAP_EUR_CENTS, toEurCents } from './limits.ts'
import { PLANS } from './plans.ts'

/** `count`: transfers per month. */
export interface SendingHabit {
  readonly amount: Money<SourceCurrency>
  readonly count: number
}

/** EUR cents per month; `tier` is null without a plan. */
export interface MonthlyCost {
  readonly tier: Tier | null
  readonly price: number
  readonly fees: number
  readonly total: number
}

export interface ComparedPlans {
  /** Without a plan first, then the plans by price. */
  readonly costs: readonly MonthlyCost[]
  /** No plan (null) wins a tie. */
  readonly cheapest: Tier | null
  /** EUR cents per month, compared with no plan. */
  readonly saving: number
}

/** `most`: how many transfers of the amount fit under the monthly cap. */
export type TransferCountProblem =
  | { readonly kind: 'countRequired' }
  | { readonly kind: 'countTooHigh'; readonly most: number }

/** Fees in dollars are converted at the fixed rate. Specification, section 9. */
export function comparePlans(habit: SendingHabit): ComparedPlans {
  const without: MonthlyCost = computeMonthlyCost(habit, null)
  const costs = [without, ...Object.values(PLANS).map(({ id }) => computeMonthlyCost(habit, id))]
  const best = costs.reduce((cheapest, cost) => (cost.total < cheapest.total ? cost : cheapest))
  return { costs, cheapest: best.tier, saving: without.total - best.total }
}

function computeMonthlyCost({ amount, count }: SendingHabit, tier: Tier | null): MonthlyCost {
  const plan = tier && PLANS[tier]
  const price = plan?.price.minor ?? 0
  const atPlanFee = Math.min(count, plan?.allowance ?? 0)
  const fees = atPlanFee * (plan?.fee ?? 0) + (count - atPlanFee) * computeDefaultFee(amount).minor
  const inEuros = toEurCents(money(fees, amount.currency))
  return { tier, price, fees: inEuros, total: price + inEuros }
}

/** A whole number, at least 1, within the monthly cap. */
export function checkTransferCount(
  text: string,
  amount: Money<SourceCurrency>,
): Result<number, TransferCountProblem> {
  const typed = cleanCode(text)
  const count = /^\d{1,4}$/.test(typed) ? Number(typed) : 0
  if (count < 1) return err({ kind: 'countRequired' })
  const most = computeMaxTransfers(amount)
  return count > most ? err({ kind: 'countTooHigh', most }) : ok(count)
}

export const computeMaxTransfers = (amount: Money<SourceCurrency>) =>
  Math.floor(MONTHLY_CAP_EUR_CENTS / toEurCents(amount))

/** Minor units; smaller steps below. */
const SMALL_AMOUNT = 10_000
const SMALL_STEP = 1_000
const LARGE_STEP = 5_000

/** The next round amount: in tens below 100, in fifties above, within the limits of one transfer. */
export function stepAmount(
  { minor, currency }: Money<SourceCurrency>,
  direction: 'up' | 'down',
): Money<SourceCurrency> {
  const { min, max } = getTransferLimits(currency)
  const isUp = direction === 'up'
  const step = minor < SMALL_AMOUNT || (minor === SMALL_AMOUNT && !isUp) ? SMALL_STEP : LARGE_STEP
  const next = isUp ? Math.floor(minor / step) + 1 : Math.ceil(minor / step) - 1
  return money(Math.min(Math.max(next * step, min.minor), max.minor), currency)
}

const MONTH = 31 * DAY

const MAX_MONTHS = 3

interface Sent {
  readonly gross: Money<SourceCurrency>
  /** UTC ms. */
  readonly createdAt: number
}

/** At `now` (UTC ms): three months, or since the first transfer, in the newest transfer's currency. */
export function deriveSendingHabit(sent: readonly Sent[], now: number): SendingHabit | null {
  const since = now - MAX_MONTHS * MONTH
  const recent = sent
    .filter(({ createdAt }) => createdAt >= since)
    .sort((one, other) => other.createdAt - one.createdAt)
  const [newest] = recent
  if (!newest) return null
  const { currency } = newest.gross
  const alike = recent.filter(({ gross }) => gross.currency === currency)
  const total = alike.reduce((sum, { gross }) => sum + gross.minor, 0)
  const amount = money(Math.round(total / alike.length / 100) * 100, currency)
  const first = sent.reduce((oldest, { createdAt }) => Math.min(oldest, createdAt), now)
  const months = Math.min(MAX_MONTHS, Math.max(1, (now - first) / MONTH))
  const count = Math.max(1, Math.round(recent.length / months))
  return { amount, count: Math.min(count, computeMaxTransfers(amount)) }
}
