import type { WireValue } from '../wire.ts'
import { type FieldPath, getField } from './fieldPath.ts'
import { getLastSegment, getParentPath, type Path, type ResourceNames } from './names.ts'
import type { Documents, StoredDocument } from './store.ts'
import {
  areValuesEqual,
  compareText,
  compareValues,
  getElements,
  getTypeRank,
  isNullOrNaN,
} from './values.ts'

/** Whether a comparison's result satisfies the inequality. */
const INEQUALITIES = {
  LESS_THAN: (comparison: number) => comparison < 0,
  LESS_THAN_OR_EQUAL: (comparison: number) => comparison <= 0,
  GREATER_THAN: (comparison: number) => comparison > 0,
  GREATER_THAN_OR_EQUAL: (comparison: number) => comparison >= 0,
} as const

type Inequality = keyof typeof INEQUALITIES
export type FilterOperator = Inequality | 'EQUAL' | 'ARRAY_CONTAINS' | 'IN' | 'ARRAY_CONTAINS_ANY'

export interface FieldFilter {
  readonly path: FieldPath
  readonly op: FilterOperator
  readonly value: WireValue
}

export interface Order {
  readonly path: FieldPath
  readonly direction: 'ASCENDING' | 'DESCENDING'
}

export interface Query {
  readonly collection: Path
  /** All must match. */
  readonly where: readonly FieldFilter[]
  /** `buildFullOrder` adds the implied fields. */
  readonly orderBy: readonly Order[]
  /** Results start after these values of the first order fields. */
  readonly startAfter: readonly WireValue[] | null
  readonly limit: number | null
}

export interface FoundDocument extends StoredDocument {
  readonly path: Path
}

const NAME = '__name__'

export const isNameField = (path: FieldPath) => path.length === 1 && path[0] === NAME

export const isInequality = ({ op }: FieldFilter) => op in INEQUALITIES

export const toFieldKey = (path: FieldPath) => JSON.stringify(path)

const isSameField = (a: FieldPath, b: FieldPath) => toFieldKey(a) === toFieldKey(b)

/** Fields compared with an inequality are implied, and the name at the end. */
export function buildFullOrder({ where, orderBy }: Query): readonly Order[] {
  const direction = orderBy.at(-1)?.direction ?? 'ASCENDING'
  const inequalities = where
    .filter(isInequality)
    .map(({ path }) => path)
    .sort((a, b) => compareText(a.join('.'), b.join('.')))
  const order = [...orderBy]
  for (const path of [...inequalities, [NAME]])
    if (!order.some((known) => isSameField(known.path, path))) order.push({ path, direction })
  return order
}

export function createQueryRunner(names: ResourceNames) {
  const valueAt = (path: Path, document: StoredDocument, field: FieldPath): WireValue | undefined =>
    isNameField(field) ? { referenceValue: names.buildName(path) } : getField(document.fields, field)

  /** Before the cursor and limit apply. */
  const matches = (query: Query, path: Path, document: StoredDocument): boolean => {
    const value = (field: FieldPath) => valueAt(path, document, field)
    return (
      getParentPath(path) === query.collection &&
      query.where.every((filter) => isTrue(filter, value(filter.path))) &&
      buildFullOrder(query).every((order) => value(order.path) !== undefined)
    )
  }

  const run = (query: Query, documents: Documents): FoundDocument[] => {
    const order = buildFullOrder(query)
    const orderValue = (found: FoundDocument, { path }: Order) =>
      valueAt(found.path, found, path) as WireValue
    const signed = (comparison: number, { direction }: Order) =>
      direction === 'ASCENDING' ? comparison : -comparison
    const compare = (a: FoundDocument, b: FoundDocument) =>
      firstDifference(order, (one) => signed(compareValues(orderValue(a, one), orderValue(b, one)), one))
    const isAfter = (found: FoundDocument) =>
      query.startAfter === null ||
      firstDifference(order.slice(0, query.startAfter.length), (one, i) =>
        signed(compareValues(orderValue(found, one), query.startAfter?.[i] as WireValue), one),
      ) > 0
    return [...documents]
      .filter(([path, document]) => matches(query, path, document))
      .map(([path, document]) => ({ ...document, path }))
      .filter(isAfter)
      .sort(compare)
      .slice(0, query.limit ?? undefined)
  }

  return {
    matches,
    run,

    getFixedValues({ where }: Query) {
      const equalities = where.filter(({ op }) => op === 'EQUAL')
      const name = equalities.find(({ path }) => isNameField(path))?.value
      return {
        id: name && 'referenceValue' in name ? getLastSegment(name.referenceValue) : null,
        fields: Object.fromEntries(
          equalities.flatMap(({ path: [field = '', ...deeper], value }) =>
            deeper.length === 0 && field !== NAME ? [[field, value] as const] : [],
          ),
        ),
      }
    },
  }
}

export type QueryRunner = ReturnType<typeof createQueryRunner>

function isTrue({ op, value }: FieldFilter, stored: WireValue | undefined): boolean {
  if (stored === undefined) return false
  switch (op) {
    case 'EQUAL':
      return areValuesEqual(stored, value)
    case 'IN':
      return listFindable(value).some((element) => areValuesEqual(stored, element))
    case 'ARRAY_CONTAINS':
      return !isNullOrNaN(value) && getElements(stored).some((element) => areValuesEqual(element, value))
    case 'ARRAY_CONTAINS_ANY':
      return getElements(stored).some((element) =>
        listFindable(value).some((other) => areValuesEqual(element, other)),
      )
    default:
      return (
        getTypeRank(stored) === getTypeRank(value) &&
        !isNullOrNaN(stored) &&
        !isNullOrNaN(value) &&
        INEQUALITIES[op](compareValues(stored, value))
      )
  }
}

/** `in` never finds null or NaN. */
const listFindable = (list: WireValue) => getElements(list).filter((element) => !isNullOrNaN(element))

function firstDifference<T>(items: readonly T[], compare: (item: T, i: number) => number): number {
  for (const [i, item] of items.entries()) {
    const comparison = compare(item, i)
    if (comparison !== 0) return comparison
  }
  return 0
}
