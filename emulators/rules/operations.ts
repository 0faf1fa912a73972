import { compilePattern } from './pattern.ts'
import {
  bool,
  compare,
  contains,
  duration,
  equal,
  error,
  float,
  int,
  isOpen,
  list,
  type MapValue,
  NANOS_PER_MS,
  path,
  set,
  string,
  type Type,
  timestamp,
  UNKNOWN,
  type Value,
} from './values.ts'

type Of<T extends Type> = Extract<Value, { type: T }>
type Parameter = Type | readonly Type[]
type Arguments<P extends readonly Parameter[]> = {
  [K in keyof P]: P[K] extends Type
    ? Of<P[K]>
    : P[K] extends readonly (infer T extends Type)[]
      ? Of<T>
      : never
}

/** What an operator, method or function does for certain types; a method's target comes first. */
export interface Operation {
  readonly parameters: readonly Parameter[]
  readonly run: (...values: readonly Value[]) => Value
}

/** All that one name can mean. The first operation whose parameters fit is the one. */
export type Overloads = readonly Operation[]

/**
 * Applies an operation to values. An error among them is the result, otherwise an open value makes
 * the result unknown; no operation for these types is an error.
 */
export function apply(overloads: Overloads, values: readonly Value[]): Value {
  const failed = values.find((value) => value.type === 'error')
  if (failed) return failed
  if (values.some(isOpen)) return UNKNOWN
  const operation = overloads.find(
    ({ parameters }) =>
      parameters.length === values.length &&
      parameters.every((parameter, index) =>
        ([parameter].flat() as Type[]).includes(values[index]?.type ?? 'error'),
      ),
  )
  return operation
    ? operation.run(...values)
    : error(`not possible with ${values.map(({ type }) => type).join(', ')}`)
}

/** Gives `run` its exact types; `apply` calls it with nothing else. */
function on<const P extends readonly Parameter[]>(
  parameters: P,
  run: (...values: Arguments<P>) => Value,
): Operation {
  return { parameters, run: run as unknown as Operation['run'] }
}

const NUMBER = ['int', 'float'] as const
const ITEMS = ['list', 'set'] as const
const ANY = [
  ...['null', 'bool', 'int', 'float', 'string', 'bytes', 'timestamp', 'duration', 'latlng'],
  ...['list', 'set', 'path', 'map', 'map_diff'],
] as const satisfies readonly Type[]

const NANOS_PER_SECOND = 1_000_000_000n
const MS_PER_DAY = 86_400_000
const NANOS_PER = new Map([
  ['w', 604_800n * NANOS_PER_SECOND],
  ['d', 86_400n * NANOS_PER_SECOND],
  ['h', 3_600n * NANOS_PER_SECOND],
  ['m', 60n * NANOS_PER_SECOND],
  ['s', NANOS_PER_SECOND],
  ['ms', NANOS_PER_MS],
  ['ns', 1n],
])

/** Division that rounds down, so that times before 1970 fall into the right day. */
const floorDivide = (dividend: bigint, divisor: bigint): bigint =>
  dividend / divisor - (dividend % divisor < 0n ? 1n : 0n)

const dateOf = ({ nanos }: Of<'timestamp'>): Date => new Date(Number(floorDivide(nanos, NANOS_PER_MS)))
const utc = (...parts: [year: number, month: number, day: number]): number => Date.UTC(...parts)
const startOfDay = (at: Of<'timestamp'>): bigint => BigInt(dateOf(at).setUTCHours(0, 0, 0, 0)) * NANOS_PER_MS

const ofDate = (read: (date: Date) => number): Overloads => [on(['timestamp'], (at) => int(read(dateOf(at))))]

const ordered = (holds: (order: number) => boolean): Overloads =>
  ([NUMBER, ['string'], ['timestamp'], ['duration']] as const).map((types) =>
    on([types, types], (left, right) => {
      const order = compare(left, right)
      return order === null ? error('these have no order') : bool(holds(order))
    }),
  )

const arithmetic = (
  ints: (left: bigint, right: bigint) => Value,
  floats: (left: number, right: number) => number,
): Overloads => [
  on(['int', 'int'], (left, right) => ints(left.value, right.value)),
  on([NUMBER, NUMBER], (left, right) => float(floats(Number(left.value), Number(right.value)))),
]

const nonZero = (divide: (left: bigint, right: bigint) => bigint) => (left: bigint, right: bigint) =>
  right === 0n ? error('division by zero') : int(divide(left, right))

export const OPERATORS = {
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '+': [
    ...arithmetic(
      (left, right) => int(left + right),
      (left, right) => left + right,
    ),
    on(['string', 'string'], (left, right) => string(left.value + right.value)),
    on(['timestamp', 'duration'], (left, right) => timestamp(left.nanos + right.nanos)),
    on(['duration', 'timestamp'], (left, right) => timestamp(left.nanos + right.nanos)),
    on(['duration', 'duration'], (left, right) => duration(left.nanos + right.nanos)),
  ],
  '-': [
    ...arithmetic(
      (left, right) => int(left - right),
      (left, right) => left - right,
    ),
    on(['timestamp', 'duration'], (left, right) => timestamp(left.nanos - right.nanos)),
    on(['timestamp', 'timestamp'], (left, right) => duration(left.nanos - right.nanos)),
    on(['duration', 'duration'], (left, right) => duration(left.nanos - right.nanos)),
  ],
  '*': arithmetic(
    (left, right) => int(left * right),
    (left, right) => left * right,
  ),
  '/': arithmetic(
    nonZero((left, right) => left / right),
    (left, right) => left / right,
  ),
  '%': [on(['int', 'int'], (left, right) => nonZero((a, b) => a % b)(left.value, right.value))],
  not: [on(['bool'], ({ value }) => bool(!value))],
  negate: [on(['int'], ({ value }) => int(-value)), on(['float'], ({ value }) => float(-value))],
  in: [on([ANY, ITEMS], (item, { items }) => bool(contains(items, item)))],
  index: [
    on(['list', 'int'], ({ items }, { value }) => items[Number(value)] ?? error('no such index')),
    on(['string', 'int'], (text, { value }) => {
      const character = characters(text)[Number(value)]
      return character === undefined ? error('no such index') : string(character)
    }),
    on(['path', 'int'], ({ segments }, { value }) => {
      const segment = segments[Number(value)]
      return segment === undefined ? error('no such index') : string(segment)
    }),
  ],
  range: [
    on(['list', 'int', 'int'], ({ items }, from, to) => {
      const range = slice(items, from, to)
      return range ? list(range) : error('no such range')
    }),
    on(['string', 'int', 'int'], (text, from, to) => {
      const range = slice(characters(text), from, to)
      return range ? string(range.join('')) : error('no such range')
    }),
  ],
} satisfies Record<string, Overloads>

const characters = ({ value }: Of<'string'>): string[] => [...value]

function slice<T>(items: readonly T[], from: Of<'int'>, to: Of<'int'>): readonly T[] | null {
  const [start, end] = [Number(from.value), Number(to.value)]
  return 0 <= start && start <= end && end <= items.length ? items.slice(start, end) : null
}

/** The methods whose first argument is a regular expression. */
export const PATTERN_METHODS: ReadonlySet<string> = new Set(['matches', 'split', 'replace'])

const withPattern = (pattern: Of<'string'>, use: (regExp: RegExp) => Value): Value => {
  const compiled = compilePattern(pattern.value)
  return 'regExp' in compiled ? use(compiled.regExp) : error(compiled.problem)
}

const without = (items: readonly Value[], removed: readonly Value[]): Value[] =>
  items.filter((item) => !contains(removed, item))

const keysWhere = (
  { after, before }: Of<'map_diff'>,
  holds: (now: Value | undefined, then: Value | undefined) => boolean,
): Value =>
  set(
    [...new Set([...after.entries.keys(), ...before.entries.keys()])]
      .filter((key) => holds(after.entries.get(key), before.entries.get(key)))
      .map(string),
  )

const isChanged = (now: Value | undefined, then: Value | undefined) => !now || !then || !equal(now, then)

/** The methods by name, over all types. */
export const METHODS_BY_NAME: ReadonlyMap<string, Overloads> = new Map(
  Object.entries<Overloads>({
    size: [
      on(['string'], (text) => int(characters(text).length)),
      on(['bytes'], ({ base64 }) => int(Buffer.from(base64, 'base64').length)),
      on([ITEMS], ({ items }) => int(items.length)),
      on(['map'], ({ entries }) => int(entries.size)),
    ],
    matches: [
      on(['string', 'string'], ({ value }, pattern) =>
        withPattern(pattern, ({ source }) => bool(new RegExp(`^(?:${source})$`, 'u').test(value))),
      ),
    ],
    split: [
      on(['string', 'string'], ({ value }, pattern) =>
        withPattern(pattern, (regExp) => list(value.split(regExp).map(string))),
      ),
    ],
    replace: [
      on(['string', 'string', 'string'], (text, pattern, substitute) =>
        withPattern(pattern, (regExp) => string(text.value.replace(regExp, () => substitute.value))),
      ),
    ],
    lower: [on(['string'], ({ value }) => string(value.toLowerCase()))],
    upper: [on(['string'], ({ value }) => string(value.toUpperCase()))],
    trim: [on(['string'], ({ value }) => string(value.trim()))],

    hasAny: [on([ITEMS, ITEMS], (own, other) => bool(own.items.some((item) => contains(other.items, item))))],
    hasAll: [on([ITEMS, ITEMS], (own, other) => bool(without(other.items, own.items).length === 0))],
    hasOnly: [on([ITEMS, ITEMS], (own, other) => bool(without(own.items, other.items).length === 0))],
    concat: [on(['list', 'list'], (own, other) => list([...own.items, ...other.items]))],
    removeAll: [on(['list', 'list'], (own, other) => list(without(own.items, other.items)))],
    toSet: [on(['list'], ({ items }) => set(items))],
    join: [
      on(['list', 'string'], ({ items }, { value }) =>
        items.every((item) => item.type === 'string')
          ? string(items.map((item) => item.value).join(value))
          : error('only strings can be joined'),
      ),
    ],
    union: [on(['set', 'set'], (own, other) => set([...own.items, ...other.items]))],
    intersection: [
      on(['set', 'set'], (own, other) => set(own.items.filter((item) => contains(other.items, item)))),
    ],
    difference: [on(['set', 'set'], (own, other) => set(without(own.items, other.items)))],

    keys: [on(['map'], ({ entries }) => list([...entries.keys()].map(string)))],
    values: [on(['map'], ({ entries }) => list([...entries.values()]))],
    get: [
      on(['map', 'string', ANY], ({ entries }, { value }, fallback) => entries.get(value) ?? fallback),
      on(['map', 'list', ANY], (own, { items }, fallback) => {
        let found: Value = own
        for (const key of items) {
          if (key.type !== 'string') return error('a key has to be a string')
          found = (found.type === 'map' ? found.entries.get(key.value) : undefined) ?? fallback
          if (found === fallback) break
        }
        return found
      }),
    ],
    diff: [on(['map', 'map'], (after, before) => ({ type: 'map_diff', after, before }))],
    affectedKeys: [on(['map_diff'], (diff) => keysWhere(diff, isChanged))],
    changedKeys: [
      on(['map_diff'], (diff) => keysWhere(diff, (now, then) => !!now && !!then && !equal(now, then))),
    ],
    addedKeys: [on(['map_diff'], (diff) => keysWhere(diff, (_now, then) => !then))],
    removedKeys: [on(['map_diff'], (diff) => keysWhere(diff, (now) => !now))],
    unchangedKeys: [on(['map_diff'], (diff) => keysWhere(diff, (now, then) => !isChanged(now, then)))],

    year: ofDate((date) => date.getUTCFullYear()),
    month: ofDate((date) => date.getUTCMonth() + 1),
    day: ofDate((date) => date.getUTCDate()),
    hours: ofDate((date) => date.getUTCHours()),
    minutes: ofDate((date) => date.getUTCMinutes()),
    dayOfWeek: ofDate((date) => date.getUTCDay() || 7),
    dayOfYear: ofDate(
      (date) => 1 + Math.floor((date.getTime() - utc(date.getUTCFullYear(), 0, 1)) / MS_PER_DAY),
    ),
    toMillis: ofDate((date) => date.getTime()),
    date: [on(['timestamp'], (at) => timestamp(startOfDay(at)))],
    time: [on(['timestamp'], (at) => duration(at.nanos - startOfDay(at)))],
    seconds: [
      ...ofDate((date) => date.getUTCSeconds()),
      on(['duration'], ({ nanos }) => int(nanos / NANOS_PER_SECOND)),
    ],
    nanos: [
      on(['timestamp'], ({ nanos }) => int(nanos - floorDivide(nanos, NANOS_PER_SECOND) * NANOS_PER_SECOND)),
      on(['duration'], ({ nanos }) => int(nanos % NANOS_PER_SECOND)),
    ],
  }),
)

/** The functions that need nothing but their arguments. */
export const FUNCTIONS_BY_NAME: ReadonlyMap<string, Overloads> = new Map(
  Object.entries<Overloads>({
    path: [on(['string'], ({ value }) => path(value))],
    string: [
      on(['null'], () => string('null')),
      on(['string'], (value) => value),
      on([['bool', 'int', 'float']], ({ value }) => string(String(value))),
      on(['path'], ({ segments }) => string(`/${segments.join('/')}`)),
    ],
    bool: [
      on(['bool'], (value) => value),
      on(['string'], ({ value }) =>
        value === 'true' || value === 'false' ? bool(value === 'true') : error('not a bool'),
      ),
    ],
    int: [
      on(['int'], (value) => value),
      on(['float'], ({ value }) => (Number.isFinite(value) ? int(Math.trunc(value)) : error('not an int'))),
      on(['string'], ({ value }) => (/^[+-]?[0-9]+$/.test(value) ? int(BigInt(value)) : error('not an int'))),
    ],
    float: [
      on([NUMBER], ({ value }) => float(Number(value))),
      on(['string'], ({ value }) =>
        value.trim() !== '' && !Number.isNaN(Number(value)) ? float(Number(value)) : error('not a float'),
      ),
    ],
    'duration.value': [
      on(['int', 'string'], ({ value }, unit) => {
        const nanos = NANOS_PER.get(unit.value)
        return nanos === undefined ? error(`no unit ${unit.value}`) : duration(value * nanos)
      }),
    ],
    'duration.time': [
      on(['int', 'int', 'int', 'int'], (hours, minutes, seconds, nanos) =>
        duration(
          (hours.value * 3_600n + minutes.value * 60n + seconds.value) * NANOS_PER_SECOND + nanos.value,
        ),
      ),
    ],
    'timestamp.value': [on(['int'], ({ value }) => timestamp(value * NANOS_PER_MS))],
    'timestamp.date': [
      on(['int', 'int', 'int'], (year, month, day) => {
        const ms = utc(Number(year.value), Number(month.value) - 1, Number(day.value))
        return Number.isNaN(ms) ? error('no such date') : timestamp(BigInt(ms) * NANOS_PER_MS)
      }),
    ],
  }),
)

/** The value under a key; unknown when the map is known only in part and does not list the key. */
export function entryOf({ entries, partial }: MapValue, key: string): Value {
  return entries.get(key) ?? (partial ? UNKNOWN : error(`no key ${key}`))
}
