import type { WireFields, WireValue } from '../wire.ts'

export type MapValue = {
  readonly type: 'map'
  readonly entries: ReadonlyMap<string, Value>
  /** Keys that are not listed may exist as well. */
  readonly partial: boolean
}

/**
 * A value of the rules language. `error` and `unknown` are values too: an error is what a failed
 * operation yields, unknown is what a query leaves open; `&&` and `||` can absorb both.
 */
export type Value =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'timestamp'; readonly nanos: bigint }
  | { readonly type: 'duration'; readonly nanos: bigint }
  | { readonly type: 'list'; readonly items: readonly Value[] }
  | { readonly type: 'path'; readonly segments: readonly string[] }
  | MapValue
  | { readonly type: 'map_diff'; readonly after: MapValue; readonly before: MapValue }
  /** Bytes or a place: rules can only compare them. */
  | { readonly type: 'opaque'; readonly json: string }
  | { readonly type: 'error'; readonly reason: string }
  | { readonly type: 'unknown' }

export type Type = Value['type']

const TYPES = ['bool', 'int', 'float', 'string', 'timestamp', 'duration', 'list', 'path', 'map'] as const

/** What may stand after `is`, with the types it covers. */
export const TYPE_TESTS: ReadonlyMap<string, readonly Type[]> = new Map<string, readonly Type[]>([
  ...TYPES.map((type): [string, readonly Type[]] => [type, [type]]),
  ['number', ['int', 'float']],
])

export const NULL: Value = { type: 'null' }
export const UNKNOWN: Value = { type: 'unknown' }
export const bool = (value: boolean): Value => ({ type: 'bool', value })
export const float = (value: number): Value => ({ type: 'float', value })
export const string = (value: string): Value => ({ type: 'string', value })
export const list = (items: readonly Value[]): Value => ({ type: 'list', items })
export const timestamp = (nanos: bigint): Value => ({ type: 'timestamp', nanos })
export const duration = (nanos: bigint): Value => ({ type: 'duration', nanos })
export const error = (reason: string): Value => ({ type: 'error', reason })

/** A 64-bit integer; an error when it does not fit. */
export const int = (value: bigint | number): Value => {
  const integer = BigInt(value)
  return BigInt.asIntN(64, integer) === integer ? { type: 'int', value: integer } : error('integer overflow')
}

export const map = (entries: Iterable<readonly [string, Value]>, partial = false): MapValue => ({
  type: 'map',
  entries: new Map(entries),
  partial,
})

/** '/databases/(default)/documents/users/abc' as a path value. */
export const path = (text: string): Value => ({ type: 'path', segments: segmentsOf(text) })

export const segmentsOf = (text: string): string[] => text.split('/').filter((segment) => segment !== '')

export const NANOS_PER_MS = 1_000_000n

/** Whether some part of the value is left open. */
export function isOpen(value: Value): boolean {
  switch (value.type) {
    case 'unknown':
      return true
    case 'list':
      return value.items.some(isOpen)
    case 'map':
      return value.partial || [...value.entries.values()].some(isOpen)
    default:
      return false
  }
}

/** Equality of two values without open parts. Different types differ, except int and float. */
export function equal(left: Value, right: Value): boolean {
  if (left.type === 'int' && right.type === 'float') return equal(right, left)
  switch (left.type) {
    case 'null':
      return right.type === 'null'
    case 'bool':
    case 'string':
    case 'int':
      return right.type === left.type && right.value === left.value
    case 'float':
      if (right.type === 'int') return Number.isInteger(left.value) && BigInt(left.value) === right.value
      return right.type === 'float' && right.value === left.value
    case 'opaque':
      return right.type === 'opaque' && right.json === left.json
    case 'timestamp':
    case 'duration':
      return right.type === left.type && right.nanos === left.nanos
    case 'list':
      return (
        right.type === 'list' &&
        right.items.length === left.items.length &&
        left.items.every((item, index) => equal(item, right.items[index] ?? NULL))
      )
    case 'path':
      return right.type === 'path' && right.segments.join('/') === left.segments.join('/')
    case 'map':
      return (
        right.type === 'map' &&
        right.entries.size === left.entries.size &&
        [...left.entries].every(([key, value]) => {
          const other = right.entries.get(key)
          return other !== undefined && equal(value, other)
        })
      )
    default:
      return false
  }
}

export const contains = (items: readonly Value[], item: Value): boolean =>
  items.some((each) => equal(each, item))

/** Negative, zero or positive; null when the two have no order. Strings order by code point. */
export function compare(left: Value, right: Value): number | null {
  if ((left.type === 'int' || left.type === 'float') && (right.type === 'int' || right.type === 'float')) {
    if (Number.isNaN(left.value) || Number.isNaN(right.value)) return Number.NaN
    return left.value < right.value ? -1 : left.value > right.value ? 1 : 0
  }
  if (left.type === 'string' && right.type === 'string') {
    return Buffer.compare(Buffer.from(left.value), Buffer.from(right.value))
  }
  if (
    (left.type === 'timestamp' && right.type === 'timestamp') ||
    (left.type === 'duration' && right.type === 'duration')
  ) {
    return left.nanos < right.nanos ? -1 : left.nanos > right.nanos ? 1 : 0
  }
  return null
}

function fromWire(value: WireValue): Value {
  if ('nullValue' in value) return NULL
  if ('booleanValue' in value) return bool(value.booleanValue)
  if ('integerValue' in value) return int(BigInt(value.integerValue))
  if ('doubleValue' in value) return float(Number(value.doubleValue))
  if ('timestampValue' in value) return timestamp(nanosOf(value.timestampValue))
  if ('stringValue' in value) return string(value.stringValue)
  if ('referenceValue' in value) return path(value.referenceValue.replace(/^projects\/[^/]+/, ''))
  if ('bytesValue' in value || 'geoPointValue' in value)
    return { type: 'opaque', json: JSON.stringify(value) }
  if ('arrayValue' in value) return list((value.arrayValue.values ?? []).map(fromWire))
  return fromFields(value.mapValue.fields ?? {})
}

export const fromFields = (fields: WireFields, partial = false): MapValue =>
  map(
    Object.entries(fields).map(([name, value]) => [name, fromWire(value)]),
    partial,
  )

/** A claim of an ID token. */
export function fromJson(value: unknown): Value {
  if (value === null || value === undefined) return NULL
  if (typeof value === 'boolean') return bool(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? int(value) : float(value)
  if (typeof value === 'string') return string(value)
  if (Array.isArray(value)) return list(value.map(fromJson))
  if (typeof value === 'object') return map(Object.entries(value).map(([key, item]) => [key, fromJson(item)]))
  return error(`no such value in the rules language: ${typeof value}`)
}

/** Nanoseconds since the epoch of an RFC 3339 timestamp. */
function nanosOf(text: string): bigint {
  const [, seconds, fraction = '', zone] = /^(.*?)(?:\.([0-9]+))?(Z|[+-][0-9:]+)$/.exec(text) ?? []
  return BigInt(Date.parse(`${seconds}${zone}`)) * NANOS_PER_MS + BigInt(fraction.padEnd(9, '0').slice(0, 9))
}
