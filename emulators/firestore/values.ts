import type { WireFields, WireValue } from '../wire.ts'
import { createInvalidArgumentError, createUnimplementedError } from './status.ts'
import { normalizeTimestamp, shortenTimestamp } from './time.ts'

const MIN_INTEGER = -(2n ** 63n)
const MAX_INTEGER = 2n ** 63n - 1n

export function parseValue(json: unknown): WireValue {
  if (!isObject(json)) throw createInvalidArgumentError('A value has to be an object')
  const [[type, raw] = ['', undefined], ...others] = Object.entries(json)
  if (others.length > 0) throw createInvalidArgumentError('A value has exactly one type')
  const value = parseTypedValue(type, raw)
  if (!value) throw createInvalidArgumentError(`Invalid ${type || 'value'}: ${JSON.stringify(raw)}`)
  return value
}

/** Unlike a stored value, an operand may be a list of lists. */
export function parseOperand(json: unknown): WireValue {
  const list = isObject(json) && isObject(json.arrayValue) ? json.arrayValue.values : null
  return Array.isArray(list)
    ? { arrayValue: { values: list.map((one) => parseValue(one)) } }
    : parseValue(json)
}

export function parseFields(json: unknown): WireFields {
  if (!isObject(json)) throw createInvalidArgumentError('Fields have to be an object')
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      if (/^(|__.*__)$/s.test(name)) throw createInvalidArgumentError(`Invalid field name: '${name}'`)
      return [name, parseValue(value)]
    }),
  )
}

function parseTypedValue(type: string, raw: unknown): WireValue | null {
  switch (type) {
    case 'nullValue':
      return raw === null || raw === 0 || raw === 'NULL_VALUE' ? { nullValue: null } : null
    case 'booleanValue':
      return typeof raw === 'boolean' ? { booleanValue: raw } : null
    case 'integerValue': {
      if (!/^-?\d+$/.test(String(raw))) return null
      const value = BigInt(String(raw))
      return value >= MIN_INTEGER && value <= MAX_INTEGER ? { integerValue: String(value) } : null
    }
    case 'doubleValue':
      if (typeof raw === 'number') return { doubleValue: raw }
      if (raw === 'NaN' || raw === 'Infinity' || raw === '-Infinity') return { doubleValue: raw }
      return raw === '-0' ? { doubleValue: -0 } : null
    case 'timestampValue': {
      const text = typeof raw === 'string' ? shortenTimestamp(raw) : null
      return text === null ? null : { timestampValue: text }
    }
    case 'stringValue':
      return typeof raw === 'string' ? { stringValue: raw } : null
    case 'referenceValue':
      return typeof raw === 'string' ? { referenceValue: raw } : null
    case 'bytesValue':
    case 'geoPointValue':
      throw createUnimplementedError(type)
    case 'arrayValue': {
      const values = isObject(raw) ? (raw.values ?? []) : null
      if (!Array.isArray(values)) return null
      const elements = values.map((element) => parseValue(element))
      if (elements.some((element) => 'arrayValue' in element))
        throw createInvalidArgumentError('Cannot nest arrays')
      return { arrayValue: { values: elements } }
    }
    case 'mapValue':
      return isObject(raw) ? { mapValue: { fields: parseFields(raw.fields ?? {}) } } : null
    default:
      return null
  }
}

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

export const NULL_WIRE_VALUE: WireValue = { nullValue: null }

/** Only `==` and `!=` find null or NaN. */
export const isNullOrNaN = (value: WireValue) =>
  'nullValue' in value || ('doubleValue' in value && Number.isNaN(Number(value.doubleValue)))

function toNumericValue(value: WireValue): bigint | number | null {
  if ('integerValue' in value) return BigInt(value.integerValue)
  return 'doubleValue' in value ? Number(value.doubleValue) : null
}

export const getElements = (value: WireValue | undefined): readonly WireValue[] =>
  value && 'arrayValue' in value ? (value.arrayValue.values ?? []) : []

const TYPE_ORDER: Readonly<Record<string, number>> = {
  nullValue: 0,
  booleanValue: 1,
  integerValue: 2,
  doubleValue: 2,
  timestampValue: 3,
  stringValue: 4,
  referenceValue: 6,
  arrayValue: 8,
  mapValue: 9,
}

/** Integers and doubles share a rank. */
export const getTypeRank = (value: WireValue) => TYPE_ORDER[Object.keys(value)[0] ?? ''] ?? -1

/** By type first, then by value. */
export function compareValues(a: WireValue, b: WireValue): number {
  if (getTypeRank(a) !== getTypeRank(b)) return getTypeRank(a) - getTypeRank(b)
  if ('booleanValue' in a && 'booleanValue' in b) return Number(a.booleanValue) - Number(b.booleanValue)
  const [x, y] = [toNumericValue(a), toNumericValue(b)]
  if (x !== null && y !== null) return compareNumbers(x, y)
  if ('timestampValue' in a && 'timestampValue' in b)
    return compareText(normalizeTimestamp(a.timestampValue) ?? '', normalizeTimestamp(b.timestampValue) ?? '')
  if ('stringValue' in a && 'stringValue' in b) return compareText(a.stringValue, b.stringValue)
  if ('referenceValue' in a && 'referenceValue' in b)
    return compareLists(a.referenceValue.split('/'), b.referenceValue.split('/'), compareText)
  if ('arrayValue' in a && 'arrayValue' in b)
    return compareLists(getElements(a), getElements(b), compareValues)
  if ('mapValue' in a && 'mapValue' in b)
    return compareLists(sortEntries(a.mapValue.fields), sortEntries(b.mapValue.fields), compareEntries)
  return 0
}

export const areValuesEqual = (a: WireValue, b: WireValue) => compareValues(a, b) === 0

/** Unlike in `compareValues`, 1 and 1.0 differ. */
export const areIdenticalFields = (a: WireFields, b: WireFields): boolean =>
  serializeValue({ mapValue: { fields: a } }) === serializeValue({ mapValue: { fields: b } })

const serializeValue = (value: WireValue): string => {
  if ('mapValue' in value)
    return `{${sortEntries(value.mapValue.fields)
      .map(([name, inner]) => `${JSON.stringify(name)}:${serializeValue(inner)}`)
      .join()}}`
  if ('arrayValue' in value) return `[${getElements(value).map(serializeValue).join()}]`
  return JSON.stringify(value)
}

/** Order by code point equals the order of the UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return afterPlane(x) - afterPlane(y)
  }
  return a.length - b.length
}

/** Surrogate pairs encode code points above U+FFFF. */
const afterPlane = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

function compareNumbers(x: bigint | number, y: bigint | number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x))
  return x < y ? -1 : x > y ? 1 : 0
}

function compareLists<T>(a: readonly T[], b: readonly T[], compare: (x: T, y: T) => number): number {
  const pairs = a.slice(0, b.length).map((x, i) => compare(x, b[i] as T))
  return pairs.find((order) => order !== 0) ?? a.length - b.length
}

const sortEntries = (fields: WireFields = {}) => Object.entries(fields).sort(([a], [b]) => compareText(a, b))

const compareEntries = (a: [string, WireValue], b: [string, WireValue]) =>
  compareText(a[0], b[0]) || compareValues(a[1], b[1])

export function toPlainFields(fields: WireFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toPlainValue(value)]))
}

function toPlainValue(value: WireValue): unknown {
  if ('arrayValue' in value) return getElements(value).map(toPlainValue)
  if ('mapValue' in value) return toPlainFields(value.mapValue.fields ?? {})
  if ('integerValue' in value || 'doubleValue' in value) return Number(toNumericValue(value))
  return Object.values(value)[0]
}
