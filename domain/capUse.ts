import { eurCents, MONTHLY_CAP_EUR_CENTS } from './limits.ts'
import { type Money, money, type SourceCurrency } from './money.ts'
import { monthOf, nextMonthStart } from './month.ts'
import { rateOf } from './rates.ts'
import type { InferOutput } from './schema.ts'
import type { ledgerSchema } from './schemas/profile.ts'

/** What a person has used of one UTC month's cap, in EUR cents, as the server counts it. */
export type MonthLedger = InferOutput<typeof ledgerSchema>

/** The ledger of a month before its first transfer. */
export const emptyLedger = (month: string): MonthLedger => ({
  month,
  recordedCents: 0,
  reservedCents: 0,
  reservedSlots: 0,
})

/** The cap and its use in the month of an instant, in EUR cents. */
export interface CapUse {
  readonly sentCents: number
  readonly inFlightCents: number
  readonly leftCents: number
  /** UTC ms. */
  readonly resetsAt: number
}

/** The use of the cap at `now` (UTC ms). Nothing is known of a month without a ledger: nothing was sent in it. */
export function capUse(ledger: MonthLedger | null, now: number): CapUse {
  const current = ledger?.month === monthOf(now) ? ledger : null
  const sentCents = current?.recordedCents ?? 0
  const inFlightCents = current?.reservedCents ?? 0
  const leftCents = Math.max(MONTHLY_CAP_EUR_CENTS - sentCents - inFlightCents, 0)
  return { sentCents, inFlightCents, leftCents, resetsAt: nextMonthStart(now) }
}

/** The most that what is left lets through in a currency, itself still accepted. */
export function leftIn(currency: SourceCurrency, leftCents: number): Money<SourceCurrency> {
  const { numerator, denominator } = rateOf(currency, 'EUR')
  // An amount counts half up: the last one may count a little less than it is worth.
  const most = money(Math.ceil((leftCents * denominator) / numerator), currency)
  return eurCents(most) > leftCents ? money(most.minor - 1, currency) : most
}
