import { z } from 'zod'
import { parseFieldPath } from './fieldPath.ts'
import type { Names } from './names.ts'
import {
  alternatives,
  type Comparison,
  type Cursor,
  type FieldFilter,
  type Filter,
  fieldFilters,
  type Order,
  type Query,
} from './query.ts'
import { invalidArgument, unimplemented } from './status.ts'
import { fullTimestamp } from './time.ts'
import type { Transform } from './transforms.ts'
import { elementsOf, NAN_VALUE, NULL_VALUE, readFields, readOperand, readValue } from './values.ts'
import type { Precondition, Write } from './writes.ts'

// Every object is strict: what the emulator does not know is refused and reported, never ignored.

/** An enum that arrives by name or, from the server SDK, by number. The names stand in the order of their numbers from 1. */
const enumeration = <const Name extends string>(names: readonly Name[]) =>
  z.union([
    z.enum(names),
    z
      .int()
      .min(1)
      .max(names.length)
      .transform((number) => names[number - 1] as Name),
  ])

/** Not thrown, so that an unknown key beside it is still found. */
const refuse = (context: z.RefinementCtx, message: string) => {
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}

const value = z.unknown().transform((json) => readValue(json))
const fieldPath = z.string().transform(parseFieldPath)
const fieldReference = z.strictObject({ fieldPath }).transform((field) => field.fieldPath)
const fieldMask = z
  .strictObject({ fieldPaths: z.array(fieldPath).default([]) })
  .transform((mask) => mask.fieldPaths)
const arrayValue = z.strictObject({ values: z.array(value).default([]) }).transform((array) => array.values)
const count = z
  .union([z.int(), z.strictObject({ value: z.int() }).transform((wrapper) => wrapper.value)])
  .pipe(z.int().min(0))
const timestamp = z.string().refine((text) => fullTimestamp(text) !== null, 'Invalid timestamp')

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
  .transform((json) => readFields(json ?? {}))

const filter: z.ZodType<Filter> = z.lazy(() =>
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
          value: z.unknown().transform(readOperand),
        })
        .transform((one): Filter => {
          checkOperand(one.op, one.value)
          return { kind: 'field', path: one.field, op: one.op, value: one.value }
        })
        .optional(),
      unaryFilter: z
        .strictObject({
          field: fieldReference,
          // The number 1 was never given out.
          op: enumeration(['OPERATOR_1', 'IS_NAN', 'IS_NULL', 'IS_NOT_NAN', 'IS_NOT_NULL']),
        })
        .transform(
          ({ field, op }): Filter => ({
            kind: 'field',
            path: field,
            op: op.startsWith('IS_NOT') ? 'NOT_EQUAL' : 'EQUAL',
            value: op.endsWith('NAN') ? NAN_VALUE : NULL_VALUE,
          }),
        )
        .optional(),
      compositeFilter: z
        .strictObject({ op: enumeration(['AND', 'OR']), filters: z.array(filter) })
        .transform(({ op, filters }): Filter => ({ kind: op, filters }))
        .optional(),
    })
    .transform(
      ({ fieldFilter, unaryFilter, compositeFilter }, context) =>
        fieldFilter ?? unaryFilter ?? compositeFilter ?? refuse(context, 'A filter has to be of one type'),
    ),
)

const MAX_DISJUNCTIONS = 30

const BESIDE_NOT_IN: ReadonlySet<Comparison> = new Set(['NOT_IN', 'NOT_EQUAL', 'IN', 'ARRAY_CONTAINS_ANY'])

function checkOperand(op: Comparison, operand: Parameters<typeof elementsOf>[0]) {
  if (op !== 'IN' && op !== 'NOT_IN' && op !== 'ARRAY_CONTAINS_ANY') return
  const { length } = elementsOf(operand)
  const max = op === 'NOT_IN' ? 10 : MAX_DISJUNCTIONS
  if (length === 0 || length > max)
    throw invalidArgument(`'${op}' supports a non-empty array with up to ${max} elements`)
}

/** Refuses conditions that the service does not take together, by its page 'Perform simple and compound queries'. */
function checkTogether(where: Filter | null) {
  const groups = alternatives(where)
  const disjunctions = groups.reduce(
    (sum, group) => sum + group.reduce((many, one) => many * waysOf(one), 1),
    0,
  )
  if (disjunctions > MAX_DISJUNCTIONS)
    throw invalidArgument(
      `A query supports up to ${MAX_DISJUNCTIONS} disjunctions, this one has ${disjunctions}`,
    )
  const isArray = ({ op }: FieldFilter) => op === 'ARRAY_CONTAINS' || op === 'ARRAY_CONTAINS_ANY'
  if (groups.some((group) => group.filter(isArray).length > 1))
    throw invalidArgument('A disjunction supports only one array condition')
  const ops = fieldFilters(where).map(({ op }) => op)
  if (ops.includes('NOT_IN') && ops.filter((op) => BESIDE_NOT_IN.has(op)).length > 1)
    throw invalidArgument(
      "'NOT_IN' cannot be used with 'NOT_EQUAL', 'IN', 'ARRAY_CONTAINS_ANY' or a second 'NOT_IN'",
    )
}

/** How many alternatives a condition stands for. */
const waysOf = ({ op, value: operand }: FieldFilter) =>
  op === 'IN' || op === 'ARRAY_CONTAINS_ANY' ? elementsOf(operand).length : 1

const order = z
  .strictObject({
    field: fieldReference,
    direction: enumeration(['ASCENDING', 'DESCENDING']).default('ASCENDING'),
  })
  .transform(({ field, direction }): Order => ({ path: field, direction }))

const cursor = z
  .strictObject({ values: z.array(value).default([]), before: z.boolean().default(false) })
  .transform((one): Cursor => one)

const structuredQuery = z.strictObject({
  select: z.strictObject({ fields: z.array(fieldReference).default([]) }).optional(),
  from: z.array(
    z.strictObject({ collectionId: z.string().optional(), allDescendants: z.boolean().optional() }),
  ),
  where: filter.optional(),
  orderBy: z.array(order).default([]),
  startAt: cursor.optional(),
  endAt: cursor.optional(),
  offset: count.default(0),
  limit: count.optional(),
})

const consistency = {
  transaction: z.string().optional(),
  newTransaction: newTransaction.optional(),
}

/** The requests' bodies, read into what they mean. */
export function createRequests(names: Names) {
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
      verify: documentName.optional(),
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
      if (one.verify !== undefined) return { kind: 'verify', path: one.verify, precondition: condition }
      return refuse(context, 'A write has to be of one type')
    })

  /** `parent` is where the request's address points to: '' or a document's path. */
  const query = (parent: string) =>
    structuredQuery.transform(({ from, select, startAt, endAt, limit, where, ...rest }): Query => {
      const [source, ...others] = from
      if (others.length > 0) throw invalidArgument('Only one collection can be queried')
      if (!source?.collectionId || source.allDescendants)
        throw unimplemented('a query over collections of the same id')
      checkTogether(where ?? null)
      const cursorLength = Math.max(startAt?.values.length ?? 0, endAt?.values.length ?? 0)
      const result: Query = {
        ...rest,
        collection: parent === '' ? source.collectionId : `${parent}/${source.collectionId}`,
        where: where ?? null,
        startAt: startAt ?? null,
        endAt: endAt ?? null,
        limit: limit ?? null,
        select: select?.fields ?? null,
      }
      if (cursorLength > rest.orderBy.length + 1) throw invalidArgument('Cursor has too many values.')
      return result
    })

  return {
    batchGet: z.strictObject({
      database,
      documents: z.array(documentName).default([]),
      mask: fieldMask.optional(),
      ...consistency,
    }),
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

export type Requests = ReturnType<typeof createRequests>

/** Reads JSON with one of the schemas. What is not known is UNIMPLEMENTED, what is wrong INVALID_ARGUMENT. */
export function readRequest<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const unknownKeys = result.error.issues.filter((issue) => issue.code === 'unrecognized_keys')
  if (unknownKeys.length > 0)
    throw unimplemented(unknownKeys.map(({ path, keys }) => [...path, keys.join()].join('.')).join(', '))
  throw invalidArgument(`Invalid JSON payload received. ${z.prettifyError(result.error)}`)
}
