import { expect, test } from 'vitest'
import {
  asOfText,
  EVERYTHING,
  type HistoryFilter,
  historyMatcher,
  isNarrow,
  monthHeading,
  startsMonth,
} from './history.ts'
import type { Status } from './status.ts'
import { HANDED_OVER, SENT } from './transaction.samples.ts'
import type { Transaction } from './transaction.ts'

process.env.TZ = 'Europe/Paris'

const ROW: Transaction = { ...SENT, recipientPhone: '+33612345678', status: 'succeeded' }

const finds = (text: string, status: Status | 'all' = 'all', row: Transaction = ROW) =>
  historyMatcher({ ...EVERYTHING, text, status }, (phone) =>
    phone === ROW.recipientPhone ? 'Aïssatou Bâ' : undefined,
  )(row)

test.each([
  // Nothing that is looked for is everything.
  '',
  '  ',
  // Names.
  'Aïssatou',
  'aissatou ba',
  'BÂ aïs',
  // Numbers, however grouped.
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
  // The number of the transfer.
  'pi_3QxYz',
  '3qxyza1b',
])('%j is found', (text) => {
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
])('%j is not found', (text) => {
  expect(finds(text)).toBe(false)
})

test('a number of zeros is looked for as it is typed', () => {
  expect(finds('00 00 00', 'all', { ...ROW, recipientPhone: '+224620000000' })).toBe(true)
  expect(finds('00 00 00', 'all', { ...ROW, recipientPhone: '+224620000123' })).toBe(false)
})

test.each([
  ['all', true],
  ['completed', true],
  ['pending', false],
  ['unknown', false],
] as const)('status %s', (status, isFound) => {
  expect(finds('', status)).toBe(isFound)
  expect(finds('150', status)).toBe(isFound)
})

test.each([
  ['ordered', ['all', 'onItsWay']],
  ['handedOver', ['all', 'onItsWay']],
  ['delivered', ['all', 'arrived']],
  ['failed', ['all']],
  ['paidBack', ['all']],
  [null, ['all']],
] as const)('one whose delivery is %s is found by %j', (stage, found) => {
  const row = { ...ROW, delivery: stage && { ...HANDED_OVER, stage } }
  const isFound = (delivery: HistoryFilter['delivery']) =>
    historyMatcher({ ...EVERYTHING, delivery }, () => undefined)(row)
  expect((['all', 'onItsWay', 'arrived'] as const).filter(isFound)).toEqual(found)
})

test.each([
  [{ text: ' ' }, false],
  [{ text: 'a' }, true],
  [{ status: 'failed' }, true],
  [{ delivery: 'arrived' }, true],
] as const)('%j leaves something out: %s', (filter, expected) => {
  expect(isNarrow({ ...EVERYTHING, ...filter })).toBe(expected)
})

test('months begin at midnight where the device is, as the dates of the rows do', () => {
  const at = (iso: string) => ({ ...ROW, createdAt: Date.parse(iso) })
  const rows = [
    at('2026-12-01T08:00:00Z'),
    at('2026-11-30T23:30:00Z'),
    at('2026-11-30T22:30:00Z'),
    at('2026-11-01T00:00:00Z'),
    at('2025-11-30T12:00:00Z'),
  ]
  expect(rows.map((_, index) => startsMonth(rows, index))).toEqual([true, false, true, false, true])
  expect(startsMonth(rows, 5)).toBe(false)
  expect(monthHeading(Date.parse('2026-11-30T23:30:00Z'), 'fr')).toBe('décembre 2026')
  expect(monthHeading(Date.parse('2026-11-30T22:30:00Z'), 'en')).toBe('November 2026')
})

test.each([
  ['2026-11-20T13:32:00Z', 'fr', { isToday: true, text: '14:32' }],
  ['2026-11-19T23:05:00Z', 'en', { isToday: true, text: '00:05' }],
  ['2026-11-19T22:59:00Z', 'fr', { isToday: false, text: '19 novembre 2026 à 23:59' }],
  ['2026-11-19T13:32:00Z', 'en', { isToday: false, text: '19 November 2026 at 14:32' }],
] as const)('rows of %s in %s', (iso, language, expected) => {
  expect(asOfText(Date.parse(iso), Date.parse('2026-11-20T20:00:00Z'), language)).toEqual(expected)
})
