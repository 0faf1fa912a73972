import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '../common/duration.ts'
import { formatWait } from '../common/wait.ts'
import { choosePromisedMinutes, getLateTime, isPromisableDuration } from './promisedTime.ts'

describe('choosePromisedMinutes', () => {
  test.each([
    ['mtn_money', { mtn: 15, byHand: 1440 }, 15],
    ['orange_money', { mtn: 15, byHand: 1440 }, 1440],
    [null, { mtn: 15, byHand: 1440 }, 1440],
    // Without a time for MTN, operators pay to its wallet too, as the settings enforce.
    ['mtn_money', { mtn: null, byHand: 1440 }, 1440],
    ['mtn_money', { mtn: 15, byHand: null }, 15],
    ['orange_money', { mtn: 15, byHand: null }, null],
    ['mtn_money', { mtn: null, byHand: null }, null],
  ] as const)('promises a transfer to %s with the settings %o: %s minutes', (wallet, longest, minutes) => {
    expect(choosePromisedMinutes(wallet, longest)).toBe(minutes)
  })
})

describe('getLateTime', () => {
  const at = Date.UTC(2026, 10, 20, 12)
  const minutesBefore = (promisedMinutes: number | null) =>
    (at - getLateTime({ estimatedArrival: at, promisedMinutes })) / MINUTE

  test.each([
    [null, 0],
    [1, 0.1],
    [15, 1.5],
    [60, 6],
    [300, 30],
    [301, 30],
    [1440, 30],
  ])('promised within %s minutes, a transfer is late %s minutes early', (promised, before) => {
    expect(minutesBefore(promised)).toBe(before)
  })

  test('a promised transfer becomes late between payment and promised time', () => {
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
])('the promised time %j is a valid setting: %s', (text, fits) => {
  expect(isPromisableDuration(text)).toBe(fits)
})

test('every valid setting of the promised time can be formatted exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999 }), (minutes) => {
      if (!isPromisableDuration(String(minutes))) return
      const [value = '', unit = ''] = formatWait(minutes * 60, 'en')
        .replace(',', '')
        .split(' ')
      const size = unit.startsWith('second') ? 1 / 60 : unit.startsWith('minute') ? 1 : 60
      expect(Number(value) * size).toBe(minutes)
    }),
  )
})
