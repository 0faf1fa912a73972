import type { WireFields, WireValue } from '../wire.ts'
import { invalidArgument } from './status.ts'
import { fullTimestamp, shortTimestamp } from './time.ts'

const MIN_INTEGER = -(2n ** 63n)
const MAX_INTEGER = 2n ** 63n - 1n

/** How many maps and arrays may stand in each other. */
const MAX_DEPTH = 20

/** Of a field's name or a segment of a document's, in UTF-8. */
export const MAX_NAME_BYTES = 1500

/**
 * Reads a value from JSON as the SDKs write it, into the one form in which it is stored and answered. `depth`: how many maps
 * and arrays it stands in.
 */
export function readValue(json: unknown, depth = 0): WireValue {
  if (!isObject(json)) throw invalidArgument('A value has to be an object')
  const [[type, raw] = ['', undefined], ...others] = Object.entries(json)
  if (others.length > 0) throw invalidArgument('A value has exactly one type')
  if (depth === MAX_DEPTH && (type === 'mapValue' || type === 'arrayValue'))
    throw invalidArgument(`Maps and arrays are nested more than ${MAX_DEPTH} levels deep`)
  const value = readOfType(type, raw, depth)
  if (!value) throw invalidArgument(`Invalid ${type || 'value'}: ${JSON.stringify(raw)}`)
  return value
}

/** Reads the other side of a condition: unlike what is stored, its list may have lists in it. */
export function readOperand(json: unknown): WireValue {
  const list = isObject(json) && isObject(json.arrayValue) ? json.arrayValue.values : null
  return Array.isArray(list) ? { arrayValue: { values: list.map((one) => readValue(one)) } } : readValue(json)
}

export function readFields(json: unknown, depth = 0): WireFields {
  if (!isObject(json)) throw invalidArgument('Fields have to be an object')
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      if (/^(|__.*__)$/s.test(name)) throw invalidArgument(`Invalid field name: '${name}'`)
      if (Buffer.byteLength(name) > MAX_NAME_BYTES)
        throw invalidArgument(`A field name is longer than ${MAX_NAME_BYTES} bytes`)
      return [name, readValue(value, depth)]
    }),
  )
}

function readOfType(type: string, raw: unknown, depth: number): WireValue | null {
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
      const text = typeof raw === 'string' ? shortTimestamp(raw) : null
      return text === null ? null : { timestampValue: text }
    }
    case 'stringValue':
      return typeof raw === 'string' ? { stringValue: raw } : null
    case 'bytesValue':
      return isBase64(raw) ? { bytesValue: Buffer.from(raw, 'base64').toString('base64') } : null
    case 'referenceValue':
      return typeof raw === 'string' ? { referenceValue: raw } : null
    case 'geoPointValue':
      return isObject(raw) ? readPoint(raw) : null
    case 'arrayValue': {
      const values = isObject(raw) ? (raw.values ?? []) : null
      if (!Array.isArray(values)) return null
      const elements = values.map((element) => readValue(element, depth + 1))
      if (elements.some((element) => 'arrayValue' in element)) throw invalidArgument('Cannot nest arrays')
      return { arrayValue: { values: elements } }
    }
    case 'mapValue':
      return isObject(raw) ? { mapValue: { fields: readFields(raw.fields ?? {}, depth + 1) } } : null
    default:
      return null
  }
}

const isObject = (json: unknown): json is Record<string, unknown> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** In the alphabet of addresses too, with padding or without. */
const isBase64 = (json: unknown): json is string =>
  typeof json === 'string' && /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/.test(json)

function readPoint({ latitude = 0, longitude = 0 }: Record<string, unknown>): WireValue | null {
  const isOnEarth = isWithin(latitude, 90) && isWithin(longitude, 180)
  return isOnEarth ? { geoPointValue: { latitude, longitude } } : null
}

const isWithin = (degrees: unknown, most: number): degrees is number =>
  typeof degrees === 'number' && Math.abs(degrees) <= most

export const NULL_VALUE: WireValue = { nullValue: null }
export const NAN_VALUE: WireValue = { doubleValue: 'NaN' }

export const isNull = (value: WireValue) => 'nullValue' in value

/** Only a condition of its own finds these: `==` and `!=`, and never a range or a list. */
export const isNullOrNaN = (value: WireValue) =>
  isNull(value) || ('doubleValue' in value && Number.isNaN(Number(value.doubleValue)))

/** A bigint for an integer, a number for a double, null for what is no number. */
function numberOf(value: WireValue): bigint | number | null {
  if ('integerValue' in value) return BigInt(value.integerValue)
  return 'doubleValue' in value ? Number(value.doubleValue) : null
}

export const elementsOf = (value: WireValue | undefined): readonly WireValue[] =>
  value && 'arrayValue' in value ? (value.arrayValue.values ?? []) : []

const TYPE_ORDER: Readonly<Record<string, number>> = {
  nullValue: 0,
  booleanValue: 1,
  integerValue: 2,
  doubleValue: 2,
  timestampValue: 3,
  stringValue: 4,
  bytesValue: 5,
  referenceValue: 6,
  geoPointValue: 7,
  arrayValue: 8,
  mapValue: 9,
}

/** Where the value's type stands among the types; integers and doubles are one type. */
export const typeOrder = (value: WireValue) => TYPE_ORDER[Object.keys(value)[0] ?? ''] ?? -1

/** Firestore's total order over all values: by type first, then within the type. */
export function compareValues(a: WireValue, b: WireValue): number {
  if (typeOrder(a) !== typeOrder(b)) return typeOrder(a) - typeOrder(b)
  if ('booleanValue' in a && 'booleanValue' in b) return Number(a.booleanValue) - Number(b.booleanValue)
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x !== null && y !== null) return compareNumbers(x, y)
  if ('timestampValue' in a && 'timestampValue' in b)
    return compareText(fullTimestamp(a.timestampValue) ?? '', fullTimestamp(b.timestampValue) ?? '')
  if ('stringValue' in a && 'stringValue' in b) return compareText(a.stringValue, b.stringValue)
  if ('bytesValue' in a && 'bytesValue' in b)
    return Buffer.compare(Buffer.from(a.bytesValue, 'base64'), Buffer.from(b.bytesValue, 'base64'))
  if ('referenceValue' in a && 'referenceValue' in b)
    return compareLists(a.referenceValue.split('/'), b.referenceValue.split('/'), compareText)
  if ('geoPointValue' in a && 'geoPointValue' in b)
    return compareLists(pointOf(a.geoPointValue), pointOf(b.geoPointValue), compareNumbers)
  if ('arrayValue' in a && 'arrayValue' in b) return compareLists(elementsOf(a), elementsOf(b), compareValues)
  if ('mapValue' in a && 'mapValue' in b)
    return compareLists(entriesOf(a.mapValue.fields), entriesOf(b.mapValue.fields), compareEntries)
  return 0
}

export const areEqual = (a: WireValue, b: WireValue) => compareValues(a, b) === 0

/** Whether nothing at all differs; unlike in the order, 1 and 1.0 do. */
export const areSameFields = (a: WireFields, b: WireFields): boolean =>
  sameForm({ mapValue: { fields: a } }) === sameForm({ mapValue: { fields: b } })

const sameForm = (value: WireValue): string => {
  if ('mapValue' in value)
    return `{${entriesOf(value.mapValue.fields)
      .map(([name, inner]) => `${JSON.stringify(name)}:${sameForm(inner)}`)
      .join()}}`
  if ('arrayValue' in value) return `[${elementsOf(value).map(sameForm).join()}]`
  return JSON.stringify(value)
}

/** By code point, which is the order of the UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return afterPlane(x) - afterPlane(y)
  }
  return a.length - b.length
}

/** Surrogates stand for code points above all that one unit can hold. */
const afterPlane = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

function compareNumbers(x: bigint | number, y: bigint | number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(y)) - Number(Number.isNaN(x))
  return x < y ? -1 : x > y ? 1 : 0
}

function compareLists<T>(a: readonly T[], b: readonly T[], compare: (x: T, y: T) => number): number {
  const pairs = a.slice(0, b.length).map((x, i) => compare(x, b[i] as T))
  return pairs.find((order) => order !== 0) ?? a.length - b.length
}

const pointOf = ({ latitude = 0, longitude = 0 }) => [latitude, longitude]

const entriesOf = (fields: WireFields = {}) => Object.entries(fields).sort(([a], [b]) => compareText(a, b))

const compareEntries = (a: [string, WireValue], b: [string, WireValue]) =>
  compareText(a[0], b[0]) || compareValues(a[1], b[1])

/** Numbers, texts, lists and records, as a person would write them; timestamps as ISO text. */
export function plainFields(fields: WireFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainValue(value)]))
}

function plainValue(value: WireValue): unknown {
  if ('arrayValue' in value) return elementsOf(value).map(plainValue)
  if ('mapValue' in value) return plainFields(value.mapValue.fields ?? {})
  if ('integerValue' in value || 'doubleValue' in value) return Number(numberOf(value))
  return Object.values(value)[0]
}
