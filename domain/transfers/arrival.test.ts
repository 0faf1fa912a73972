import { describe, expect, test } from 'vitest'
import { HOUR } from '../common/duration.ts'
import { estimateArrival, findDueArrival, findNewArrival, hasArrived } from './arrival.ts'
import { ARRIVED_DELIVERY, HANDED_OVER_DELIVERY } from './transaction.samples.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

test('expects money to arrive one hour after it was sent @spec-arrival', () => {
  expect(estimateArrival(NOW)).toBe(NOW + HOUR)
  expect(estimateArrival(NOW, null)).toBe(NOW + HOUR)
})

test('expects a promised transfer to arrive at the end of its promise', () => {
  expect(estimateArrival(NOW, 15)).toBe(NOW + HOUR / 4)
  expect(estimateArrival(NOW, 24 * 60)).toBe(NOW + 24 * HOUR)
})

describe('findDueArrival', () => {
  const row = (hours: number, status = 'completed', type: 'sent' | 'received' = 'sent') => ({
    type,
    status,
    estimatedArrival: NOW + hours * HOUR,
  })

  test.each([
    ['nothing, without transfers', [], -48, null, null],
    ['a transfer whose time has come', [row(-1)], -48, -1, null],
    ['a transfer expected at this moment', [row(0)], -48, 0, null],
    ['none before its time', [row(1)], -48, null, 1],
    ['the earliest of several', [row(-1), row(2), row(-3), row(1)], -48, -3, 1],
    ['none that was announced before', [row(-1), row(-3)], -3, -1, null],
    ['none if all are announced', [row(-1), row(-3)], -1, null, null],
    ['none after a day', [row(-24), row(-25)], -48, null, null],
    ['a transfer that is on its way', [row(-1, 'processing')], -48, -1, null],
    [
      'none that the user received',
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
  ])('finds the expected transfer to announce: %s', (_, rows, toldUntil, due, nextAt) => {
    const at = (hours: number | null) => (hours === null ? null : NOW + hours * HOUR)
    const found = findDueArrival(rows, NOW + toldUntil * HOUR, NOW)
    expect([found.due?.estimatedArrival ?? null, found.nextAt]).toEqual([at(due), at(nextAt)])
  })
})

test.each([
  ['handedOver', true],
  // In these stages, more is known than the expected time.
  ['ordered', false],
  ['delivered', false],
  ['failed', false],
  ['canceled', false],
  ['paidBack', false],
] as const)('announces the expected arrival of a delivery in stage %s: %s', (stage, isAnnounced) => {
  const delivery = { ...HANDED_OVER_DELIVERY, stage }
  const row = { type: 'sent', status: 'completed', estimatedArrival: NOW, delivery } as const
  expect(findDueArrival([row], NOW - HOUR, NOW).due === row).toBe(isAnnounced)
  expect(findDueArrival([row], NOW - HOUR, NOW - 1).nextAt).toBe(isAnnounced ? NOW : null)
})

test('does not announce a promised arrival without confirmation', () => {
  const row = {
    type: 'sent',
    status: 'completed',
    estimatedArrival: NOW,
    delivery: HANDED_OVER_DELIVERY,
  } as const
  expect(findDueArrival([{ ...row, promisedMinutes: 15 }], NOW - HOUR, NOW)).toEqual({
    due: null,
    nextAt: null,
  })
  expect(findDueArrival([{ ...row, promisedMinutes: null }], NOW - HOUR, NOW).due).not.toBeNull()
})

describe('confirmed arrivals', () => {
  const row = (hours: number, arrivedSince?: boolean) => ({
    delivery: { ...ARRIVED_DELIVERY, deliveredAt: NOW + hours * HOUR },
    ...(arrivedSince !== undefined && { arrivedSince }),
  })

  test.each([
    ['nothing, without transfers', [], null],
    ['an arrival new to the device', [row(-1, true)], -1],
    ['no arrival that the device knew already', [row(-1)], null],
    ['no arrival that was announced', [row(-1, false)], null],
    ['the earliest of several', [row(-1, true), row(-3, true), row(-2, true)], -3],
    ['an arrival of almost a week ago', [row(-7 * 24 + 1, true)], -7 * 24 + 1],
    ['no arrival of a week ago', [row(-7 * 24, true)], null],
  ])('finds the confirmed arrival to announce: %s', (_, rows, hours) => {
    expect(findNewArrival(rows, NOW)?.arrivedAt ?? null).toBe(hours === null ? null : NOW + hours * HOUR)
  })

  test.each([
    ['it was handed over', { delivery: HANDED_OVER_DELIVERY }, { delivery: ARRIVED_DELIVERY }, true],
    ['it was known', { delivery: ARRIVED_DELIVERY }, { delivery: ARRIVED_DELIVERY }, false],
    ['the device sees it for the first time', undefined, { delivery: ARRIVED_DELIVERY }, false],
    ['nothing was known of a delivery', { delivery: null }, { delivery: ARRIVED_DELIVERY }, false],
    ['it is under way', { delivery: HANDED_OVER_DELIVERY }, { delivery: HANDED_OVER_DELIVERY }, false],
    ['nothing is known of it', {}, {}, false],
  ])('detects an arrival between two versions of a transfer: %s', (_, before, after, expected) => {
    expect(hasArrived(before, after)).toBe(expected)
  })
})
