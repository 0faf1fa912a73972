import { describe, expect, test } from 'vitest'
import { dueArrival, estimatedArrival } from './arrival.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const HOUR = 3_600_000

test('money is expected one hour after it was sent', () => {
  expect(estimatedArrival(NOW)).toBe(NOW + HOUR)
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
