import { type FieldPath, parseFieldPath } from './fieldPath.ts'
import { getLastSegment } from './names.ts'
import {
  buildFullOrder,
  type FieldFilter,
  type FilterOperator,
  isInequality,
  isNameField,
  type Order,
  type Query,
  toFieldKey,
} from './query.ts'
import { StatusError } from './status.ts'

export interface IndexFile {
  readonly indexes: readonly {
    readonly collectionGroup: string
    readonly queryScope: string
    readonly fields: readonly {
      readonly fieldPath: string
      readonly order?: string
      readonly arrayConfig?: string
    }[]
  }[]
  readonly fieldOverrides?: readonly unknown[]
}

const isArrayOperator = (op: FilterOperator) => op === 'ARRAY_CONTAINS' || op === 'ARRAY_CONTAINS_ANY'

/** In the file's order, each ending with the document name. */
export function buildIndexResources({ indexes }: IndexFile, database: string) {
  return indexes.map(({ collectionGroup, queryScope, fields }, i) => ({
    name: `${database}/collectionGroups/${collectionGroup}/indexes/index-${i}`,
    queryScope,
    fields: [...fields, { fieldPath: '__name__', order: fields.at(-1)?.order ?? 'ASCENDING' }],
    state: 'READY',
  }))
}

type Entry = string

const entry = (path: FieldPath, mode: string): Entry => `${toFieldKey(path)} ${mode}`

/**
 * Rejects a query for which the real service requires a composite index that the file lacks. Every single
 * field has an index in both directions, and indexes that end in the same order can be merged.
 */
export function createIndexCheck(file: IndexFile, projectId: string) {
  if (file.fieldOverrides?.length) throw new Error('fieldOverrides are not supported here: remove them.')
  const composites = file.indexes.map(({ collectionGroup, queryScope, fields }) => {
    if (queryScope !== 'COLLECTION') throw new Error(`queryScope ${queryScope} is not supported here.`)
    const entries = fields.map(({ fieldPath, order, arrayConfig }) =>
      entry(parseFieldPath(fieldPath), arrayConfig ?? order ?? ''),
    )
    return { collectionGroup, entries: entries.filter((_, i) => fields[i]?.fieldPath !== '__name__') }
  })

  const isServed = (collection: string, filters: readonly FieldFilter[], order: readonly Order[]) => {
    const equalities = filters.filter((filter) => !isInequality(filter) && !isNameField(filter.path))
    // The field's position in the sort order depends on the whole array.
    const pinned = new Set(
      equalities.filter(({ op }) => !isArrayOperator(op)).map(({ path }) => toFieldKey(path)),
    )
    const sorted = order.filter(({ path }) => !isNameField(path) && !pinned.has(toFieldKey(path)))
    const ordered = sorted.map(({ path, direction }) => entry(path, direction))
    const tail = ordered.length
    const name = order.find(({ path }) => isNameField(path))
    const isNameAligned = sorted.length === 0 || name?.direction === sorted.at(-1)?.direction
    if (tail === 0 || (tail === 1 && equalities.length === 0 && isNameAligned)) return true

    const modes = (filter: FieldFilter) =>
      isArrayOperator(filter.op)
        ? [entry(filter.path, 'CONTAINS')]
        : [entry(filter.path, 'ASCENDING'), entry(filter.path, 'DESCENDING')]
    const wanted = equalities.map(modes)
    const heads = composites
      .filter(({ collectionGroup }) => collectionGroup === collection)
      .filter(({ entries }) => {
        const end = entries.slice(entries.length - tail)
        const head = entries.slice(0, entries.length - tail)
        return (
          entries.length >= tail &&
          ordered.every((one, i) => end[i] === one) &&
          head.every((one) => wanted.some((either) => either.includes(one)))
        )
      })
      .map(({ entries }) => entries.slice(0, entries.length - tail))
    return (
      heads.length > 0 &&
      wanted.every((either) => heads.some((head) => head.some((one) => either.includes(one))))
    )
  }

  return function requireIndex(query: Query) {
    const collection = getLastSegment(query.collection)
    const order = buildFullOrder(query)
    if (isServed(collection, query.where, order)) return
    const missing = Buffer.from(JSON.stringify({ collection, where: query.where, order })).toString(
      'base64url',
    )
    throw new StatusError(
      'FAILED_PRECONDITION',
      `The query requires an index. You can create it here: https://console.firebase.google.com/v1/r/project/${projectId}/firestore/indexes?create_composite=${missing}`,
    )
  }
}

export type RequireIndex = ReturnType<typeof createIndexCheck>
