import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WireFields, WireValue } from '../wire.ts'
import { createResourceNames } from './names.ts'
import { createQueryRunner, type FieldFilter, type FilterOperator, type Order, type Query } from './query.ts'

const names = createResourceNames('p')
const queries = createQueryRunner(names)

// The model: plain data, filtered and sorted as Firestore's documentation describes.

type Plain = null | boolean | number | string
type Row = { readonly id: string } & Partial<Record<'a' | 'b', Plain>>

const wire = (plain: Plain): WireValue =>
  plain === null
    ? { nullValue: null }
    : typeof plain === 'boolean'
      ? { booleanValue: plain }
      : typeof plain === 'string'
        ? { stringValue: plain }
        : Number.isInteger(plain)
          ? { integerValue: String(plain) }
          : { doubleValue: Number.isNaN(plain) ? 'NaN' : plain }

const TYPES = ['null', 'boolean', 'number', 'string']
const getTypeRank = (plain: Plain) => TYPES.indexOf(plain === null ? 'null' : typeof plain)
const order = (x: Plain, y: Plain) =>
  getTypeRank(x) - getTypeRank(y) ||
  (Object.is(x, y) || x === null || y === null ? 0 : Number.isNaN(x) || x < y ? -1 : 1)

interface Condition {
  readonly field: 'a' | 'b'
  readonly op: '<' | '<=' | '>' | '>=' | '==' | 'in'
  readonly operand: Plain
  readonly operands: readonly Plain[]
}

const OPS = {
  '<': 'LESS_THAN',
  '<=': 'LESS_THAN_OR_EQUAL',
  '>': 'GREATER_THAN',
  '>=': 'GREATER_THAN_OR_EQUAL',
  '==': 'EQUAL',
  in: 'IN',
} as const

function holds({ field, op, operand, operands }: Condition, row: Row): boolean {
  const value = row[field]
  if (value === undefined) return false
  const is = (other: Plain) => Object.is(value, other)
  const isRanged =
    getTypeRank(value) === getTypeRank(operand) &&
    [value, operand].every((one) => one !== null && !Number.isNaN(one))
  switch (op) {
    case '==':
      return is(operand)
    case 'in':
      return value !== null && !Number.isNaN(value) && operands.some(is)
    case '<':
      return isRanged && order(value, operand) < 0
    case '<=':
      return isRanged && order(value, operand) <= 0
    case '>':
      return isRanged && order(value, operand) > 0
    case '>=':
      return isRanged && order(value, operand) >= 0
  }
}

const buildFilter = ({ field, op, operand, operands }: Condition): FieldFilter => ({
  path: [field],
  op: OPS[op],
  value: op === 'in' ? { arrayValue: { values: operands.map(wire) } } : wire(operand),
})

const plain = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.constantFrom(-1, 0, 0.5, 1, 2, Number.NaN),
  fc.constantFrom('', 'a', 'b', 'é'),
)
const row = fc.record({ a: plain, b: plain }, { requiredKeys: [] })
const condition: fc.Arbitrary<Condition> = fc.record({
  field: fc.constantFrom('a', 'b'),
  op: fc.constantFrom('<', '<=', '>', '>=', '==', 'in'),
  operand: plain,
  operands: fc.array(plain, { minLength: 1, maxLength: 3 }),
})
const asked = fc.record({
  conditions: fc.array(condition, { maxLength: 2 }),
  orders: fc.uniqueArray(
    fc.record({ field: fc.constantFrom('a' as const, 'b' as const), isDescending: fc.boolean() }),
    { selector: ({ field }) => field, maxLength: 2 },
  ),
  cursor: fc.option(fc.record({ value: plain })),
  limit: fc.option(fc.nat(5)),
})

test('a query equals filtering, sorting and slicing plain data', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), asked, (rows, { conditions, orders, cursor, limit }) => {
      const table: Row[] = rows.map((one, i) => ({ ...one, id: `d${String(i).padStart(2, '0')}` }))

      const isInequality = ({ op }: Condition) => op !== '==' && op !== 'in'
      const implied = conditions
        .filter(isInequality)
        .map(({ field }) => field)
        .sort()
      const isDescending = orders.at(-1)?.isDescending ?? false
      const full = [...orders, ...implied.map((field) => ({ field, isDescending }))].filter(
        (one, i, all) => all.findIndex(({ field }) => field === one.field) === i,
      )
      const compare = (x: Row, y: Row) => {
        for (const one of full) {
          const difference = order(x[one.field] ?? null, y[one.field] ?? null)
          if (difference !== 0) return one.isDescending ? -difference : difference
        }
        return (x.id < y.id ? -1 : 1) * (isDescending ? -1 : 1)
      }
      const first = orders[0]
      const usedCursor = first ? cursor : null
      const isInside = (one: Row) => {
        if (!first || !usedCursor) return true
        const difference = order(one[first.field] ?? null, usedCursor.value) * (first.isDescending ? -1 : 1)
        return difference > 0
      }
      const expected = table
        .filter((one) => conditions.every((each) => holds(each, one)))
        .filter((one) => full.every(({ field }) => one[field] !== undefined))
        .filter(isInside)
        .sort(compare)
        .map(({ id }) => id)
        .slice(0, limit ?? undefined)

      const query: Query = {
        collection: 'rows',
        where: conditions.map(buildFilter),
        orderBy: orders.map(
          (one): Order => ({ path: [one.field], direction: one.isDescending ? 'DESCENDING' : 'ASCENDING' }),
        ),
        startAfter: usedCursor && [wire(usedCursor.value)],
        limit,
      }
      const documents = new Map(
        table.toReversed().map(({ id, ...fields }) => [
          `rows/${id}`,
          {
            fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, wire(value)])),
            createTime: '',
            updateTime: '',
          },
        ]),
      )
      const found = queries.run(query, documents)
      expect(found.map(({ path }) => path.slice('rows/'.length))).toEqual(expected)
    }),
    { numRuns: 1000 },
  )
})

const QUERY: Query = {
  collection: 'rows',
  where: [],
  orderBy: [],
  startAfter: null,
  limit: null,
}
const stored = (fields: WireFields) => ({ fields, createTime: '', updateTime: '' })

test('a query finds documents of its collection only', () => {
  const documents = new Map(
    ['rows/a', 'rows/a/rows/b', 'other/a/rows/c', 'rowsandmore/d'].map((path) => [path, stored({})]),
  )
  const paths = (collection: string) =>
    queries.run({ ...QUERY, collection }, documents).map(({ path }) => path)
  expect(paths('rows')).toEqual(['rows/a'])
  expect(paths('rows/a/rows')).toEqual(['rows/a/rows/b'])
})

test('array filters find lists with one value, or any', () => {
  const list = (...texts: string[]) => ({
    arrayValue: { values: texts.map((stringValue) => ({ stringValue })) },
  })
  const documents = new Map([
    ['rows/a', stored({ tags: list('x', 'y') })],
    ['rows/b', stored({ tags: list('z') })],
    ['rows/c', stored({ tags: { stringValue: 'x' } })],
  ])
  const search = (op: 'ARRAY_CONTAINS' | 'ARRAY_CONTAINS_ANY', value: WireValue) =>
    queries.run({ ...QUERY, where: [{ path: ['tags'], op, value }] }, documents).map(({ path }) => path)
  expect(search('ARRAY_CONTAINS', { stringValue: 'x' })).toEqual(['rows/a'])
  expect(search('ARRAY_CONTAINS_ANY', list('z', 'y'))).toEqual(['rows/a', 'rows/b'])
})

test('list and array filters never find null or NaN', () => {
  const nothing: WireValue = { nullValue: null }
  const nan: WireValue = { doubleValue: 'NaN' }
  const x: WireValue = { stringValue: 'x' }
  const documents = new Map([
    ['rows/a', stored({ one: nothing, tags: { arrayValue: { values: [nothing, nan] } } })],
    ['rows/b', stored({ one: nan, tags: { arrayValue: { values: [nan, x] } } })],
    ['rows/c', stored({ one: x, tags: { arrayValue: { values: [] } } })],
  ])
  const search = (path: string, op: FilterOperator, value: WireValue) =>
    queries.run({ ...QUERY, where: [{ path: [path], op, value }] }, documents).map((found) => found.path)
  const all = { arrayValue: { values: [nothing, nan, x] } }
  expect(search('one', 'IN', all)).toEqual(['rows/c'])
  expect(search('tags', 'ARRAY_CONTAINS_ANY', all)).toEqual(['rows/b'])
  expect(search('tags', 'ARRAY_CONTAINS', nothing)).toEqual([])
  expect(search('tags', 'ARRAY_CONTAINS', nan)).toEqual([])
  expect(search('one', 'EQUAL', nan)).toEqual(['rows/b'])
})

test('equality filters determine top-level values and ID, but no nested fields', () => {
  const equal = (field: string, text: string): FieldFilter => ({
    path: field.split('.'),
    op: 'EQUAL',
    value: { stringValue: text },
  })
  const where: FieldFilter[] = [
    equal('owner', 'ana'),
    equal('map.inner', 'x'),
    { path: ['n'], op: 'GREATER_THAN', value: { integerValue: '1' } },
    { path: ['__name__'], op: 'EQUAL', value: { referenceValue: names.buildName('rows/r1') } },
  ]
  expect(queries.getFixedValues({ ...QUERY, where })).toEqual({
    id: 'r1',
    fields: { owner: { stringValue: 'ana' } },
  })
})
