import fc from 'fast-check'
import { expect, test } from 'vitest'
import { money, type SourceCurrency } from '../money/money.ts'
import { computeCapGauge, computeCapUse, convertRemainingCap, type MonthLedger } from './capUse.ts'
import { checkMonthlyCap, MONTHLY_CAP_EUR_CENTS } from './limits.ts'

const NOV_20 = Date.UTC(2026, 10, 20)
const DEC_START = Date.UTC(2026, 11, 1)
const ledger: MonthLedger = {
  month: '2026-11',
  recordedCents: 60_000,
  reservedCents: 15_000,
  reservedSlots: 1,
}

test.each([
  ['nothing sent yet', null, NOV_20, [0, 0, 100_000, DEC_START]],
  ['sent and under way', ledger, NOV_20, [60_000, 15_000, 25_000, DEC_START]],
  ['the last millisecond of the month', ledger, DEC_START - 1, [60_000, 15_000, 25_000, DEC_START]],
  ['a ledger of the month before', ledger, DEC_START, [0, 0, 100_000, Date.UTC(2027, 0, 1)]],
  ['all of it', { ...ledger, recordedCents: 85_000 }, NOV_20, [85_000, 15_000, 0, DEC_START]],
])('computes the use of the cap: %s', (_, stored, now, expected) => {
  const { sentCents, inFlightCents, leftCents, resetsAt } = computeCapUse(stored, now)
  expect([sentCents, inFlightCents, leftCents, resetsAt]).toEqual(expected)
})

test.each<[SourceCurrency, number, number]>([
  ['EUR', 25_000, 25_000],
  ['EUR', 0, 0],
  ['CAD', 60, 100],
  ['CAD', 100, 167],
  ['CAD', 0, 0],
])('converts the remaining cap to %s: %i EUR cents make %i', (currency, leftCents, minor) => {
  expect(convertRemainingCap(currency, leftCents)).toEqual(money(minor, currency))
})

test('the cap accepts the remaining amount and no cent more @spec-cap-left', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<SourceCurrency>('EUR', 'CAD'),
      fc.integer({ min: 1, max: MONTHLY_CAP_EUR_CENTS }),
      (currency, leftCents) => {
        const used = MONTHLY_CAP_EUR_CENTS - leftCents
        const most = convertRemainingCap(currency, leftCents)
        expect(checkMonthlyCap(used, most, NOV_20).ok).toBe(true)
        expect(checkMonthlyCap(used, money(most.minor + 1, currency), NOV_20).ok).toBe(false)
      },
    ),
  )
})

test.each<[what: string, sent: number, inFlight: number, gauge: { sent: number; used: number }]>([
  ['nothing is used', 0, 0, { sent: 0, used: 0 }],
  ['a part is sent', 15_000, 0, { sent: 15, used: 15 }],
  ['payments are in flight', 15_000, 5_000, { sent: 15, used: 20 }],
  ['a part is too small to be seen', 100, 100, { sent: 2, used: 4 }],
  ['almost nothing is left', 99_990, 0, { sent: 98, used: 98 }],
  ['almost nothing is left, and a payment is in flight', 99_000, 990, { sent: 96, used: 98 }],
  ['nothing is left', 100_000, 0, { sent: 100, used: 100 }],
  ['nothing is left once payments have ended', 60_000, 40_000, { sent: 60, used: 100 }],
])('the arch of the month shows every part: %s', (_what, sentCents, inFlightCents, gauge) => {
  const leftCents = MONTHLY_CAP_EUR_CENTS - sentCents - inFlightCents
  expect(computeCapGauge({ sentCents, inFlightCents, leftCents, resetsAt: DEC_START })).toEqual(gauge)
})
