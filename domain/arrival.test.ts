import { describe, expect, test } from 'vitest'
import { dueArrival, estimatedArrival, hasArrived, newArrival } from './arrival.ts'
import { HOUR } from './duration.ts'
import { DELIVERED, HANDED_OVER } from './transaction.samples.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

test('money is expected one hour after it was sent @spec-arrival', () => {
  expect(estimatedArrival(NOW)).toBe(NOW + HOUR)
  expect(estimatedArrival(NOW, null)).toBe(NOW + HOUR)
})

test('what was promised is expected then', () => {
  expect(estimatedArrival(NOW, 15)).toBe(NOW + HOUR / 4)
  expect(estimatedArrival(NOW, 24 * 60)).toBe(NOW + 24 * HOUR)
})

describe('what is announced', () => {
  const row = (hours: number, status = 'completed', type: 'sent' | 'received' = 'sent') => ({
    type,
    status,
    estimatedArrival: NOW + hours * HOUR,
  })

  test.each([
    ['nothing, without transfers', [], -48, null, null],
    ['a transfer whose time has come', [row(-1)], -48, -1, null],
    ['at the very moment', [row(0)], -48, 0, null],
    ['not before', [row(1)], -48, null, 1],
    ['the earliest first', [row(-1), row(2), row(-3), row(1)], -48, -3, 1],
    ['not twice', [row(-1), row(-3)], -3, -1, null],
    ['not when all is told', [row(-1), row(-3)], -1, null, null],
    ['not after a day', [row(-24), row(-25)], -48, null, null],
    ['one that is on its way', [row(-1, 'processing')], -48, -1, null],
    [
      'none that the person received',
      [row(-1, 'completed', 'received'), row(1, 'pending', 'received')],
      -48,
      null,
      null,
    ],
    [
      'none that failed or was canceled',
      [row(-1, 'failed'), row(-1, 'canceled'), row(1, 'what')],
      -48,
      null,
      null,
    ],
  ])('%s', (_, rows, toldUntil, due, nextAt) => {
    const at = (hours: number | null) => (hours === null ? null : NOW + hours * HOUR)
    const found = dueArrival(rows, NOW + toldUntil * HOUR, NOW)
    expect([found.due?.estimatedArrival ?? null, found.nextAt]).toEqual([at(due), at(nextAt)])
  })
})

test.each([
  ['handedOver', true],
  // It is known better than that it should be there.
  ['ordered', false],
  ['delivered', false],
  ['failed', false],
  ['paidBack', false],
] as const)('what is expected of one that is %s is announced: %s', (stage, isAnnounced) => {
  const delivery = { ...HANDED_OVER, stage }
  const row = { type: 'sent', status: 'completed', estimatedArrival: NOW, delivery } as const
  expect(dueArrival([row], NOW - HOUR, NOW).due === row).toBe(isAnnounced)
  expect(dueArrival([row], NOW - HOUR, NOW - 1).nextAt).toBe(isAnnounced ? NOW : null)
})

test('what was promised, and is not confirmed, is not said to be there', () => {
  const row = { type: 'sent', status: 'completed', estimatedArrival: NOW, delivery: HANDED_OVER } as const
  expect(dueArrival([{ ...row, promisedMinutes: 15 }], NOW - HOUR, NOW)).toEqual({ due: null, nextAt: null })
  expect(dueArrival([{ ...row, promisedMinutes: null }], NOW - HOUR, NOW).due).not.toBeNull()
})

describe('what has arrived', () => {
  const row = (hours: number, arrivedSince?: boolean) => ({
    delivery: { ...DELIVERED, deliveredAt: NOW + hours * HOUR },
    ...(arrivedSince !== undefined && { arrivedSince }),
  })

  test.each([
    ['nothing, without transfers', [], null],
    ['one that the device has heard of', [row(-1, true)], -1],
    ['not one that it knew already', [row(-1)], null],
    ['not one that was told', [row(-1, false)], null],
    ['the earliest first', [row(-1, true), row(-3, true), row(-2, true)], -3],
    ['after days too', [row(-7 * 24 + 1, true)], -7 * 24 + 1],
    ['not after a week', [row(-7 * 24, true)], null],
  ])('%s', (_, rows, hours) => {
    expect(newArrival(rows, NOW)?.arrivedAt ?? null).toBe(hours === null ? null : NOW + hours * HOUR)
  })

  test.each([
    ['it was handed over', { delivery: HANDED_OVER }, { delivery: DELIVERED }, true],
    ['it was known', { delivery: DELIVERED }, { delivery: DELIVERED }, false],
    ['the device sees it for the first time', undefined, { delivery: DELIVERED }, false],
    ['nothing was known of a delivery', { delivery: null }, { delivery: DELIVERED }, false],
    ['it is under way', { delivery: HANDED_OVER }, { delivery: HANDED_OVER }, false],
    ['nothing is known of it', {}, {}, false],
  ])('%s', (_, before, after, expected) => {
    expect(hasArrived(before, after)).toBe(expected)
  })
})
