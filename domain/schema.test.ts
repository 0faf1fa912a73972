import { describe, expect, test } from 'vitest'
import {
  array,
  day,
  fallback,
  integer,
  maxLength,
  nullable,
  number,
  object,
  optional,
  parseOrNull,
  picklist,
  positive,
  record,
  type Schema,
  strictObject,
  string,
  uuid,
  ValidationError,
} from './schema.ts'

const place: Schema<unknown> = object({
  name: string,
  at: object({ x: number, y: nullable(integer) }),
  kind: picklist('town', 'village'),
  note: fallback(string, null),
})
const TOWN = { name: 'Conakry', at: { x: 1.5, y: 2 }, kind: 'town', note: 'by the sea' }

describe('schemas', () => {
  test('a schema returns known fields and drops others', () => {
    expect(place({ ...TOWN, population: 3, at: { ...TOWN.at, z: 3 } })).toEqual(TOWN)
  })

  test.each([
    ['null', { at: { x: 1, y: null } }, { at: { x: 1, y: null } }],
    ['a missing field', { at: { x: 1 } }, { at: { x: 1, y: null } }],
    ['an invalid value with a fallback', { note: 7 }, { note: null }],
  ])('a schema reads null from %s', (_, change, expected) => {
    expect(place({ ...TOWN, ...change })).toEqual({ ...TOWN, ...expected })
  })

  test.each([
    ['', null],
    ['', 'a text'],
    ['', [TOWN]],
    ['at', { ...TOWN, at: [] }],
    ['name', { ...TOWN, name: 7 }],
    ['kind', { ...TOWN, kind: 'city' }],
    ['at', { ...TOWN, at: undefined }],
    ['at.x', { ...TOWN, at: { x: '1' } }],
    ['at.x', { ...TOWN, at: { x: Number.NaN } }],
    ['at.x', { ...TOWN, at: { x: Number.POSITIVE_INFINITY } }],
    ['at.y', { ...TOWN, at: { x: 1, y: 1.5 } }],
  ])('a schema names the invalid field: ’%s’', (where, value) => {
    expect(() => place(value)).toThrow(new ValidationError(where))
    expect(parseOrNull(place, value)).toBe(null)
  })

  test('schemas parse arrays, records and optional fields', () => {
    const region = object({ towns: array(string), people: record(integer), capital: optional(string) })
    const known = { towns: ['Kindia', 'Coyah'], people: { Kindia: 439_614, Coyah: 77_103 } }
    expect(region(known)).toEqual(known)
    expect(region({ ...known, capital: 'Kindia' })).toEqual({ ...known, capital: 'Kindia' })
    for (const [where, change] of [
      ['towns', { towns: 'Kindia' }],
      ['towns', { towns: ['Kindia', 7] }],
      ['people', { people: 7 }],
      ['people', { people: null }],
      ['people', { people: [7] }],
      ['people', { people: { Kindia: 'many' } }],
      ['capital', { capital: null }],
    ] as const)
      expect(() => region({ ...known, ...change })).toThrow(new ValidationError(where))
  })

  test('a schema reads no field of the prototype', () => {
    expect(parseOrNull(object({ constructor: (value: unknown) => value ?? 'none' }), {})).toEqual({
      constructor: 'none',
    })
  })

  test('a schema rethrows errors that are not about the value', () => {
    const broken: Schema<never> = () => {
      throw new RangeError('broken')
    }
    expect(() => parseOrNull(object({ name: broken }), {})).toThrow(RangeError)
  })

  test('a strict object rejects an unknown field', () => {
    const town = strictObject({ name: string, capital: optional(string) })
    expect(town({ name: 'Kindia' })).toEqual({ name: 'Kindia' })
    expect(() => town({ name: 'Kindia', people: 1 })).toThrow(
      new ValidationError('', 'has an unknown field "people"'),
    )
  })

  test.each([
    ['a string of 3', maxLength(3), ['', 'abc'], ['abcd', 3]],
    ['a positive number', positive(integer), [1], [0, -1, 0.5]],
    [
      'a day',
      day,
      ['2024-02-29', '2026-12-31'],
      ['2026-02-29', '2026-2-1', 'x2026-12-31', '2026-12-311', 'YYYY-12-31'],
    ],
    [
      'a UUID',
      uuid,
      ['1124d4a0-93b2-4c1e-8f00-5b6c7d8e9f01'],
      [
        '1124d4a0-93b2-0c1e-8f00-5b6c7d8e9f01',
        '1124d4a0-93b2-4c1e-7f00-5b6c7d8e9f01',
        '1124d4a093b24c1e8f005b6c7d8e9f01',
        'x1124d4a0-93b2-4c1e-8f00-5b6c7d8e9f01',
        '1124d4a0-93b2-4c1e-8f00-5b6c7d8e9f012',
        '1124d4ag-93b2-4c1e-8f00-5b6c7d8e9f01',
      ],
    ],
  ] as readonly (readonly [string, Schema<unknown>, readonly unknown[], readonly unknown[]])[])(
    'the schema accepts %s and nothing else',
    (_, schema, valid, invalid) => {
      for (const value of valid) expect(schema(value)).toBe(value)
      for (const value of invalid) expect(parseOrNull(schema, value), String(value)).toBe(null)
    },
  )

  test('the schema of a UUID returns it in lower case', () => {
    expect(uuid('1124D4A0-93B2-4C1E-8F00-5B6C7D8E9F01')).toBe('1124d4a0-93b2-4c1e-8f00-5b6c7d8e9f01')
  })
})
