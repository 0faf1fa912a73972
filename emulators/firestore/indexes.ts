import { type FieldPath, parseFieldPath } from './fieldPath.ts'
import { lastSegment } from './names.ts'
import {
  alternatives,
  type Comparison,
  type FieldFilter,
  fieldKey,
  fullOrder,
  isInequality,
  isName,
  type Order,
  type Query,
} from './query.ts'
import { StatusError } from './status.ts'

/** The contents of firestore.indexes.json. */
export interface IndexesFile {
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

const isOfList = (op: Comparison) => op === 'ARRAY_CONTAINS' || op === 'ARRAY_CONTAINS_ANY'

/** What the service's list of indexes says: the file's, in order, each ending in the name of the document. */
export function indexResources({ indexes }: IndexesFile, database: string) {
  return indexes.map(({ collectionGroup, queryScope, fields }, i) => ({
    name: `${database}/collectionGroups/${collectionGroup}/indexes/index-${i}`,
    queryScope,
    fields: [...fields, { fieldPath: '__name__', order: fields.at(-1)?.order ?? 'ASCENDING' }],
    state: 'READY',
  }))
}

/** A field of an index, as text that is the same for the same field and way of indexing. */
type Entry = string

const entry = (path: FieldPath, mode: string): Entry => `${fieldKey(path)} ${mode}`

/**
 * Refuses a query for which the real service would want a composite index that the file does not
 * have. Every single field is indexed both ways by itself, and indexes that end in the same order
 * can be merged.
 */
export function createIndexes(file: IndexesFile, projectId: string) {
  if (file.fieldOverrides?.length) throw new Error('fieldOverrides are not supported here: remove them.')
  const composites = file.indexes.map(({ collectionGroup, queryScope, fields }) => {
    if (queryScope !== 'COLLECTION') throw new Error(`queryScope ${queryScope} is not supported here.`)
    const entries = fields.map(({ fieldPath, order, arrayConfig }) =>
      entry(parseFieldPath(fieldPath), arrayConfig ?? order ?? ''),
    )
    return { collectionGroup, entries: entries.filter((_, i) => fields[i]?.fieldPath !== '__name__') }
  })

  const isServed = (collection: string, filters: readonly FieldFilter[], order: readonly Order[]) => {
    const equalities = filters.filter((filter) => !isInequality(filter) && !isName(filter.path))
    // A list has an entry in the index for each of its elements, and its own place in the order besides.
    const pinned = new Set(equalities.filter(({ op }) => !isOfList(op)).map(({ path }) => fieldKey(path)))
    const sorted = order.filter(({ path }) => !isName(path) && !pinned.has(fieldKey(path)))
    const ordered = sorted.map(({ path, direction }) => entry(path, direction))
    const tail = ordered.length
    const name = order.find(({ path }) => isName(path))
    const isNameAligned = sorted.length === 0 || name?.direction === sorted.at(-1)?.direction
    if (tail === 0 || (tail === 1 && equalities.length === 0 && isNameAligned)) return true

    const modes = (filter: FieldFilter) =>
      isOfList(filter.op)
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
    const collection = lastSegment(query.collection)
    const order = fullOrder(query)
    if (alternatives(query.where).every((filters) => isServed(collection, filters, order))) return
    const missing = Buffer.from(JSON.stringify({ collection, where: query.where, order })).toString(
      'base64url',
    )
    throw new StatusError(
      'FAILED_PRECONDITION',
      `The query requires an index. You can create it here: https://console.firebase.google.com/v1/r/project/${projectId}/firestore/indexes?create_composite=${missing}`,
    )
  }
}

export type RequireIndex = ReturnType<typeof createIndexes>
