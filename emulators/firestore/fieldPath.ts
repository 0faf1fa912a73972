import type { WireFields, WireValue } from '../wire.ts'
import { invalidArgument } from './status.ts'

/** The names from the document down to a field in nested maps. */
export type FieldPath = readonly string[]

const SEGMENT = /(?:([A-Za-z_][A-Za-z_0-9]*)|`((?:[^`\\]|\\[\s\S])+)`)(\.|$)/y

/** Reads 'a.b' and 'a.`c.d`'. Refuses anything else. */
export function parseFieldPath(text: string): FieldPath {
  const segments: string[] = []
  SEGMENT.lastIndex = 0
  for (;;) {
    const match = SEGMENT.exec(text)
    if (!match) throw invalidArgument(`Invalid field path: ${text}`)
    segments.push(match[1] ?? (match[2] ?? '').replace(/\\([\s\S])/g, '$1'))
    if (match[3] === '') return segments
  }
}

export function fieldAt(fields: WireFields, path: FieldPath): WireValue | undefined {
  const [name = '', ...rest] = path
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (rest.length === 0) return value
  return value && 'mapValue' in value ? fieldAt(value.mapValue.fields ?? {}, rest) : undefined
}

/** A copy in which the field has the value, or is gone when there is none. A value that is no map gives way to one. */
export function withField(fields: WireFields, path: FieldPath, value: WireValue | undefined): WireFields {
  const [name = '', ...rest] = path
  if (rest.length > 0) {
    const inner = Object.hasOwn(fields, name) ? fields[name] : undefined
    const isMap = inner && 'mapValue' in inner
    if (!isMap && value === undefined) return fields
    const nested = withField(isMap ? (inner.mapValue.fields ?? {}) : {}, rest, value)
    return { ...fields, [name]: { mapValue: { fields: nested } } }
  }
  const { [name]: _, ...others } = fields
  return value === undefined ? others : { ...fields, [name]: value }
}

/** Only the named fields of the document. */
export const selectFields = (fields: WireFields, paths: readonly FieldPath[]): WireFields =>
  paths.reduce((selected, path) => {
    const value = fieldAt(fields, path)
    return value === undefined ? selected : withField(selected, path, value)
  }, {} as WireFields)
