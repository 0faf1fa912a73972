import { expect, test } from 'vitest'
import { RAW_STATUSES } from './status.ts'
import { timelineOf } from './timeline.ts'
import { SENT } from './transaction.samples.ts'

const PAID = SENT.createdAt
const HOUR = 3_600_000

test.each([
  ['at once', PAID, 'onItsWay'],
  ['a moment before it is expected', PAID + HOUR - 1, 'onItsWay'],
  ['when it is expected', PAID + HOUR, 'due'],
  ['a year later', PAID + 365 * 24 * HOUR, 'due'],
  ['by a clock that is behind', PAID - HOUR, 'onItsWay'],
] as const)('%s: %s %s', (_, now, stage) => {
  expect(timelineOf(SENT, now)).toEqual({ stage, paidAt: PAID, expectedBy: PAID + HOUR })
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
