import { beforeEach, expect, test, vi } from 'vitest'
import { MINUTE } from '../common/duration.ts'
import type { Status } from '../transfers/status.ts'
import { HANDED_OVER_DELIVERY, SENT_TRANSFER } from '../transfers/transaction.samples.ts'
import type { Transaction } from '../transfers/transaction.ts'
import {
  createHistoryMatcher,
  formatMonthHeading,
  formatTimeOrDate,
  type HistoryFilter,
  isFilterActive,
  isFirstOfMonth,
  NO_FILTER,
} from './history.ts'

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Paris')
})

const ROW: Transaction = { ...SENT_TRANSFER, recipientPhone: '+33612345678', status: 'succeeded' }

const finds = (text: string, status: Status | 'all' = 'all', row: Transaction = ROW) =>
  createHistoryMatcher({ ...NO_FILTER, text, status }, (phone) =>
    phone === ROW.recipientPhone ? 'Aïssatou Bâ' : undefined,
  )(row)

test.each([
  '',
  '  ',
  // Parts of the name.
  'Aïssatou',
  'aissatou ba',
  'BÂ aïs',
  'aissatou-ba',
  // Parts of the number, in any grouping.
  '+33612345678',
  '+33 6 12',
  '06 12 34 56 78',
  '0033 612345678',
  '06.12.34',
  '345 678',
  '6-12-34',
  '(0)612',
  // Amounts: paid, sent, received.
  '150',
  '150,00',
  '150.00',
  '150,0',
  '150,00 €',
  '145,50',
  '145',
  '€145.5',
  '1 542 300',
  '1\u202f542\u202f300 GNF',
  '1,542,300',
  '1542300',
  '1.542.300',
  // Parts of the transfer number.
  'pi_3QxYz',
  '3qxyza1b',
])('a search of the history for %j finds the transfer', (text) => {
  expect(finds(text)).toBe(true)
})

test.each([
  'Mariama',
  'aissatou bah',
  '+336 99',
  '07 12',
  '15',
  '15,00',
  '150,50',
  '1 542',
  '1542301',
  'pi_9',
  '00',
  '00150',
])('a search of the history for %j does not find the transfer', (text) => {
  expect(finds(text)).toBe(false)
})

test('a search for zeros finds only numbers with as many in sequence', () => {
  expect(finds('00 00 00', 'all', { ...ROW, recipientPhone: '+224620000000' })).toBe(true)
  expect(finds('00 00 00', 'all', { ...ROW, recipientPhone: '+224620000123' })).toBe(false)
})

test.each([
  ['all', true],
  ['completed', true],
  ['pending', false],
  ['unknown', false],
] as const)('the status filter %s matches a completed transfer: %s', (status, isFound) => {
  expect(finds('', status)).toBe(isFound)
  expect(finds('150', status)).toBe(isFound)
})

test.each([
  ['ordered', ['all', 'onItsWay']],
  ['handedOver', ['all', 'onItsWay']],
  ['delivered', ['all', 'arrived']],
  ['failed', ['all']],
  ['canceled', ['all']],
  ['paidBack', ['all']],
  [null, ['all']],
] as const)('a delivery in stage %s matches the delivery filters %j', (stage, found) => {
  const row = { ...ROW, delivery: stage && { ...HANDED_OVER_DELIVERY, stage } }
  const isFound = (delivery: HistoryFilter['delivery']) =>
    createHistoryMatcher({ ...NO_FILTER, delivery }, () => undefined)(row)
  expect((['all', 'onItsWay', 'arrived'] as const).filter(isFound)).toEqual(found)
})

test.each([
  [{ text: ' ' }, false],
  [{ text: 'a' }, true],
  [{ status: 'failed' }, true],
  [{ delivery: 'arrived' }, true],
] as const)('the filter %j of the history is active: %s', (filter, expected) => {
  expect(isFilterActive({ ...NO_FILTER, ...filter })).toBe(expected)
})

test('the history begins each month at midnight in the device’s time zone', () => {
  const at = (iso: string) => ({ ...ROW, createdAt: Date.parse(iso) })
  const rows = [
    at('2026-12-01T08:00:00Z'),
    at('2026-11-30T23:30:00Z'),
    at('2026-11-30T22:30:00Z'),
    at('2026-11-01T00:00:00Z'),
    at('2025-11-30T12:00:00Z'),
  ]
  expect(rows.map((_, index) => isFirstOfMonth(rows, index))).toEqual([true, false, true, false, true])
  expect(isFirstOfMonth(rows, 5)).toBe(false)
  expect(formatMonthHeading(Date.parse('2026-11-30T23:30:00Z'), 'fr')).toBe('décembre 2026')
  expect(formatMonthHeading(Date.parse('2026-11-30T22:30:00Z'), 'en')).toBe('November 2026')
})

test.each([
  ['2026-11-20T13:32:00Z', 'fr', { isToday: true, text: '14:32' }],
  ['2026-11-19T23:05:00Z', 'en', { isToday: true, text: '00:05' }],
  ['2026-11-19T22:59:00Z', 'fr', { isToday: false, text: '19 novembre 2026 à 23:59' }],
  ['2026-11-19T13:32:00Z', 'en', { isToday: false, text: '19 November 2026 at 14:32' }],
] as const)('formats the instant %s of a row in %s as %o', (iso, language, expected) => {
  expect(formatTimeOrDate(Date.parse(iso), Date.parse('2026-11-20T20:00:00Z'), language)).toEqual(expected)
})

test('formats an instant in the device’s present time zone @spec-time-zone', () => {
  const instant = Date.parse('2026-11-20T11:50:00Z')
  const format = () => formatTimeOrDate(instant, instant + MINUTE, 'fr').text
  expect(format()).toBe('12:50')
  vi.stubEnv('TZ', 'America/Toronto')
  expect(format()).toBe('06:50')
  expect(formatMonthHeading(Date.parse('2026-12-01T02:00:00Z'), 'fr')).toBe('novembre 2026')
})
