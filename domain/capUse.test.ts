import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capUse, leftIn, type MonthLedger } from './capUse.ts'
import { checkCap, MONTHLY_CAP_EUR_CENTS } from './limits.ts'
import { money, type SourceCurrency } from './money.ts'

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
])('%s', (_, stored, now, expected) => {
  const { sentCents, inFlightCents, leftCents, resetsAt } = capUse(stored, now)
  expect([sentCents, inFlightCents, leftCents, resetsAt]).toEqual(expected)
})

test.each<[SourceCurrency, number, number]>([
  ['EUR', 25_000, 25_000],
  ['EUR', 0, 0],
  ['CAD', 60, 100],
  ['CAD', 100, 167],
  ['CAD', 0, 0],
])('in %s, of %i cents left: %i', (currency, leftCents, minor) => {
  expect(leftIn(currency, leftCents)).toEqual(money(minor, currency))
})

test('what is left is let through by the cap, and a cent more is not @spec-cap-left', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<SourceCurrency>('EUR', 'CAD'),
      fc.integer({ min: 1, max: MONTHLY_CAP_EUR_CENTS }),
      (currency, leftCents) => {
        const used = MONTHLY_CAP_EUR_CENTS - leftCents
        const most = leftIn(currency, leftCents)
        expect(checkCap(used, most, NOV_20).ok).toBe(true)
        expect(checkCap(used, money(most.minor + 1, currency), NOV_20).ok).toBe(false)
      },
    ),
  )
})
