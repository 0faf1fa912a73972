import type { WireFields, WireValue } from '../wire.ts'
import { createInvalidArgumentError } from './status.ts'
import { getElements } from './values.ts'

/**
 * From Firestore's page 'Storage size calculations'. Limits on index entries and transforms are not enforced.
 */
const MAX_DOCUMENT_BYTES = 1_048_576

const textBytes = (text: string) => Buffer.byteLength(text)

/** One byte more for each segment, and 16 in total. `path` is below the root. */
const nameBytes = (path: string) =>
  path.split('/').reduce((bytes, segment) => bytes + textBytes(segment) + 1, 16)

function valueBytes(value: WireValue): number {
  if ('stringValue' in value) return textBytes(value.stringValue) + 1
  if ('referenceValue' in value) return nameBytes(value.referenceValue.split('/').slice(5).join('/'))
  if ('arrayValue' in value) return getElements(value).reduce((bytes, one) => bytes + valueBytes(one), 0)
  if ('mapValue' in value) return fieldBytes(value.mapValue.fields ?? {})
  return 'nullValue' in value || 'booleanValue' in value ? 1 : 8
}

const fieldBytes = (fields: WireFields) =>
  Object.entries(fields).reduce((bytes, [name, value]) => bytes + textBytes(name) + 1 + valueBytes(value), 0)

export const computeDocumentSize = (path: string, fields: WireFields) =>
  nameBytes(path) + fieldBytes(fields) + 32

/** `name`: the document's full name. */
export function checkDocumentSize(path: string, fields: WireFields, name: string) {
  const bytes = computeDocumentSize(path, fields)
  if (bytes <= MAX_DOCUMENT_BYTES) return
  throw createInvalidArgumentError(
    `Document '${name}' cannot be written because its size (${bytes.toLocaleString('en')} bytes) exceeds the maximum allowed size of ${MAX_DOCUMENT_BYTES.toLocaleString('en')} bytes.`,
  )
}
