import { expect, test } from 'vitest'
import { MINUTE } from '../common/duration.ts'
import { money } from '../money/money.ts'
import {
  DUPLICATE_PERIOD,
  findDuplicate,
  listRecentTransfers,
  type RecentTransfer,
} from './recentTransfers.ts'
import { SENT_TRANSFER } from './transaction.samples.ts'

const NOW = Date.UTC(2026, 10, 20, 14, 30)
const PHONE = '+224620000000'
const transfer = { phone: PHONE, gross: money(15_000, 'EUR') }
const sent = (change: Partial<RecentTransfer> = {}): RecentTransfer => ({
  id: 'pi_1',
  phone: PHONE,
  gross: money(15_000, 'EUR'),
  at: NOW - 3 * MINUTE,
  isPaid: true,
  ...change,
})

test.each<[string, Partial<RecentTransfer>, boolean]>([
  ['the same, just now', { at: NOW }, true],
  ['the same, three minutes ago', {}, true],
  ['the same, open in another tab', { isPaid: false }, true],
  ['the same, open for an hour', { isPaid: false, at: NOW - 6 * DUPLICATE_PERIOD }, true],
  ['the same, ten minutes ago', { at: NOW - DUPLICATE_PERIOD }, true],
  ['the same, more than ten minutes ago', { at: NOW - DUPLICATE_PERIOD - 1 }, false],
  ['the same, by a clock that is ahead', { at: NOW + 2 * MINUTE }, true],
  ['the same, by a clock that is wrong', { at: NOW + 11 * MINUTE }, false],
  ['another number', { phone: '+224620000001' }, false],
  ['another amount', { gross: money(15_001, 'EUR') }, false],
  ['another currency', { gross: money(15_000, 'CAD') }, false],
])('recognizes a transfer as a duplicate of a recent one: %s', (_, change, isDuplicate) => {
  expect(findDuplicate(transfer, [sent(change)], NOW)).toEqual(isDuplicate ? sent(change) : null)
})

test('finds the newest of several duplicate transfers', () => {
  const newest = sent({ id: 'pi_2', at: NOW - MINUTE })
  expect(findDuplicate(transfer, [sent(), newest, sent({ id: 'pi_3' })], NOW)).toEqual(newest)
  expect(findDuplicate(transfer, [], NOW)).toBe(null)
})

test('recent transfers include paid transfers and open attempts', () => {
  const attempt = { id: 'a1', order: transfer, begunAt: NOW }
  const settledAt = SENT_TRANSFER.createdAt + 25 * MINUTE
  const rows = [
    { ...SENT_TRANSFER, settledAt },
    { ...SENT_TRANSFER, status: 'failed' },
    { ...SENT_TRANSFER, status: 'canceled' },
    { ...SENT_TRANSFER, type: 'received' as const },
  ]
  expect(listRecentTransfers(rows, [attempt])).toEqual([
    { id: SENT_TRANSFER.id, phone: PHONE, gross: money(15_000, 'EUR'), at: settledAt, isPaid: true },
    { id: 'a1', phone: PHONE, gross: money(15_000, 'EUR'), at: NOW, isPaid: false },
  ])
})
