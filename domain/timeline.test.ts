import { describe, expect, test } from 'vitest'
import { RAW_STATUSES } from './status.ts'
import { timelineOf } from './timeline.ts'
import { DELIVERED, HANDED_OVER, SENT } from './transaction.samples.ts'

const PAID = SENT.createdAt
const HOUR = 3_600_000

test.each([
  ['at once', PAID, 'onItsWay'],
  ['a moment before it is expected', PAID + HOUR - 1, 'onItsWay'],
  ['when it is expected', PAID + HOUR, 'due'],
  ['a year later', PAID + 365 * 24 * HOUR, 'due'],
  ['by a clock that is behind', PAID - HOUR, 'onItsWay'],
] as const)('%s: %s %s', (_, now, stage) => {
  expect(timelineOf(SENT, now)).toEqual({ stage, paidAt: PAID, expectedBy: PAID + HOUR, delivery: null })
})

test('paid is when it was settled, where that is known', () => {
  expect(timelineOf({ ...SENT, settledAt: PAID + 5000 }, PAID)).toMatchObject({ paidAt: PAID + 5000 })
  expect(timelineOf({ ...SENT, settledAt: null }, PAID)).toMatchObject({ paidAt: PAID })
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

  test('a row that a device kept from before has none', () => {
    const { delivery: _, ...before } = SENT
    expect(timelineOf(before as typeof SENT, PAID)).toMatchObject({ stage: 'onItsWay', delivery: null })
  })
})
