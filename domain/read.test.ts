import { describe, expect, test } from 'vitest'
import {
  elseNull,
  fitting,
  integer,
  listOf,
  Misfit,
  number,
  object,
  oneOf,
  optional,
  orNull,
  type Reader,
  text,
  valuesOf,
} from './read.ts'

const place: Reader<unknown> = object({
  name: text,
  at: object({ x: number, y: orNull(integer) }),
  kind: oneOf('town', 'village'),
  note: elseNull(text),
})
const TOWN = { name: 'Conakry', at: { x: 1.5, y: 2 }, kind: 'town', note: 'by the sea' }

describe('a reader', () => {
  test('takes what it has to be, and leaves out what else is there', () => {
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
  ])("says where something else stands: '%s'", (where, value) => {
    expect(() => place(value)).toThrow(new Misfit(where))
    expect(fitting(place, value)).toBe(null)
  })

  test('takes each of a list, each of many names, and leaves out what may be left out', () => {
    const region = object({ towns: listOf(text), people: valuesOf(integer), capital: optional(text) })
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
      expect(() => region({ ...known, ...change })).toThrow(new Misfit(where))
  })

  test('takes no field from what every object has', () => {
    expect(fitting(object({ constructor: (value) => value ?? 'none' }), {})).toEqual({ constructor: 'none' })
  })

  test('passes on what is no misfit', () => {
    const broken: Reader<never> = () => {
      throw new RangeError('broken')
    }
    expect(() => fitting(object({ name: broken }), {})).toThrow(RangeError)
  })
})
