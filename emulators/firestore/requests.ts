import * as v from 'valibot'
import { listUnknownKeys } from '../unknownKeys.ts'
import { parseFieldPath } from './fieldPath.ts'
import type { ResourceNames } from './names.ts'
import type { FieldFilter, FilterOperator, Order, Query } from './query.ts'
import { createInvalidArgumentError, createUnimplementedError } from './status.ts'
import { normalizeTimestamp } from './time.ts'
import type { Transform } from './transforms.ts'
import { getElements, NULL_WIRE_VALUE, parseFields, parseOperand, parseValue } from './values.ts'
import type { Precondition, Write } from './writes.ts'

// All schemas are strict: fields that the emulator doesn't know are reported, never ignored.

/** Sent by name or, by the server SDK, as a number. Names are in the order of their numbers, from 1. */
const enumeration = <const Name extends string>(names: readonly Name[]) =>
  v.union([
    v.picklist(names),
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(1),
      v.maxValue(names.length),
      v.transform((number) => names[number - 1] as Name),
    ),
  ])

const value = v.pipe(
  v.unknown(),
  v.transform((json) => parseValue(json)),
)
const fieldPath = v.pipe(v.string(), v.transform(parseFieldPath))
const fieldReference = v.pipe(
  v.strictObject({ fieldPath }),
  v.transform((field) => field.fieldPath),
)
const fieldMask = v.pipe(
  v.strictObject({ fieldPaths: v.optional(v.array(fieldPath), []) }),
  v.transform((mask) => mask.fieldPaths),
)
const arrayValue = v.pipe(
  v.strictObject({ values: v.optional(v.array(value), []) }),
  v.transform((array) => array.values),
)
const integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const timestamp = v.pipe(
  v.string(),
  v.check((text) => normalizeTimestamp(text) !== null, 'Invalid timestamp'),
)

const newTransaction = v.pipe(
  v.strictObject({
    readWrite: v.optional(v.strictObject({ retryTransaction: v.optional(v.string()) })),
    readOnly: v.optional(v.strictObject({})),
  }),
  v.transform(({ readOnly }): 'readWrite' | 'readOnly' => (readOnly ? 'readOnly' : 'readWrite')),
)

const transform = v.pipe(
  v.strictObject({
    fieldPath,
    setToServerValue: v.optional(enumeration(['REQUEST_TIME'])),
    appendMissingElements: v.optional(arrayValue),
  }),
  // An issue instead of an error, so that unknown keys of the same request are still found.
  v.check(
    ({ fieldPath: _, ...change }) => Object.keys(change).length === 1,
    'A transform changes in exactly one way',
  ),
  v.transform(({ fieldPath: path, appendMissingElements: elements }): Transform => {
    return elements ? { path, kind: 'appendMissingElements', elements } : { path, kind: 'requestTime' }
  }),
)

const precondition = v.pipe(
  v.optional(v.strictObject({ exists: v.optional(v.boolean()), updateTime: v.optional(timestamp) }), {}),
  v.transform(({ exists, updateTime }): Precondition => {
    if (updateTime !== undefined) return { updateTime }
    return exists === undefined ? null : { exists }
  }),
)

const fields = v.pipe(
  v.nullish(v.unknown(), {}),
  v.transform((json) => parseFields(json)),
)

const fieldFilter = v.pipe(
  v.strictObject({
    field: fieldReference,
    op: enumeration([
      'LESS_THAN',
      'LESS_THAN_OR_EQUAL',
      'GREATER_THAN',
      'GREATER_THAN_OR_EQUAL',
      'EQUAL',
      'NOT_EQUAL',
      'ARRAY_CONTAINS',
      'IN',
      'ARRAY_CONTAINS_ANY',
      'NOT_IN',
    ]),
    value: v.pipe(v.unknown(), v.transform(parseOperand)),
  }),
  v.transform(({ field, op, value }): FieldFilter[] => {
    if (op === 'NOT_EQUAL' || op === 'NOT_IN') throw createUnimplementedError(op)
    checkOperand(op, value)
    return [{ path: field, op, value }]
  }),
)

const unaryFilter = v.pipe(
  v.strictObject({
    field: fieldReference,
    // The protocol does not use the number 1.
    op: enumeration(['OPERATOR_1', 'IS_NAN', 'IS_NULL', 'IS_NOT_NAN', 'IS_NOT_NULL']),
  }),
  v.transform(({ field, op }): FieldFilter[] => {
    if (op !== 'IS_NULL') throw createUnimplementedError(op)
    return [{ path: field, op: 'EQUAL', value: NULL_WIRE_VALUE }]
  }),
)

/** Returns filters that must all match. */
const filter: v.GenericSchema<unknown, readonly FieldFilter[]> = v.lazy(() =>
  v.pipe(
    v.strictObject({
      fieldFilter: v.optional(fieldFilter),
      unaryFilter: v.optional(unaryFilter),
      compositeFilter: v.optional(compositeFilter),
    }),
    v.rawTransform(({ dataset: { value: one }, addIssue, NEVER }): readonly FieldFilter[] => {
      const found = one.fieldFilter ?? one.unaryFilter ?? one.compositeFilter
      if (found) return found
      addIssue({ message: 'A filter has to be of one type' })
      return NEVER
    }),
  ),
)

const compositeFilter = v.pipe(
  v.strictObject({ op: enumeration(['AND', 'OR']), filters: v.array(filter) }),
  v.transform(({ op, filters }) => {
    if (op === 'OR') throw createUnimplementedError(op)
    return filters.flat()
  }),
)

const MAX_DISJUNCTIONS = 30

function checkOperand(op: FilterOperator, operand: Parameters<typeof getElements>[0]) {
  if (op !== 'IN' && op !== 'ARRAY_CONTAINS_ANY') return
  const { length } = getElements(operand)
  if (length === 0 || length > MAX_DISJUNCTIONS)
    throw createInvalidArgumentError(
      `'${op}' supports a non-empty array with up to ${MAX_DISJUNCTIONS} elements`,
    )
}

/** See the service's page 'Perform simple and compound queries'. */
function checkFilterCombination(where: readonly FieldFilter[]) {
  const disjunctions = where.reduce((many, one) => many * countAlternatives(one), 1)
  if (disjunctions > MAX_DISJUNCTIONS)
    throw createInvalidArgumentError(
      `A query supports up to ${MAX_DISJUNCTIONS} disjunctions, this one has ${disjunctions}`,
    )
  const isArray = ({ op }: FieldFilter) => op === 'ARRAY_CONTAINS' || op === 'ARRAY_CONTAINS_ANY'
  if (where.filter(isArray).length > 1)
    throw createInvalidArgumentError('A query supports only one array condition')
}

const countAlternatives = ({ op, value: operand }: FieldFilter) =>
  op === 'IN' || op === 'ARRAY_CONTAINS_ANY' ? getElements(operand).length : 1

const order = v.pipe(
  v.strictObject({
    field: fieldReference,
    direction: v.optional(enumeration(['ASCENDING', 'DESCENDING']), 'ASCENDING'),
  }),
  v.transform(({ field, direction }): Order => ({ path: field, direction })),
)

const cursor = v.pipe(
  v.strictObject({ values: v.optional(v.array(value), []), before: v.optional(v.boolean(), false) }),
  v.transform(({ values, before }) => {
    if (before) throw createUnimplementedError('a cursor before a document')
    return values
  }),
)

const structuredQuery = v.strictObject({
  from: v.array(
    v.strictObject({
      collectionId: v.optional(v.string()),
      allDescendants: v.optional(v.boolean()),
    }),
  ),
  where: v.optional(filter),
  orderBy: v.optional(v.array(order), []),
  startAt: v.optional(cursor),
  limit: v.optional(integer),
})

const consistency = {
  transaction: v.optional(v.string()),
  newTransaction: v.optional(newTransaction),
}

export function createRequestSchemas(names: ResourceNames) {
  const documentName = v.pipe(v.string(), v.transform(names.documentPath))
  const database = v.optional(v.literal(names.database))

  const write = v.pipe(
    v.strictObject({
      update: v.optional(
        v.strictObject({
          name: documentName,
          fields,
          createTime: v.optional(v.string()),
          updateTime: v.optional(v.string()),
        }),
      ),
      delete: v.optional(documentName),
      updateMask: v.optional(fieldMask),
      updateTransforms: v.optional(v.array(transform), []),
      currentDocument: precondition,
    }),
    v.rawTransform(({ dataset: { value: one }, addIssue, NEVER }): Write => {
      const condition = one.currentDocument
      if (one.update)
        return {
          kind: 'update',
          path: one.update.name,
          fields: one.update.fields,
          mask: one.updateMask ?? null,
          transforms: one.updateTransforms,
          precondition: condition,
        }
      if (one.delete !== undefined) return { kind: 'delete', path: one.delete, precondition: condition }
      addIssue({ message: 'A write has to be of one type' })
      return NEVER
    }),
  )

  /** `parent`: '' or a document. */
  const query = (parent: string) =>
    v.pipe(
      structuredQuery,
      v.transform(({ from, where = [], orderBy, startAt = null, limit = null }): Query => {
        const [source, ...others] = from
        if (others.length > 0) throw createInvalidArgumentError('Only one collection can be queried')
        if (!source?.collectionId || source.allDescendants)
          throw createUnimplementedError('a query over collections of the same id')
        checkFilterCombination(where)
        if (startAt && startAt.length > orderBy.length + 1)
          throw createInvalidArgumentError('Cursor has too many values.')
        const collection = parent === '' ? source.collectionId : `${parent}/${source.collectionId}`
        return { collection, where, orderBy, startAfter: startAt, limit }
      }),
    )

  return {
    batchGet: v.strictObject({
      database,
      documents: v.optional(v.array(documentName), []),
      ...consistency,
    }),
    commit: v.strictObject({
      database,
      writes: v.optional(v.array(write), []),
      transaction: v.optional(v.string()),
    }),
    beginTransaction: v.strictObject({ database, options: v.optional(newTransaction, {}) }),
    rollback: v.strictObject({ database, transaction: v.string() }),
    runQuery: (parent: string) =>
      v.strictObject({
        parent: v.optional(v.string()),
        structuredQuery: query(parent),
        ...consistency,
      }),
    document: v.strictObject({
      name: v.optional(v.string()),
      fields,
      createTime: v.optional(v.string()),
      updateTime: v.optional(v.string()),
    }),
    fieldMask: v.array(fieldPath),
    precondition,
  }
}

export type RequestSchemas = ReturnType<typeof createRequestSchemas>

/** Unknown keys are UNIMPLEMENTED, invalid values INVALID_ARGUMENT. */
export function parseFirestoreRequest<T>(schema: v.GenericSchema<unknown, T>, json: unknown): T {
  const { success, output, issues } = v.safeParse(schema, json)
  if (success) return output
  const unknownKeys = listUnknownKeys(issues)
  if (unknownKeys.length > 0) throw createUnimplementedError(unknownKeys.join(', '))
  throw createInvalidArgumentError(`Invalid JSON payload received. ${v.summarize(issues)}`)
}
