import { describe, expect, test } from 'vitest'
import {
  array,
  fallback,
  integer,
  nullable,
  number,
  object,
  optional,
  parseOrNull,
  picklist,
  record,
  type Schema,
  string,
  ValidationError,
} from './schema.ts'

const place: Schema<unknown> = object({
  name: string,
  at: object({ x: number, y: nullable(integer) }),
  kind: picklist('town', 'village'),
  note: fallback(string, null),
})
const TOWN = { name: 'Conakry', at: { x: 1.5, y: 2 }, kind: 'town', note: 'by the sea' }

describe('a schema', () => {
  test('returns its fields and leaves out others', () => {
    expect(place({ ...TOWN, population: 3, at: { ...TOWN.at, z: 3 } })).toEqual(TOWN)
  })

  test.each([
    ['null', { at: { x: 1, y: null } }, { at: { x: 1, y: null } }],
    ['nothing', { at: { x: 1 } }, { at: { x: 1, y: null } }],
    ['something else, where that does not matter', { note: 7 }, { note: null }],
  ])('reads null from %s', (_, change, expected) => {
    expect(place({ ...TOWN, ...change })).toEqual({ ...TOWN, ...expected })
  })

  test.each([
    ['', null],
    ['', 'a text'],
    ['name', [TOWN]],
    ['name', { ...TOWN, name: 7 }],
    ['kind', { ...TOWN, kind: 'city' }],
    ['at', { ...TOWN, at: undefined }],
    ['at.x', { ...TOWN, at: { x: '1' } }],
    ['at.x', { ...TOWN, at: { x: Number.NaN } }],
    ['at.x', { ...TOWN, at: { x: Number.POSITIVE_INFINITY } }],
    ['at.y', { ...TOWN, at: { x: 1, y: 1.5 } }],
  ])("names the field that is not valid: '%s'", (where, value) => {
    expect(() => place(value)).toThrow(new ValidationError(where))
    expect(parseOrNull(place, value)).toBe(null)
  })

  test('parses arrays, records and optional fields', () => {
    const region = object({ towns: array(string), people: record(integer), capital: optional(string) })
    const known = { towns: ['Kindia', 'Coyah'], people: { Kindia: 439_614, Coyah: 77_103 } }
    expect(region(known)).toEqual(known)
    expect(region({ ...known, capital: 'Kindia' })).toEqual({ ...known, capital: 'Kindia' })
    for (const [where, change] of [
      ['towns', { towns: 'Kindia' }],
      ['towns', { towns: ['Kindia', 7] }],
      ['people', { people: 7 }],
      ['people', { people: null }],
      ['people', { people: { Kindia: 'many' } }],
      ['capital', { capital: null }],
    ] as const)
      expect(() => region({ ...known, ...change })).toThrow(new ValidationError(where))
  })

  test('reads no field of the prototype', () => {
    expect(parseOrNull(object({ constructor: (value: unknown) => value ?? 'none' }), {})).toEqual({
      constructor: 'none',
    })
  })

  test('passes on errors that are not about the value', () => {
    const broken: Schema<never> = () => {
      throw new RangeError('broken')
    }
    expect(() => parseOrNull(object({ name: broken }), {})).toThrow(RangeError)
  })
})
