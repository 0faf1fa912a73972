import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from './duration.ts'
import { RAW_STATUSES } from './status.ts'
import { isLater, nextTurn, timelineOf } from './timeline.ts'
import { DELIVERED, HANDED_OVER, SENT } from './transaction.samples.ts'

const PAID = SENT.createdAt

test.each([
  ['at once', PAID, 'onItsWay'],
  ['a moment before it is expected', PAID + HOUR - 1, 'onItsWay'],
  ['when it is expected', PAID + HOUR, 'due'],
  ['a year later', PAID + 365 * 24 * HOUR, 'due'],
  ['by a clock that is behind', PAID - HOUR, 'onItsWay'],
] as const)('%s: %s %s', (_, now, stage) => {
  expect(timelineOf(SENT, now)).toEqual({ stage, paidAt: PAID, expectedBy: PAID + HOUR, delivery: null })
})

test('paid is when it was settled', () => {
  expect(timelineOf({ ...SENT, settledAt: PAID + 5000 }, PAID)).toMatchObject({ paidAt: PAID + 5000 })
})

test.each(RAW_STATUSES.completed)('%s is paid', (status) => {
  expect(timelineOf({ ...SENT, status }, PAID)).toMatchObject({ stage: 'onItsWay' })
})

test.each(RAW_STATUSES.pending)('%s is being paid, and nothing is promised yet', (status) => {
  expect(timelineOf({ ...SENT, status }, PAID + HOUR)).toEqual({ stage: 'paying', begunAt: PAID })
})

test.each([...RAW_STATUSES.failed, ...RAW_STATUSES.canceled, 'held', ''])('%j promises nothing', (status) => {
  expect(timelineOf({ ...SENT, status }, PAID)).toBe(null)
})

const ORDERED = { ...HANDED_OVER, stage: 'ordered', handedOverAt: null } as const

describe('of a transfer whose delivery is known', () => {
  test.each([
    ['ordered', ORDERED, PAID, 'onItsWay'],
    ['ordered, a moment before it is expected', ORDERED, PAID + HOUR - 1, 'onItsWay'],
    ['ordered still when it is expected', ORDERED, PAID + HOUR, 'late'],
    ['waiting for us, before it is expected', { ...ORDERED, isLate: true }, PAID, 'late'],
    ['handed over', HANDED_OVER, PAID, 'onItsWay'],
    ['handed over, and nobody says that it is there', HANDED_OVER, PAID + HOUR, 'due'],
  ] as const)('%s', (_, delivery, now, stage) => {
    const expected = { stage, paidAt: PAID, expectedBy: PAID + HOUR, delivery }
    expect(timelineOf({ ...SENT, delivery }, now)).toEqual(expected)
  })

  test.each([
    ['ordered, before that is certain', ORDERED, 53, 'onItsWay'],
    ['ordered, a tenth of the time before its end', ORDERED, 54, 'late'],
    ['waiting for us, at once', { ...ORDERED, isLate: true }, 0, 'late'],
    ['ordered still when it is over', ORDERED, 60, 'late'],
    ['handed over, before that is certain', HANDED_OVER, 53, 'onItsWay'],
    ['handed over, a tenth of the time before its end', HANDED_OVER, 54, 'late'],
    ['handed over, and nobody says that it is there when it is over', HANDED_OVER, 60, 'due'],
    ['by people, who are not done', { ...ORDERED, by: 'byHand' }, 54, 'late'],
  ] as const)('promised within an hour, %s', (_, delivery, minutes, stage) => {
    const promised = { ...SENT, delivery, promisedMinutes: 60 }
    const timeline = timelineOf(promised, PAID + minutes * MINUTE)
    expect(timeline?.stage).toBe(stage)
    expect(isLater(timeline)).toBe(stage !== 'onItsWay')
  })

  test('delivered is the end, however late it is', () => {
    for (const now of [PAID, PAID + 365 * 24 * HOUR])
      expect(timelineOf({ ...SENT, delivery: DELIVERED }, now)).toEqual({
        stage: 'delivered',
        paidAt: PAID,
        delivery: DELIVERED,
      })
  })

  test.each(['failed', 'paidBack'] as const)('%s is told, although its status promises nothing', (stage) => {
    const delivery = { ...ORDERED, stage, failure: 'recipientUnknown' } as const
    for (const now of [PAID, PAID + HOUR])
      expect(timelineOf({ ...SENT, status: 'failed', delivery }, now)).toEqual({
        stage,
        paidAt: PAID,
        delivery,
      })
  })

  test('nothing is promised of one that failed for another reason', () => {
    expect(timelineOf({ ...SENT, status: 'failed', delivery: ORDERED }, PAID)).toBe(null)
    expect(timelineOf({ ...SENT, status: 'canceled', delivery: DELIVERED }, PAID)).toBe(null)
  })
})

describe('when time alone changes what is told', () => {
  test.each([
    ['an estimate', null, [60]],
    ['a promise', 60, [54, 60]],
  ] as const)('of %s', (_, promisedMinutes, minutes) => {
    const turns: number[] = []
    let at = nextTurn({ ...SENT, promisedMinutes }, PAID)
    while (at !== null) {
      turns.push((at - PAID) / MINUTE)
      at = nextTurn({ ...SENT, promisedMinutes }, at)
    }
    expect(turns).toEqual(minutes)
  })
})

test('where nobody pays out, nobody knows that it is late', () => {
  expect(isLater(timelineOf(SENT, PAID + HOUR))).toBe(false)
  expect(isLater(timelineOf({ ...SENT, delivery: HANDED_OVER }, PAID + HOUR))).toBe(true)
  expect(isLater(timelineOf({ ...SENT, delivery: DELIVERED }, PAID + HOUR))).toBe(false)
  expect(isLater(null)).toBe(false)
})
