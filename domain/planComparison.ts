import { defaultFee } from './fees.ts'
import { eurCents, MONTHLY_CAP_EUR_CENTS } from './limits.ts'
import { type Money, money, type SourceCurrency } from './money.ts'
import { PLANS } from './plans.ts'
import { err, ok, type Result } from './result.ts'
import type { Tier } from './schemas/profile.ts'

/** A person's habit: so many transfers of this amount in a month. */
export interface Habit {
  readonly amount: Money<SourceCurrency>
  readonly count: number
}

/** What a month of a habit costs, in EUR cents; null is without a plan. */
export interface MonthlyCost {
  readonly tier: Tier | null
  readonly price: number
  readonly fees: number
  readonly total: number
}

export interface PlanComparison {
  /** Without a plan first, then each plan in the order of its price. */
  readonly costs: readonly MonthlyCost[]
  /** The cheapest way. Null is without a plan, which wins when a plan costs just as much. */
  readonly cheapest: Tier | null
  /** EUR cents that the cheapest way saves in a month, compared with no plan. */
  readonly saving: number
}

/** `most`: how many transfers of the amount the monthly cap lets through. */
export type CountProblem =
  | { readonly kind: 'countRequired' }
  | { readonly kind: 'countTooHigh'; readonly most: number }

/**
 * What a month costs in fees and subscription, without a plan and with each, for what a person sends. Fees in dollars
 * count at the fixed rate, like everything that is compared in euros. Specification, section 9.
 */
export function comparePlans(habit: Habit): PlanComparison {
  const without: MonthlyCost = costOf(habit, null)
  const costs = [without, ...Object.values(PLANS).map(({ id }) => costOf(habit, id))]
  const best = costs.reduce((cheapest, cost) => (cost.total < cheapest.total ? cost : cheapest))
  return { costs, cheapest: best.tier, saving: without.total - best.total }
}

function costOf({ amount, count }: Habit, tier: Tier | null): MonthlyCost {
  const plan = tier && PLANS[tier]
  const price = plan?.price.minor ?? 0
  const atPlanFee = Math.min(count, plan?.allowance ?? 0)
  const fees = atPlanFee * (plan?.fee ?? 0) + (count - atPlanFee) * defaultFee(amount).minor
  const inEuros = eurCents(money(fees, amount.currency))
  return { tier, price, fees: inEuros, total: price + inEuros }
}

/** Reads how many transfers a month a person types: a whole number, at least 1, that the monthly cap lets through. */
export function checkCount(text: string, amount: Money<SourceCurrency>): Result<number, CountProblem> {
  const count = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0
  if (count < 1) return err({ kind: 'countRequired' })
  const most = mostInMonth(amount)
  return count > most ? err({ kind: 'countTooHigh', most }) : ok(count)
}

const mostInMonth = (amount: Money<SourceCurrency>) => Math.floor(MONTHLY_CAP_EUR_CENTS / eurCents(amount))

/** How many months of history say what a person's habit is. */
const MONTHS = 3

interface Sent {
  readonly gross: Money<SourceCurrency>
  /** UTC ms. */
  readonly createdAt: number
}

/**
 * The habit that the transfers of the last three months show at `now` (UTC ms), in the currency of the newest: their
 * mean amount, and how many there are in a month; null when there are none.
 */
export function habitOf(sent: readonly Sent[], now: number): Habit | null {
  const since = now - MONTHS * 31 * 86_400_000
  const recent = sent
    .filter(({ createdAt }) => createdAt >= since)
    .sort((one, other) => other.createdAt - one.createdAt)
  const [newest] = recent
  if (!newest) return null
  const { currency } = newest.gross
  const alike = recent.filter(({ gross }) => gross.currency === currency)
  const total = alike.reduce((sum, { gross }) => sum + gross.minor, 0)
  const amount = money(Math.round(total / alike.length / 100) * 100, currency)
  const count = Math.max(1, Math.round(recent.length / MONTHS))
  return { amount, count: Math.min(count, mostInMonth(amount)) }
}
