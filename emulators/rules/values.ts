import type { WireFields, WireValue } from '../wire.ts'

export type MapValue = {
  readonly type: 'map'
  readonly entries: ReadonlyMap<string, Value>
  /** Whether keys that are not listed may exist too. */
  readonly partial: boolean
}

/** `&&` and `||` can absorb `error` (a failed operation) and `unknown` (not fixed by a query). */
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
  | { readonly type: 'error'; readonly reason: string }
  | { readonly type: 'unknown' }

export type ValueType = Value['type']

/** Allowed after `is`. */
export const TYPE_TESTS: ReadonlySet<string> = new Set<ValueType>([
  ...(['bool', 'int', 'string', 'timestamp', 'duration', 'list', 'path', 'map'] as const),
])

export const NULL_VALUE: Value = { type: 'null' }
export const UNKNOWN_VALUE: Value = { type: 'unknown' }
export const buildBool = (value: boolean): Value => ({ type: 'bool', value })
const buildFloat = (value: number): Value => ({ type: 'float', value })
export const buildString = (value: string): Value => ({ type: 'string', value })
export const buildList = (items: readonly Value[]): Value => ({ type: 'list', items })
export const buildTimestamp = (nanos: bigint): Value => ({ type: 'timestamp', nanos })
export const buildDuration = (nanos: bigint): Value => ({ type: 'duration', nanos })
export const buildError = (reason: string): Value => ({ type: 'error', reason })

/** 64 bits; an error if the value does not fit. */
export const buildInt = (value: bigint | number): Value => {
  const integer = BigInt(value)
  return BigInt.asIntN(64, integer) === integer
    ? { type: 'int', value: integer }
    : buildError('integer overflow')
}

export const buildMap = (entries: Iterable<readonly [string, Value]>, partial = false): MapValue => ({
  type: 'map',
  entries: new Map(entries),
  partial,
})

export const parsePathValue = (text: string): Value => ({ type: 'path', segments: splitPath(text) })

export const splitPath = (text: string): string[] => text.split('/').filter((segment) => segment !== '')

export const NANOS_PER_MS = 1_000_000n

export function hasUnknown(value: Value): boolean {
  switch (value.type) {
    case 'unknown':
      return true
    case 'list':
      return value.items.some(hasUnknown)
    case 'map':
      return value.partial || [...value.entries.values()].some(hasUnknown)
    default:
      return false
  }
}

/** Values of different types differ, except int and float. */
export function areRulesValuesEqual(left: Value, right: Value): boolean {
  if (left.type === 'int' && right.type === 'float') return areRulesValuesEqual(right, left)
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
    case 'timestamp':
    case 'duration':
      return right.type === left.type && right.nanos === left.nanos
    case 'list':
      return (
        right.type === 'list' &&
        right.items.length === left.items.length &&
        left.items.every((item, index) => areRulesValuesEqual(item, right.items[index] ?? NULL_VALUE))
      )
    case 'path':
      return right.type === 'path' && right.segments.join('/') === left.segments.join('/')
    case 'map':
      return (
        right.type === 'map' &&
        right.entries.size === left.entries.size &&
        [...left.entries].every(([key, value]) => {
          const other = right.entries.get(key)
          return other !== undefined && areRulesValuesEqual(value, other)
        })
      )
    default:
      return false
  }
}

export const includesValue = (items: readonly Value[], item: Value): boolean =>
  items.some((each) => areRulesValuesEqual(each, item))

/** Null without an order. Strings are ordered by code point. */
export function compareRulesValues(left: Value, right: Value): number | null {
  if (left.type === 'int' && right.type === 'int')
    return left.value < right.value ? -1 : left.value > right.value ? 1 : 0
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
  if ('nullValue' in value) return NULL_VALUE
  if ('booleanValue' in value) return buildBool(value.booleanValue)
  if ('integerValue' in value) return buildInt(BigInt(value.integerValue))
  if ('doubleValue' in value) return buildFloat(Number(value.doubleValue))
  if ('timestampValue' in value) return buildTimestamp(parseNanos(value.timestampValue))
  if ('stringValue' in value) return buildString(value.stringValue)
  if ('referenceValue' in value) return parsePathValue(value.referenceValue.replace(/^projects\/[^/]+/, ''))
  if ('arrayValue' in value) return buildList((value.arrayValue.values ?? []).map(fromWire))
  return toRulesMap(value.mapValue.fields ?? {})
}

export const toRulesMap = (fields: WireFields, partial = false): MapValue =>
  buildMap(
    Object.entries(fields).map(([name, value]) => [name, fromWire(value)]),
    partial,
  )

export function toRulesValue(value: unknown): Value {
  if (value === null || value === undefined) return NULL_VALUE
  if (typeof value === 'boolean') return buildBool(value)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? buildInt(value) : buildFloat(value)
  if (typeof value === 'string') return buildString(value)
  if (Array.isArray(value)) return buildList(value.map(toRulesValue))
  if (typeof value === 'object')
    return buildMap(Object.entries(value).map(([key, item]) => [key, toRulesValue(item)]))
  return buildError(`no such value in the rules language: ${typeof value}`)
}

function parseNanos(text: string): bigint {
  const [, seconds, fraction = '', zone] = /^(.*?)(?:\.([0-9]+))?(Z|[+-][0-9:]+)$/.exec(text) ?? []
  return BigInt(Date.parse(`${seconds}${zone}`)) * NANOS_PER_MS + BigInt(fraction.padEnd(9, '0').slice(0, 9))
}
