import * as v from 'valibot'
import { expect, test } from 'vitest'
import { day, finiteNumber, integer, legacyString, uuid, ValidationError } from './schema.ts'

const placeSchema = v.object({
  name: v.string(),
  at: v.object({ x: finiteNumber, y: v.nullish(integer, null) }),
  visits: v.array(v.object({ on: day, by: uuid })),
})
const ID = '1124d4a0-93b2-4c1e-8f00-5b6c7d8e9f01'
const TOWN = { name: 'Conakry', at: { x: 1.5, y: 2 }, visits: [{ on: '2026-11-28', by: ID }] }

function findProblem(value: unknown): ValidationError | null {
  const parsed = v.safeParse(placeSchema, value)
  return parsed.success ? null : new ValidationError(parsed.issues)
}

test('schemas convert a missing field to null and drop unknown fields', () => {
  expect(v.parse(placeSchema, { ...TOWN, at: { x: 1.5, z: 3 }, population: 3 })).toEqual({
    ...TOWN,
    at: { x: 1.5, y: null },
  })
})

test.each([
  ['', null],
  ['name', { ...TOWN, name: 7 }],
  ['name', { ...TOWN, name: undefined }],
  ['at', { ...TOWN, at: undefined }],
  ['at.x', { ...TOWN, at: { x: '1.25' } }],
  ['at.y', { ...TOWN, at: { x: 1, y: 1.5 } }],
  ['visits.1.on', { ...TOWN, visits: [...TOWN.visits, { on: 'secret', by: ID }] }],
])('a ValidationError names the field ’%s’ without its value', (path, value) => {
  expect(findProblem(value)).toMatchObject({ path, message: path, reason: 'is not valid' })
})

test('a ValidationError has the reason of a schema with its own message', () => {
  expect(findProblem({ ...TOWN, visits: [{ on: '2026-11-28', by: 'secret' }] })).toMatchObject({
    path: 'visits.0.by',
    reason: 'must be a UUID',
  })
})

test('a ValidationError of a document names its collection', () => {
  const { issues } = v.safeParse(placeSchema, { ...TOWN, name: 'x', at: 7 })
  expect(issues && new ValidationError(issues, 'places').message).toBe('places: at')
})

test.each([
  ['a finite number', finiteNumber, [0, -1.5], ['1', Number.NaN, Number.POSITIVE_INFINITY]],
  ['a safe integer', integer, [0, -7, Number.MAX_SAFE_INTEGER], [1.5, 2 ** 53, '1', null]],
  [
    'a day',
    day,
    ['2024-02-29', '2026-12-31'],
    ['2026-02-29', '2026-2-1', 'x2026-12-31', '2026-12-311', 'YYYY-12-31'],
  ],
  ['a UUID', uuid, [ID], [`x${ID}`, `${ID}2`, ID.replaceAll('-', ''), ID.replace('a', 'g')]],
  ['a string that may be of a former list', legacyString<'new'>(), ['new', 'old'], [7, null, undefined]],
] as readonly (readonly [string, v.GenericSchema, readonly unknown[], readonly unknown[]])[])(
  'the schema accepts %s and nothing else',
  (_, schema, valid, invalid) => {
    for (const value of valid) expect(v.parse(schema, value)).toBe(value)
    for (const value of invalid) expect(v.is(schema, value), String(value)).toBe(false)
  },
)

test('the schema of a UUID returns it in lower case', () => {
  expect(v.parse(uuid, ID.toUpperCase())).toBe(ID)
})
