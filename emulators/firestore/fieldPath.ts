import type { WireFields, WireValue } from '../wire.ts'
import { createInvalidArgumentError } from './status.ts'

export type FieldPath = readonly string[]

const SEGMENT = /(?:([A-Za-z_][A-Za-z_0-9]*)|`((?:[^`\\]|\\[\s\S])+)`)(\.|$)/y

/** Such as 'a.b' or 'a.`c.d`'. */
export function parseFieldPath(text: string): FieldPath {
  const segments: string[] = []
  SEGMENT.lastIndex = 0
  for (;;) {
    const match = SEGMENT.exec(text)
    if (!match) throw createInvalidArgumentError(`Invalid field path: ${text}`)
    segments.push(match[1] ?? (match[2] ?? '').replace(/\\([\s\S])/g, '$1'))
    if (match[3] === '') return segments
  }
}

export function getField(fields: WireFields, path: FieldPath): WireValue | undefined {
  const [name = '', ...rest] = path
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (rest.length === 0) return value
  return value && 'mapValue' in value ? getField(value.mapValue.fields ?? {}, rest) : undefined
}

/** Removes the field if `value` is undefined. Replaces values on the path that are not maps. */
export function setField(fields: WireFields, path: FieldPath, value: WireValue | undefined): WireFields {
  const [name = '', ...rest] = path
  if (rest.length > 0) {
    const inner = Object.hasOwn(fields, name) ? fields[name] : undefined
    const isMap = inner && 'mapValue' in inner
    if (!isMap && value === undefined) return fields
    const nested = setField(isMap ? (inner.mapValue.fields ?? {}) : {}, rest, value)
    return { ...fields, [name]: { mapValue: { fields: nested } } }
  }
  const { [name]: _, ...others } = fields
  return value === undefined ? others : { ...fields, [name]: value }
}
