import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../common/duration.ts'
import { RAW_STATUSES } from './status.ts'
import { buildTimeline, getNextTimelineChangeTime, isKnownLate } from './timeline.ts'
import { ARRIVED_DELIVERY, HANDED_OVER_DELIVERY, SENT_TRANSFER } from './transaction.samples.ts'

const PAID = SENT_TRANSFER.createdAt

test.each([
  ['at once', PAID, 'onItsWay'],
  ['a moment before it is expected', PAID + HOUR - 1, 'onItsWay'],
  ['when it is expected', PAID + HOUR, 'due'],
  ['a year later', PAID + 365 * 24 * HOUR, 'due'],
  ['by a clock that is behind', PAID - HOUR, 'onItsWay'],
] as const)('shows the timeline of a transfer without a delivery: %s', (_, now, stage) => {
  expect(buildTimeline(SENT_TRANSFER, now)).toEqual({
    stage,
    paidAt: PAID,
    expectedBy: PAID + HOUR,
    delivery: null,
  })
})

test('the timeline dates the payment to the instant of its settlement', () => {
  expect(buildTimeline({ ...SENT_TRANSFER, settledAt: PAID + 5000 }, PAID)).toMatchObject({
    paidAt: PAID + 5000,
  })
})

test.each(RAW_STATUSES.completed)('the timeline shows status %s as paid', (status) => {
  expect(buildTimeline({ ...SENT_TRANSFER, status }, PAID)).toMatchObject({ stage: 'onItsWay' })
})

test.each(RAW_STATUSES.pending)(
  'the timeline shows status %s as being paid, without an expected time',
  (status) => {
    expect(buildTimeline({ ...SENT_TRANSFER, status }, PAID + HOUR)).toEqual({
      stage: 'paying',
      begunAt: PAID,
    })
  },
)

test.each([...RAW_STATUSES.failed, ...RAW_STATUSES.canceled, 'held', ''])(
  'shows no timeline for status %j',
  (status) => {
    expect(buildTimeline({ ...SENT_TRANSFER, status }, PAID)).toBe(null)
  },
)

const ORDERED = { ...HANDED_OVER_DELIVERY, stage: 'ordered', handedOverAt: null } as const

describe('a transfer with a delivery', () => {
  test.each([
    ['ordered', ORDERED, PAID, 'onItsWay'],
    ['ordered, a moment before it is expected', ORDERED, PAID + HOUR - 1, 'onItsWay'],
    ['still ordered when it is expected', ORDERED, PAID + HOUR, 'late'],
    ['waiting for us, before it is expected', { ...ORDERED, isLate: true }, PAID, 'late'],
    ['handed over', HANDED_OVER_DELIVERY, PAID, 'onItsWay'],
    [
      'handed over, without a confirmed arrival when it is expected',
      HANDED_OVER_DELIVERY,
      PAID + HOUR,
      'due',
    ],
  ] as const)('shows the timeline of a transfer with a delivery: %s', (_, delivery, now, stage) => {
    const expected = { stage, paidAt: PAID, expectedBy: PAID + HOUR, delivery }
    expect(buildTimeline({ ...SENT_TRANSFER, delivery }, now)).toEqual(expected)
  })

  test.each([
    ['ordered, before it counts as late', ORDERED, 53, 'onItsWay'],
    ['ordered, when it begins to count as late', ORDERED, 54, 'late'],
    ['waiting for us, at once', { ...ORDERED, isLate: true }, 0, 'late'],
    ['still ordered at the promised time', ORDERED, 60, 'late'],
    ['handed over, before it counts as late', HANDED_OVER_DELIVERY, 53, 'onItsWay'],
    ['handed over, when it begins to count as late', HANDED_OVER_DELIVERY, 54, 'late'],
    ['handed over, without a confirmed arrival at the promised time', HANDED_OVER_DELIVERY, 60, 'due'],
    ['being paid by hand, when it begins to count as late', { ...ORDERED, by: 'byHand' }, 54, 'late'],
  ] as const)(
    'shows the timeline of a transfer promised within an hour: %s',
    (_, delivery, minutes, stage) => {
      const promised = { ...SENT_TRANSFER, delivery, promisedMinutes: 60 }
      const timeline = buildTimeline(promised, PAID + minutes * MINUTE)
      expect(timeline?.stage).toBe(stage)
      expect(isKnownLate(timeline)).toBe(stage !== 'onItsWay')
    },
  )

  test('the timeline ends when the transfer is delivered, however late', () => {
    for (const now of [PAID, PAID + 365 * 24 * HOUR])
      expect(buildTimeline({ ...SENT_TRANSFER, delivery: ARRIVED_DELIVERY }, now)).toEqual({
        stage: 'delivered',
        paidAt: PAID,
        delivery: ARRIVED_DELIVERY,
      })
  })

  test.each(['failed', 'canceled', 'paidBack'] as const)(
    'a failed transfer has a timeline if its delivery is %s',
    (stage) => {
      const delivery = { ...ORDERED, stage, failure: 'recipientUnknown' } as const
      for (const now of [PAID, PAID + HOUR])
        expect(buildTimeline({ ...SENT_TRANSFER, status: 'failed', delivery }, now)).toEqual({
          stage,
          paidAt: PAID,
          delivery,
        })
    },
  )

  test('shows no timeline for a transfer that failed for another reason', () => {
    expect(buildTimeline({ ...SENT_TRANSFER, status: 'failed', delivery: ORDERED }, PAID)).toBe(null)
    expect(buildTimeline({ ...SENT_TRANSFER, status: 'canceled', delivery: ARRIVED_DELIVERY }, PAID)).toBe(
      null,
    )
  })
})

describe('getNextTimelineChangeTime', () => {
  test.each([
    ['an estimate', null, [60]],
    ['a promise', 60, [54, 60]],
  ] as const)('finds the next change of the timeline of %s', (_, promisedMinutes, minutes) => {
    const turns: number[] = []
    let at = getNextTimelineChangeTime({ ...SENT_TRANSFER, promisedMinutes }, PAID)
    while (at !== null) {
      turns.push((at - PAID) / MINUTE)
      at = getNextTimelineChangeTime({ ...SENT_TRANSFER, promisedMinutes }, at)
    }
    expect(turns).toEqual(minutes)
  })
})

test('a transfer is known late only while a delivery is outstanding', () => {
  expect(isKnownLate(buildTimeline(SENT_TRANSFER, PAID + HOUR))).toBe(false)
  expect(isKnownLate(buildTimeline({ ...SENT_TRANSFER, delivery: HANDED_OVER_DELIVERY }, PAID + HOUR))).toBe(
    true,
  )
  expect(isKnownLate(buildTimeline({ ...SENT_TRANSFER, delivery: ARRIVED_DELIVERY }, PAID + HOUR))).toBe(
    false,
  )
  expect(isKnownLate(null)).toBe(false)
})
