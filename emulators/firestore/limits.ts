import type { WireFields, WireValue } from '../wire.ts'
import { invalidArgument } from './status.ts'
import { elementsOf } from './values.ts'

/**
 * What Firestore allows of a document's size, by its page 'Storage size calculations'. The limits of one value are with the reading of
 * values, those of a name with the names, those of a query with the queries. Not enforced: index entries, transforms, and how much a
 * transaction may last.
 */
const MAX_DOCUMENT_BYTES = 1_048_576

/** Bytes of a text in UTF-8. */
const textBytes = (text: string) => Buffer.byteLength(text)

/** Each segment of a path with one byte, and sixteen for the whole. `path` is what stands below the database's root. */
const nameBytes = (path: string) =>
  path.split('/').reduce((bytes, segment) => bytes + textBytes(segment) + 1, 16)

function valueBytes(value: WireValue): number {
  if ('stringValue' in value) return textBytes(value.stringValue) + 1
  if ('bytesValue' in value) return Buffer.byteLength(value.bytesValue, 'base64')
  if ('referenceValue' in value) return nameBytes(value.referenceValue.split('/').slice(5).join('/'))
  if ('geoPointValue' in value) return 16
  if ('arrayValue' in value) return elementsOf(value).reduce((bytes, one) => bytes + valueBytes(one), 0)
  if ('mapValue' in value) return fieldBytes(value.mapValue.fields ?? {})
  return 'nullValue' in value || 'booleanValue' in value ? 1 : 8
}

const fieldBytes = (fields: WireFields) =>
  Object.entries(fields).reduce((bytes, [name, value]) => bytes + textBytes(name) + 1 + valueBytes(value), 0)

/** What a document takes of its limit, in bytes. */
export const documentBytes = (path: string, fields: WireFields) => nameBytes(path) + fieldBytes(fields) + 32

/** Refuses a document that is too large to be stored. `name` is its full name. */
export function checkSize(path: string, fields: WireFields, name: string) {
  const bytes = documentBytes(path, fields)
  if (bytes <= MAX_DOCUMENT_BYTES) return
  throw invalidArgument(
    `Document '${name}' cannot be written because its size (${bytes.toLocaleString('en')} bytes) exceeds the maximum allowed size of ${MAX_DOCUMENT_BYTES.toLocaleString('en')} bytes.`,
  )
}
