import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WireFields, WireValue } from '../wire.ts'
import { createNames } from './names.ts'
import { type Comparison, createQueries, type Filter, type Order, type Query } from './query.ts'

const names = createNames('p')
const queries = createQueries(names)

// The model: plain data, and what a reader of Firestore's documentation would write down for it.

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
const typeOf = (plain: Plain) => TYPES.indexOf(plain === null ? 'null' : typeof plain)
const order = (x: Plain, y: Plain) =>
  typeOf(x) - typeOf(y) ||
  (Object.is(x, y) || x === null || y === null ? 0 : Number.isNaN(x) || x < y ? -1 : 1)

interface Condition {
  readonly field: 'a' | 'b'
  readonly op: '<' | '<=' | '>' | '>=' | '==' | '!=' | 'in' | 'not-in'
  readonly operand: Plain
  readonly operands: readonly Plain[]
}

const OPS = {
  '<': 'LESS_THAN',
  '<=': 'LESS_THAN_OR_EQUAL',
  '>': 'GREATER_THAN',
  '>=': 'GREATER_THAN_OR_EQUAL',
  '==': 'EQUAL',
  '!=': 'NOT_EQUAL',
  in: 'IN',
  'not-in': 'NOT_IN',
} as const

function holds({ field, op, operand, operands }: Condition, row: Row): boolean {
  const value = row[field]
  if (value === undefined) return false
  const is = (other: Plain) => Object.is(value, other)
  const isRanged =
    typeOf(value) === typeOf(operand) && [value, operand].every((one) => one !== null && !Number.isNaN(one))
  switch (op) {
    case '==':
      return is(operand)
    case '!=':
      return value !== null && !is(operand)
    case 'in':
      return value !== null && !Number.isNaN(value) && operands.some(is)
    case 'not-in':
      return value !== null && !operands.includes(null) && !operands.some(is)
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

const filterOf = ({ field, op, operand, operands }: Condition): Filter => ({
  kind: 'field',
  path: [field],
  op: OPS[op],
  value: op.endsWith('in') ? { arrayValue: { values: operands.map(wire) } } : wire(operand),
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
  op: fc.constantFrom('<', '<=', '>', '>=', '==', '!=', 'in', 'not-in'),
  operand: plain,
  operands: fc.array(plain, { minLength: 1, maxLength: 3 }),
})
const asked = fc.record({
  groups: fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
  orders: fc.uniqueArray(
    fc.record({ field: fc.constantFrom('a' as const, 'b' as const), isDescending: fc.boolean() }),
    { selector: ({ field }) => field, maxLength: 2 },
  ),
  cursor: fc.option(fc.record({ value: plain, isBefore: fc.boolean(), isStart: fc.boolean() })),
  offset: fc.nat(3),
  limit: fc.option(fc.nat(5)),
})

test('a query finds what filtering, sorting and cutting plain data finds', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 12 }),
      asked,
      (rows, { groups, orders, cursor, offset, limit }) => {
        const table: Row[] = rows.map((one, i) => ({ ...one, id: `d${String(i).padStart(2, '0')}` }))

        const isInequality = ({ op }: Condition) => op !== '==' && op !== 'in'
        const implied = groups
          .flat()
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
          return usedCursor.isStart
            ? difference > 0 || (difference === 0 && usedCursor.isBefore)
            : difference < 0 || (difference === 0 && !usedCursor.isBefore)
        }
        const expected = table
          .filter(
            (one) => groups.length === 0 || groups.some((group) => group.every((each) => holds(each, one))),
          )
          .filter((one) => full.every(({ field }) => one[field] !== undefined))
          .filter(isInside)
          .sort(compare)
          .map(({ id }) => id)
          .slice(offset, limit === null ? undefined : offset + limit)

        const position = usedCursor && { values: [wire(usedCursor.value)], before: usedCursor.isBefore }
        const query: Query = {
          collection: 'rows',
          where:
            groups.length === 0
              ? null
              : {
                  kind: 'OR',
                  filters: groups.map((group) => ({ kind: 'AND', filters: group.map(filterOf) })),
                },
          orderBy: orders.map(
            (one): Order => ({ path: [one.field], direction: one.isDescending ? 'DESCENDING' : 'ASCENDING' }),
          ),
          startAt: usedCursor?.isStart ? position : null,
          endAt: usedCursor && !usedCursor.isStart ? position : null,
          offset,
          limit,
          select: null,
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
        const { found } = queries.run(query, documents)
        expect(found.map(({ path }) => path.slice('rows/'.length))).toEqual(expected)
      },
    ),
    { numRuns: 1000 },
  )
})

const QUERY: Query = {
  collection: 'rows',
  where: null,
  orderBy: [],
  startAt: null,
  endAt: null,
  offset: 0,
  limit: null,
  select: null,
}
const stored = (fields: WireFields) => ({ fields, createTime: '', updateTime: '' })

test('a collection is its own documents, not those below them or of a namesake', () => {
  const documents = new Map(
    ['rows/a', 'rows/a/rows/b', 'other/a/rows/c', 'rowsandmore/d'].map((path) => [path, stored({})]),
  )
  const paths = (collection: string) =>
    queries.run({ ...QUERY, collection }, documents).found.map(({ path }) => path)
  expect(paths('rows')).toEqual(['rows/a'])
  expect(paths('rows/a/rows')).toEqual(['rows/a/rows/b'])
})

test('arrays are searched for one element, or for any of some', () => {
  const list = (...texts: string[]) => ({
    arrayValue: { values: texts.map((stringValue) => ({ stringValue })) },
  })
  const documents = new Map([
    ['rows/a', stored({ tags: list('x', 'y') })],
    ['rows/b', stored({ tags: list('z') })],
    ['rows/c', stored({ tags: { stringValue: 'x' } })],
  ])
  const search = (op: 'ARRAY_CONTAINS' | 'ARRAY_CONTAINS_ANY', value: WireValue) =>
    queries
      .run({ ...QUERY, where: { kind: 'field', path: ['tags'], op, value } }, documents)
      .found.map(({ path }) => path)
  expect(search('ARRAY_CONTAINS', { stringValue: 'x' })).toEqual(['rows/a'])
  expect(search('ARRAY_CONTAINS_ANY', list('z', 'y'))).toEqual(['rows/a', 'rows/b'])
})

test('a list of conditions finds neither null nor NaN, in a field or in an array', () => {
  const nothing: WireValue = { nullValue: null }
  const nan: WireValue = { doubleValue: 'NaN' }
  const x: WireValue = { stringValue: 'x' }
  const documents = new Map([
    ['rows/a', stored({ one: nothing, tags: { arrayValue: { values: [nothing, nan] } } })],
    ['rows/b', stored({ one: nan, tags: { arrayValue: { values: [nan, x] } } })],
    ['rows/c', stored({ one: x, tags: { arrayValue: { values: [] } } })],
  ])
  const search = (path: string, op: Comparison, value: WireValue) =>
    queries
      .run({ ...QUERY, where: { kind: 'field', path: [path], op, value } }, documents)
      .found.map((found) => found.path)
  const all = { arrayValue: { values: [nothing, nan, x] } }
  expect(search('one', 'IN', all)).toEqual(['rows/c'])
  expect(search('tags', 'ARRAY_CONTAINS_ANY', all)).toEqual(['rows/b'])
  expect(search('tags', 'ARRAY_CONTAINS', nothing)).toEqual([])
  expect(search('tags', 'ARRAY_CONTAINS', nan)).toEqual([])
  expect(search('one', 'EQUAL', nan)).toEqual(['rows/b'])
})

test('what a query pins is what every alternative of it demands', () => {
  const equal = (field: string, text: string): Filter => ({
    kind: 'field',
    path: field.split('.'),
    op: 'EQUAL',
    value: { stringValue: text },
  })
  const where: Filter = {
    kind: 'AND',
    filters: [
      equal('owner', 'ana'),
      equal('map.inner', 'x'),
      { kind: 'OR', filters: [equal('a', '1'), equal('b', '2')] },
      { kind: 'field', path: ['n'], op: 'GREATER_THAN', value: { integerValue: '1' } },
      { kind: 'field', path: ['__name__'], op: 'EQUAL', value: { referenceValue: names.nameOf('rows/r1') } },
    ],
  }
  expect(queries.pinned({ ...QUERY, where })).toEqual({ id: 'r1', fields: { owner: { stringValue: 'ana' } } })
})
