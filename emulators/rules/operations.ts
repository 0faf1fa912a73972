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
  string,
  type Type,
  timestamp,
  UNKNOWN,
  type Value,
} from './values.ts'

// The operators, methods and functions that rules files use here. `check` refuses a file that uses another one.

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

/** The operations of one name. The first one whose parameters fit is applied. */
export type Overloads = readonly Operation[]

/**
 * Applies an operation to values. An error among them is the result; otherwise an open value makes the result unknown.
 * Without an operation for these types the result is an error.
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
const ANY = [
  ...['null', 'bool', 'int', 'float', 'string', 'timestamp', 'duration', 'list', 'path', 'map'],
  ...['map_diff', 'opaque'],
] as const satisfies readonly Type[]

const NANOS_PER_SECOND = 1_000_000_000n
const NANOS_PER = new Map([
  ['w', 604_800n * NANOS_PER_SECOND],
  ['d', 86_400n * NANOS_PER_SECOND],
  ['h', 3_600n * NANOS_PER_SECOND],
  ['m', 60n * NANOS_PER_SECOND],
  ['s', NANOS_PER_SECOND],
])

const ordered = (holds: (order: number) => boolean): Overloads =>
  ([NUMBER, ['string'], ['timestamp'], ['duration']] as const).map((types) =>
    on([types, types], (left, right) => {
      const order = compare(left, right)
      return order === null ? error('these have no order') : bool(holds(order))
    }),
  )

const arithmetic = (
  ints: (left: bigint, right: bigint) => bigint,
  floats: (left: number, right: number) => number,
): Overloads => [
  on(['int', 'int'], (left, right) => int(ints(left.value, right.value))),
  on([NUMBER, NUMBER], (left, right) => float(floats(Number(left.value), Number(right.value)))),
]

export const OPERATORS = {
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '+': [
    ...arithmetic(
      (left, right) => left + right,
      (left, right) => left + right,
    ),
    on(['string', 'string'], (left, right) => string(left.value + right.value)),
    on(['timestamp', 'duration'], (left, right) => timestamp(left.nanos + right.nanos)),
  ],
  '-': [
    ...arithmetic(
      (left, right) => left - right,
      (left, right) => left - right,
    ),
    on(['timestamp', 'duration'], (left, right) => timestamp(left.nanos - right.nanos)),
    on(['timestamp', 'timestamp'], (left, right) => duration(left.nanos - right.nanos)),
  ],
  '*': arithmetic(
    (left, right) => left * right,
    (left, right) => left * right,
  ),
  not: [on(['bool'], ({ value }) => bool(!value))],
  negate: [on(['int'], ({ value }) => int(-value))],
  in: [on([ANY, 'list'], (item, { items }) => bool(contains(items, item)))],
  index: [on(['list', 'int'], ({ items }, { value }) => items[Number(value)] ?? error('no such index'))],
} satisfies Record<string, Overloads>

/** The methods whose first argument is a regular expression. */
export const PATTERN_METHODS: ReadonlySet<string> = new Set(['matches', 'split', 'replace'])

const withPattern = (pattern: Of<'string'>, use: (regExp: RegExp) => Value): Value => {
  const compiled = compilePattern(pattern.value)
  return 'regExp' in compiled ? use(compiled.regExp) : error(compiled.problem)
}

const hasAll = (own: readonly Value[], other: readonly Value[]) => other.every((item) => contains(own, item))

/** The keys that were added, removed or changed. */
const affectedKeys = ({ after, before }: Of<'map_diff'>): Value => {
  const keys = new Set([...after.entries.keys(), ...before.entries.keys()])
  const isAffected = (key: string) => {
    const [now, then] = [after.entries.get(key), before.entries.get(key)]
    return !now || !then || !equal(now, then)
  }
  return list([...keys].filter(isAffected).map(string))
}

/** The methods by name, over all types. */
export const METHODS_BY_NAME: ReadonlyMap<string, Overloads> = new Map(
  Object.entries<Overloads>({
    size: [
      on(['string'], ({ value }) => int([...value].length)),
      on(['list'], ({ items }) => int(items.length)),
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
    hasAny: [
      on(['list', 'list'], (own, other) => bool(own.items.some((item) => contains(other.items, item)))),
    ],
    hasAll: [on(['list', 'list'], (own, other) => bool(hasAll(own.items, other.items)))],
    hasOnly: [on(['list', 'list'], (own, other) => bool(hasAll(other.items, own.items)))],
    keys: [on(['map'], ({ entries }) => list([...entries.keys()].map(string)))],
    get: [on(['map', 'string', ANY], ({ entries }, { value }, fallback) => entries.get(value) ?? fallback)],
    diff: [on(['map', 'map'], (after, before) => ({ type: 'map_diff', after, before }))],
    affectedKeys: [on(['map_diff'], affectedKeys)],
    toMillis: [on(['timestamp'], ({ nanos }) => int(nanos / NANOS_PER_MS))],
  }),
)

/** The functions that need nothing but their arguments. */
export const FUNCTIONS_BY_NAME: ReadonlyMap<string, Overloads> = new Map(
  Object.entries<Overloads>({
    'duration.value': [
      on(['int', 'string'], ({ value }, unit) => {
        const nanos = NANOS_PER.get(unit.value)
        return nanos === undefined ? error(`no unit ${unit.value}`) : duration(value * nanos)
      }),
    ],
    'timestamp.value': [on(['int'], ({ value }) => timestamp(value * NANOS_PER_MS))],
  }),
)

/** The value under a key; unknown when the map is known only in part and does not list the key. */
export function entryOf({ entries, partial }: MapValue, key: string): Value {
  return entries.get(key) ?? (partial ? UNKNOWN : error(`no key ${key}`))
}
