import type { WireValue } from '../wire.ts'
import { type FieldPath, fieldAt, selectFields } from './fieldPath.ts'
import { lastSegment, type Names, type Path, parentOf } from './names.ts'
import type { Documents, StoredDocument } from './store.ts'
import { areEqual, compareText, compareValues, elementsOf, isNull, isNullOrNaN, typeOrder } from './values.ts'

export type Comparison =
  | 'LESS_THAN'
  | 'LESS_THAN_OR_EQUAL'
  | 'GREATER_THAN'
  | 'GREATER_THAN_OR_EQUAL'
  | 'EQUAL'
  | 'NOT_EQUAL'
  | 'ARRAY_CONTAINS'
  | 'IN'
  | 'ARRAY_CONTAINS_ANY'
  | 'NOT_IN'

export interface FieldFilter {
  readonly kind: 'field'
  readonly path: FieldPath
  readonly op: Comparison
  readonly value: WireValue
}

export type Filter = FieldFilter | { readonly kind: 'AND' | 'OR'; readonly filters: readonly Filter[] }

export interface Order {
  readonly path: FieldPath
  readonly direction: 'ASCENDING' | 'DESCENDING'
}

export interface Cursor {
  /** For the first fields of the order. */
  readonly values: readonly WireValue[]
  /** Whether it stands before the documents that are equal to it, or after them. */
  readonly before: boolean
}

export interface Query {
  /** The collection's path. */
  readonly collection: Path
  readonly where: Filter | null
  /** What the request says; `fullOrder` is what it means. */
  readonly orderBy: readonly Order[]
  readonly startAt: Cursor | null
  readonly endAt: Cursor | null
  readonly offset: number
  readonly limit: number | null
  /** The fields to answer; null for all. */
  readonly select: readonly FieldPath[] | null
}

export interface Found extends StoredDocument {
  readonly path: Path
}

const NAME = '__name__'
const INEQUALITIES: ReadonlySet<Comparison> = new Set([
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'NOT_EQUAL',
  'NOT_IN',
])

export const isName = (path: FieldPath) => path.length === 1 && path[0] === NAME

export const isInequality = ({ op }: FieldFilter) => INEQUALITIES.has(op)

export const fieldKey = (path: FieldPath) => JSON.stringify(path)

const isSameField = (a: FieldPath, b: FieldPath) => fieldKey(a) === fieldKey(b)

/** All conditions, however they hang together. */
export const fieldFilters = (filter: Filter | null): readonly FieldFilter[] =>
  filter === null ? [] : filter.kind === 'field' ? [filter] : filter.filters.flatMap(fieldFilters)

/** The filter as alternatives, each of them a list of conditions that all have to hold. */
export function alternatives(filter: Filter | null): readonly (readonly FieldFilter[])[] {
  if (filter === null) return [[]]
  if (filter.kind === 'field') return [[filter]]
  if (filter.kind === 'OR') return filter.filters.flatMap(alternatives)
  return filter.filters.reduce<readonly (readonly FieldFilter[])[]>(
    (all, one) => all.flatMap((some) => alternatives(one).map((others) => [...some, ...others])),
    [[]],
  )
}

/** The order with what is implied: fields that are compared for more than equality, and the name at last. */
export function fullOrder({ where, orderBy }: Query): readonly Order[] {
  const direction = orderBy.at(-1)?.direction ?? 'ASCENDING'
  const inequalities = fieldFilters(where)
    .filter(isInequality)
    .map(({ path }) => path)
    .sort((a, b) => compareText(a.join('.'), b.join('.')))
  const order = [...orderBy]
  for (const path of [...inequalities, [NAME]])
    if (!order.some((known) => isSameField(known.path, path))) order.push({ path, direction })
  return order
}

/** Which documents a query means, in which order. */
export function createQueries(names: Names) {
  const valueAt = (path: Path, document: StoredDocument, field: FieldPath): WireValue | undefined =>
    isName(field) ? { referenceValue: names.nameOf(path) } : fieldAt(document.fields, field)

  /** Whether the filters and the order let the document in, cursors and limits aside. */
  const matches = (query: Query, path: Path, document: StoredDocument): boolean => {
    const value = (field: FieldPath) => valueAt(path, document, field)
    const passes = (filter: Filter): boolean =>
      filter.kind === 'field'
        ? isTrue(filter, value(filter.path))
        : filter.kind === 'AND'
          ? filter.filters.every(passes)
          : filter.filters.some(passes)
    return (
      parentOf(path) === query.collection &&
      (query.where === null || passes(query.where)) &&
      fullOrder(query).every((order) => value(order.path) !== undefined)
    )
  }

  /** All documents that the offset and the limit leave, in order, and how many the offset skipped. */
  const run = (query: Query, documents: Documents): { found: Found[]; skipped: number } => {
    const order = fullOrder(query)
    const orderValue = (found: Found, { path }: Order) => valueAt(found.path, found, path) as WireValue
    const signed = (comparison: number, { direction }: Order) =>
      direction === 'ASCENDING' ? comparison : -comparison
    const compare = (a: Found, b: Found) =>
      firstDifference(order, (one) => signed(compareValues(orderValue(a, one), orderValue(b, one)), one))
    const compareTo = (found: Found, { values }: Cursor) =>
      firstDifference(order.slice(0, values.length), (one, i) =>
        signed(compareValues(orderValue(found, one), values[i] as WireValue), one),
      )
    const isInside = (found: Found) => {
      const start = query.startAt ? compareTo(found, query.startAt) : 1
      const end = query.endAt ? compareTo(found, query.endAt) : -1
      return (
        (query.startAt?.before ? start >= 0 : start > 0) &&
        (query.endAt?.before === false ? end <= 0 : end < 0)
      )
    }
    const inside = [...documents]
      .filter(([path, document]) => matches(query, path, document))
      .map(([path, document]) => ({ ...document, path }))
      .filter(isInside)
      .sort(compare)
    const end = query.limit === null ? inside.length : query.offset + query.limit
    return { found: inside.slice(query.offset, end), skipped: Math.min(query.offset, inside.length) }
  }

  return {
    matches,
    run,

    /** The fields that a query asks for; the name is always answered. */
    selected: ({ select }: Query, { fields }: Found) =>
      select
        ? selectFields(
            fields,
            select.filter((path) => !isName(path)),
          )
        : fields,

    /** The equality filters that hold for every document that the query can find, by top-level field; and its id. */
    pinned({ where }: Query) {
      const necessary = (filter: Filter | null): readonly FieldFilter[] =>
        filter === null
          ? []
          : filter.kind === 'field'
            ? [filter]
            : filter.kind === 'AND'
              ? filter.filters.flatMap(necessary)
              : []
      const equalities = necessary(where).filter(({ op }) => op === 'EQUAL')
      const name = equalities.find(({ path }) => isName(path))?.value
      return {
        id: name && 'referenceValue' in name ? lastSegment(name.referenceValue) : null,
        fields: Object.fromEntries(
          equalities.flatMap(({ path: [field = '', ...deeper], value }) =>
            deeper.length === 0 && field !== NAME ? [[field, value] as const] : [],
          ),
        ),
      }
    },
  }
}

export type Queries = ReturnType<typeof createQueries>

function isTrue({ op, value }: FieldFilter, stored: WireValue | undefined): boolean {
  if (stored === undefined) return false
  switch (op) {
    case 'EQUAL':
      return areEqual(stored, value)
    case 'NOT_EQUAL':
      return !isNull(stored) && !areEqual(stored, value)
    case 'IN':
      return findable(value).some((element) => areEqual(stored, element))
    case 'NOT_IN':
      return (
        !isNull(stored) && !elementsOf(value).some((element) => isNull(element) || areEqual(stored, element))
      )
    case 'ARRAY_CONTAINS':
      return !isNullOrNaN(value) && elementsOf(stored).some((element) => areEqual(element, value))
    case 'ARRAY_CONTAINS_ANY':
      return elementsOf(stored).some((element) => findable(value).some((other) => areEqual(element, other)))
    default:
      return (
        typeOrder(stored) === typeOrder(value) &&
        !isNullOrNaN(stored) &&
        !isNullOrNaN(value) &&
        isOrdered(op, compareValues(stored, value))
      )
  }
}

/** The elements of a condition's list that can be found by it. */
const findable = (list: WireValue) => elementsOf(list).filter((element) => !isNullOrNaN(element))

function isOrdered(
  op: 'LESS_THAN' | 'LESS_THAN_OR_EQUAL' | 'GREATER_THAN' | 'GREATER_THAN_OR_EQUAL',
  comparison: number,
): boolean {
  switch (op) {
    case 'LESS_THAN':
      return comparison < 0
    case 'LESS_THAN_OR_EQUAL':
      return comparison <= 0
    case 'GREATER_THAN':
      return comparison > 0
    case 'GREATER_THAN_OR_EQUAL':
      return comparison >= 0
  }
}

function firstDifference<T>(items: readonly T[], compare: (item: T, i: number) => number): number {
  for (const [i, item] of items.entries()) {
    const comparison = compare(item, i)
    if (comparison !== 0) return comparison
  }
  return 0
}
