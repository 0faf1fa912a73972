import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WireValue } from '../wire.ts'
import { shortenTimestamp } from './time.ts'
import { areIdenticalFields, compareText, compareValues, parseValue, toPlainFields } from './values.ts'

/** In Firestore's documented order; values in the same list are equal. */
const ASCENDING: readonly (readonly WireValue[])[] = [
  [{ nullValue: null }],
  [{ booleanValue: false }],
  [{ booleanValue: true }],
  [{ doubleValue: 'NaN' }],
  [{ doubleValue: '-Infinity' }],
  [{ integerValue: '-9223372036854775808' }, { doubleValue: -(2 ** 63) }],
  [{ doubleValue: -0.5 }],
  [{ integerValue: '0' }, { doubleValue: 0 }, { doubleValue: -0 }],
  [{ integerValue: '1' }, { doubleValue: 1 }],
  [{ doubleValue: 1.5 }],
  [{ integerValue: '9007199254740992' }, { doubleValue: 2 ** 53 }],
  [{ integerValue: '9007199254740993' }],
  [{ doubleValue: 'Infinity' }],
  [{ timestampValue: '2026-01-01T00:00:00Z' }],
  [{ timestampValue: '2026-01-01T00:00:00.000001Z' }],
  [{ timestampValue: '2026-01-01T00:00:00.100Z' }],
  [{ stringValue: '' }],
  [{ stringValue: 'Z' }],
  [{ stringValue: 'a' }],
  [{ stringValue: 'ab' }],
  [{ stringValue: 'é' }],
  [{ stringValue: '\uffee' }],
  [{ stringValue: '🌍' }],
  [{ referenceValue: 'projects/p/databases/(default)/documents/a/b' }],
  [{ referenceValue: 'projects/p/databases/(default)/documents/a/b/c/d' }],
  [{ referenceValue: 'projects/p/databases/(default)/documents/a/b!' }],
  [{ arrayValue: {} }, { arrayValue: { values: [] } }],
  [{ arrayValue: { values: [{ integerValue: '1' }] } }],
  [{ arrayValue: { values: [{ integerValue: '1' }, { nullValue: null }] } }],
  [{ arrayValue: { values: [{ integerValue: '2' }] } }],
  [{ mapValue: {} }],
  [{ mapValue: { fields: { a: { integerValue: '1' } } } }],
  [{ mapValue: { fields: { b: { integerValue: '1' }, a: { integerValue: '1' } } } }],
  [{ mapValue: { fields: { a: { integerValue: '2' } } } }],
  [{ mapValue: { fields: { b: { nullValue: null } } } }],
]

describe('comparing values', () => {
  const ranked = ASCENDING.flatMap((values, rank) => values.map((value) => ({ value, rank })))

  test('values of all types sort in the documented order', () => {
    for (const a of ranked)
      for (const b of ranked)
        expect([Math.sign(compareValues(a.value, b.value)), a.value, b.value]).toEqual([
          Math.sign(a.rank - b.rank),
          a.value,
          b.value,
        ])
  })

  test('strings sort by their UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
    )
  })
})

describe('parsing values', () => {
  test.each<[unknown, WireValue]>([
    [{ nullValue: 0 }, { nullValue: null }],
    [{ nullValue: 'NULL_VALUE' }, { nullValue: null }],
    [{ integerValue: 7 }, { integerValue: '7' }],
    [{ integerValue: '-0' }, { integerValue: '0' }],
    [
      { timestampValue: '2026-01-31T12:00:00.123456789+02:00' },
      { timestampValue: '2026-01-31T10:00:00.123456Z' },
    ],
    [{ timestampValue: '2026-01-31T12:00:00.500000000Z' }, { timestampValue: '2026-01-31T12:00:00.500Z' }],
    [{ arrayValue: {} }, { arrayValue: { values: [] } }],
    [{ mapValue: {} }, { mapValue: { fields: {} } }],
  ])('normalizes the JSON value %j to %j', (json, value) => {
    expect(parseValue(json)).toEqual(value)
  })

  test.each([
    null,
    {},
    'text',
    { stringValue: 1 },
    { booleanValue: 'true' },
    { integerValue: '1.5' },
    { integerValue: '9223372036854775808' },
    { timestampValue: 'yesterday' },
    { unheardOfValue: 1 },
    { stringValue: 'a', integerValue: '1' },
    { arrayValue: { values: [{ arrayValue: {} }] } },
    { mapValue: { fields: { __reserved__: { nullValue: null } } } },
    { mapValue: { fields: { '': { nullValue: null } } } },
  ])('refuses %j as the JSON of a Firestore value', (json) => {
    expect(() => parseValue(json)).toThrow(expect.objectContaining({ status: 'INVALID_ARGUMENT' }))
  })
})

test('field order never matters to identity, but 1 differs from 1.0', () => {
  const [one, two]: WireValue[] = [{ integerValue: '1' }, { stringValue: 'b' }]
  expect(
    areIdenticalFields(
      { a: one as WireValue, b: two as WireValue },
      { b: two as WireValue, a: one as WireValue },
    ),
  ).toBe(true)
  expect(areIdenticalFields({ a: { integerValue: '1' } }, { a: { doubleValue: 1 } })).toBe(false)
})

test('converts the fields of a document to plain data', () => {
  expect(
    toPlainFields({
      a: { integerValue: '1' },
      b: {
        arrayValue: {
          values: [{ doubleValue: 'NaN' }, { mapValue: { fields: { c: { nullValue: null } } } }],
        },
      },
      d: { timestampValue: '2026-01-01T00:00:00Z' },
    }),
  ).toEqual({ a: 1, b: [Number.NaN, { c: null }], d: '2026-01-01T00:00:00Z' })
})

test.each([
  ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ['2026-01-01T00:00:10.000000Z', '2026-01-01T00:00:10Z'],
  ['2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.100Z'],
  ['2026-01-01T00:00:00.000001999Z', '2026-01-01T00:00:00.000001Z'],
  ['2026-13-01T00:00:00Z', null],
  ['2026-01-01', null],
])('shortens the timestamp %s to %s', (text, written) => {
  expect(shortenTimestamp(text)).toBe(written)
})
