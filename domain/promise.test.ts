import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE } from './duration.ts'
import { isLongest, keptPromise, lateFrom, promisedMinutes } from './promise.ts'
import { formatWait } from './wait.ts'

describe('within how many minutes a transfer is promised', () => {
  test.each([
    ['mtn_money', { mtn: 15, byHand: 1440 }, 15],
    ['orange_money', { mtn: 15, byHand: 1440 }, 1440],
    [null, { mtn: 15, byHand: 1440 }, 1440],
    // Only where people pay to all wallets: the settings see to it.
    ['mtn_money', { mtn: null, byHand: 1440 }, 1440],
    ['mtn_money', { mtn: 15, byHand: null }, 15],
    ['orange_money', { mtn: 15, byHand: null }, null],
    ['mtn_money', { mtn: null, byHand: null }, null],
  ] as const)('to %s with %o: %s', (wallet, longest, minutes) => {
    expect(promisedMinutes(wallet, longest)).toBe(minutes)
  })

  test.each([
    ['what both say', 15, 15, 15],
    ['less, when the person saw less', 60, 15, 15],
    ['no more than the provider may take', 15, 60, 15],
    ['ours, when the app promised nothing', 15, null, 15],
    ['nothing, when we promise nothing', null, 15, null],
    ['nothing', null, null, null],
  ])('is kept as %s', (_, ours, shown, kept) => {
    expect(keptPromise(ours, shown)).toBe(kept)
  })
})

describe('that it comes later is said', () => {
  const at = Date.UTC(2026, 10, 20, 12)
  const minutesBefore = (promisedMinutes: number | null) =>
    (at - lateFrom({ estimatedArrival: at, promisedMinutes })) / MINUTE

  test.each([
    [null, 0],
    [1, 0.1],
    [15, 1.5],
    [60, 6],
    [300, 30],
    [301, 30],
    [1440, 30],
  ])('of %s minutes so many before their end: %s', (promised, before) => {
    expect(minutesBefore(promised)).toBe(before)
  })

  test('never before the payment, nor after the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), (promised) => {
        expect(minutesBefore(promised)).toBeGreaterThan(0)
        expect(minutesBefore(promised)).toBeLessThan(promised)
      }),
    )
  })
})

test.each([
  ['1', true],
  ['90', true],
  ['91', false],
  ['120', true],
  ['1440', true],
  ['99960', true],
  ['100020', false],
  ['0', false],
  ['1.5', false],
  ['1 h', false],
  ['', false],
])('a setting of %j: %s', (text, fits) => {
  expect(isLongest(text)).toBe(fits)
})

test('what can be set is told exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999 }), (minutes) => {
      if (!isLongest(String(minutes))) return
      const [value = '', unit = ''] = formatWait(minutes * 60, 'en')
        .replace(',', '')
        .split(' ')
      const size = unit.startsWith('second') ? 1 / 60 : unit.startsWith('minute') ? 1 : 60
      expect(Number(value) * size).toBe(minutes)
    }),
  )
})
