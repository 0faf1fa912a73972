import type { ledgerSchema } from '../account/profileSchema.ts'
import { getNextMonthStart, toMonth } from '../common/month.ts'
import type { Output } from '../common/schema.ts'
import { type Money, money, type SourceCurrency } from '../money/money.ts'
import { getRate } from '../money/rates.ts'
import { MONTHLY_CAP_EUR_CENTS, toEurCents } from './limits.ts'

export type MonthLedger = Output<typeof ledgerSchema>

export const createEmptyLedger = (month: string): MonthLedger => ({
  month,
  recordedCents: 0,
  reservedCents: 0,
  reservedSlots: 0,
})

/** EUR cents of one month. */
export interface CapUse {
  readonly sentCents: number
  readonly inFlightCents: number
  readonly leftCents: number
  /** UTC ms. */
  readonly resetsAt: number
}

/** At `now` (UTC ms). A month without a ledger has no transfers. */
export function computeCapUse(ledger: MonthLedger | null, now: number): CapUse {
  const current = ledger?.month === toMonth(now) ? ledger : null
  const sentCents = current?.recordedCents ?? 0
  const inFlightCents = current?.reservedCents ?? 0
  const leftCents = Math.max(MONTHLY_CAP_EUR_CENTS - sentCents - inFlightCents, 0)
  return { sentCents, inFlightCents, leftCents, resetsAt: getNextMonthStart(now) }
}

/** The ends of the arch's two parts, in percent. */
export interface CapGauge {
  readonly sent: number
  /** Also includes what is in flight. */
  readonly used: number
}

const MIN_PART = 2

/** A part that is not empty is long enough to be seen, and the arch is full only if nothing is left. */
export function computeCapGauge({ sentCents, inFlightCents, leftCents }: CapUse): CapGauge {
  const most = leftCents === 0 ? 100 : 100 - MIN_PART
  const room = inFlightCents > 0 ? most - MIN_PART : most
  const sent = clampPart(sentCents, 0, room)
  return { sent, used: clampPart(inFlightCents, sent, most) }
}

function clampPart(cents: number, start: number, most: number): number {
  if (cents === 0) return start
  const percent = Math.max(Math.round((100 * cents) / MONTHLY_CAP_EUR_CENTS), MIN_PART)
  return Math.min(start + percent, most)
}

export function convertRemainingCap(currency: SourceCurrency, leftCents: number): Money<SourceCurrency> {
  const { numerator, denominator } = getRate(currency, 'EUR')
  // Conversions round half up, so the amount just above the exact value is accepted if it is rounded down.
  const most = money(Math.ceil((leftCents * denominator) / numerator), currency)
  return toEurCents(most) > leftCents ? money(most.minor - 1, currency) : most
}
