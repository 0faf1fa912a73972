import { z } from 'zod'
import { parseFieldPath } from './fieldPath.ts'
import type { ResourceNames } from './names.ts'
import type { FieldFilter, FilterOperator, Order, Query } from './query.ts'
import { createInvalidArgumentError, createUnimplementedError } from './status.ts'
import { normalizeTimestamp } from './time.ts'
import type { Transform } from './transforms.ts'
import { getElements, NULL_VALUE, parseFields, parseOperand, parseValue } from './values.ts'
import type { Precondition, Write } from './writes.ts'

// All schemas are strict: fields that the emulator doesn't know are rejected and reported, never ignored.

/**
 * Creates the schema of an enum, which is sent by name or, by the server SDK, as a number. Names are in the
 * order of their numbers, from 1.
 */
const enumeration = <const Name extends string>(names: readonly Name[]) =>
  z.union([
    z.enum(names),
    z
      .int()
      .min(1)
      .max(names.length)
      .transform((number) => names[number - 1] as Name),
  ])

/** Adds an issue instead of throwing, so that unknown keys of the same request are still found. */
const refuse = (context: z.RefinementCtx, message: string) => {
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}

const value = z.unknown().transform((json) => parseValue(json))
const fieldPath = z.string().transform(parseFieldPath)
const fieldReference = z.strictObject({ fieldPath }).transform((field) => field.fieldPath)
const fieldMask = z
  .strictObject({ fieldPaths: z.array(fieldPath).default([]) })
  .transform((mask) => mask.fieldPaths)
const arrayValue = z.strictObject({ values: z.array(value).default([]) }).transform((array) => array.values)
const count = z
  .union([z.int(), z.strictObject({ value: z.int() }).transform((wrapper) => wrapper.value)])
  .pipe(z.int().min(0))
const timestamp = z.string().refine((text) => normalizeTimestamp(text) !== null, 'Invalid timestamp')

const newTransaction = z
  .strictObject({
    readWrite: z.strictObject({ retryTransaction: z.string().optional() }).optional(),
    readOnly: z.strictObject({}).optional(),
  })
  .transform(({ readOnly }): 'readWrite' | 'readOnly' => (readOnly ? 'readOnly' : 'readWrite'))

const transform = z
  .strictObject({
    fieldPath,
    setToServerValue: enumeration(['REQUEST_TIME']).optional(),
    appendMissingElements: arrayValue.optional(),
  })
  .transform(({ fieldPath: path, ...change }, context): Transform => {
    if (Object.keys(change).length !== 1) return refuse(context, 'A transform changes in exactly one way')
    if (change.setToServerValue) return { path, kind: 'requestTime' }
    if (change.appendMissingElements)
      return { path, kind: 'appendMissingElements', elements: change.appendMissingElements }
    return refuse(context, 'A transform changes in exactly one way')
  })

const precondition = z
  .strictObject({ exists: z.boolean().optional(), updateTime: timestamp.optional() })
  .optional()
  .transform((condition): Precondition => {
    if (condition?.updateTime !== undefined) return { updateTime: condition.updateTime }
    return condition?.exists === undefined ? null : { exists: condition.exists }
  })

const fields = z
  .unknown()
  .optional()
  .transform((json) => parseFields(json ?? {}))

/** Parses a filter to a list of filters that must all match. */
const filter: z.ZodType<readonly FieldFilter[]> = z.lazy(() =>
  z
    .strictObject({
      fieldFilter: z
        .strictObject({
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
          value: z.unknown().transform(parseOperand),
        })
        .transform(({ field, op, value }) => {
          if (op === 'NOT_EQUAL' || op === 'NOT_IN') throw createUnimplementedError(op)
          checkOperand(op, value)
          return [{ path: field, op, value }]
        })
        .optional(),
      unaryFilter: z
        .strictObject({
          field: fieldReference,
          // The protocol does not use the number 1.
          op: enumeration(['OPERATOR_1', 'IS_NAN', 'IS_NULL', 'IS_NOT_NAN', 'IS_NOT_NULL']),
        })
        .transform(({ field, op }): FieldFilter[] => {
          if (op !== 'IS_NULL') throw createUnimplementedError(op)
          return [{ path: field, op: 'EQUAL', value: NULL_VALUE }]
        })
        .optional(),
      compositeFilter: z
        .strictObject({ op: enumeration(['AND', 'OR']), filters: z.array(filter) })
        .transform(({ op, filters }) => {
          if (op === 'OR') throw createUnimplementedError(op)
          return filters.flat()
        })
        .optional(),
    })
    .transform(
      ({ fieldFilter, unaryFilter, compositeFilter }, context) =>
        fieldFilter ?? unaryFilter ?? compositeFilter ?? refuse(context, 'A filter has to be of one type'),
    ),
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

/**
 * Rejects combinations of filters that the service refuses; see its page 'Perform simple and compound
 * queries'.
 */
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

/** Returns the number of disjunctions in a filter. */
const countAlternatives = ({ op, value: operand }: FieldFilter) =>
  op === 'IN' || op === 'ARRAY_CONTAINS_ANY' ? getElements(operand).length : 1

const order = z
  .strictObject({
    field: fieldReference,
    direction: enumeration(['ASCENDING', 'DESCENDING']).default('ASCENDING'),
  })
  .transform(({ field, direction }): Order => ({ path: field, direction }))

const cursor = z
  .strictObject({ values: z.array(value).default([]), before: z.boolean().default(false) })
  .transform(({ values, before }) => {
    if (before) throw createUnimplementedError('a cursor before a document')
    return values
  })

const structuredQuery = z.strictObject({
  from: z.array(
    z.strictObject({ collectionId: z.string().optional(), allDescendants: z.boolean().optional() }),
  ),
  where: filter.default([]),
  orderBy: z.array(order).default([]),
  startAt: cursor.optional(),
  limit: count.optional(),
})

const consistency = {
  transaction: z.string().optional(),
  newTransaction: newTransaction.optional(),
}

/** Creates the schemas of the request bodies. */
export function createRequestSchemas(names: ResourceNames) {
  const documentName = z.string().transform(names.documentPath)
  const database = z.literal(names.database).optional()

  const write = z
    .strictObject({
      update: z
        .strictObject({
          name: documentName,
          fields,
          createTime: z.string().optional(),
          updateTime: z.string().optional(),
        })
        .optional(),
      delete: documentName.optional(),
      updateMask: fieldMask.optional(),
      updateTransforms: z.array(transform).default([]),
      currentDocument: precondition,
    })
    .transform((one, context): Write => {
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
      return refuse(context, 'A write has to be of one type')
    })

  /** `parent` is the path in the request's URL: '' or a document. */
  const query = (parent: string) =>
    structuredQuery.transform(({ from, where, orderBy, startAt = null, limit = null }): Query => {
      const [source, ...others] = from
      if (others.length > 0) throw createInvalidArgumentError('Only one collection can be queried')
      if (!source?.collectionId || source.allDescendants)
        throw createUnimplementedError('a query over collections of the same id')
      checkFilterCombination(where)
      if (startAt && startAt.length > orderBy.length + 1)
        throw createInvalidArgumentError('Cursor has too many values.')
      const collection = parent === '' ? source.collectionId : `${parent}/${source.collectionId}`
      return { collection, where, orderBy, startAfter: startAt, limit }
    })

  return {
    batchGet: z.strictObject({ database, documents: z.array(documentName).default([]), ...consistency }),
    commit: z.strictObject({
      database,
      writes: z.array(write).default([]),
      transaction: z.string().optional(),
    }),
    beginTransaction: z.strictObject({ database, options: newTransaction.default('readWrite') }),
    rollback: z.strictObject({ database, transaction: z.string() }),
    runQuery: (parent: string) =>
      z.strictObject({ parent: z.string().optional(), structuredQuery: query(parent), ...consistency }),
    document: z.strictObject({
      name: z.string().optional(),
      fields,
      createTime: z.string().optional(),
      updateTime: z.string().optional(),
    }),
    fieldMask: z.array(fieldPath),
    precondition,
  }
}

export type RequestSchemas = ReturnType<typeof createRequestSchemas>

/** Parses JSON with a schema. Unknown keys are UNIMPLEMENTED, invalid values INVALID_ARGUMENT. */
export function parseFirestoreRequest<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const unknownKeys = result.error.issues.filter((issue) => issue.code === 'unrecognized_keys')
  if (unknownKeys.length > 0)
    throw createUnimplementedError(
      unknownKeys.map(({ path, keys }) => [...path, keys.join()].join('.')).join(', '),
    )
  throw createInvalidArgumentError(`Invalid JSON payload received. ${z.prettifyError(result.error)}`)
}
