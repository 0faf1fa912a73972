import { compilePattern } from './pattern.ts'
import {
  areRulesValuesEqual,
  buildBool,
  buildDuration,
  buildError,
  buildInt,
  buildList,
  buildString,
  buildTimestamp,
  compareRulesValues,
  hasUnknown,
  includesValue,
  type MapValue,
  NANOS_PER_MS,
  UNKNOWN_VALUE,
  type Value,
  type ValueType,
} from './values.ts'

// `checkRulesFile` rejects a file that uses other operators, methods and functions.

type Of<T extends ValueType> = Extract<Value, { type: T }>
type Parameter = ValueType | readonly ValueType[]
type Arguments<P extends readonly Parameter[]> = {
  [K in keyof P]: P[K] extends ValueType
    ? Of<P[K]>
    : P[K] extends readonly (infer T extends ValueType)[]
      ? Of<T>
      : never
}

/** A method's target comes first. */
export interface RuleOperation {
  readonly parameters: readonly Parameter[]
  readonly run: (...values: readonly Value[]) => Value
}

/** The first one with matching parameter types is applied. */
export type Overloads = readonly RuleOperation[]

/** Returns the first error among the values, or unknown if one has an unknown part. */
export function applyOperation(overloads: Overloads, values: readonly Value[]): Value {
  const failed = values.find((value) => value.type === 'error')
  if (failed) return failed
  if (values.some(hasUnknown)) return UNKNOWN_VALUE
  const operation = overloads.find(
    ({ parameters }) =>
      parameters.length === values.length &&
      parameters.every((parameter, index) =>
        ([parameter].flat() as ValueType[]).includes(values[index]?.type ?? 'error'),
      ),
  )
  return operation
    ? operation.run(...values)
    : buildError(`not possible with ${values.map(({ type }) => type).join(', ')}`)
}

/** `applyOperation` checks the types, so `run` has exact ones. */
function defineRuleOperation<const P extends readonly Parameter[]>(
  parameters: P,
  run: (...values: Arguments<P>) => Value,
): RuleOperation {
  return { parameters, run: run as unknown as RuleOperation['run'] }
}

const ANY = [
  ...['null', 'bool', 'int', 'float', 'string', 'timestamp', 'duration', 'list', 'path', 'map'],
  ...['map_diff'],
] as const satisfies readonly ValueType[]

const NANOS_PER_SECOND = 1_000_000_000n
const NANOS_PER = new Map([
  ['w', 604_800n * NANOS_PER_SECOND],
  ['d', 86_400n * NANOS_PER_SECOND],
  ['h', 3_600n * NANOS_PER_SECOND],
  ['m', 60n * NANOS_PER_SECOND],
  ['s', NANOS_PER_SECOND],
])

const ordered = (holds: (order: number) => boolean): Overloads =>
  (['int', 'string', 'timestamp', 'duration'] as const).map((type) =>
    defineRuleOperation([type, type], (left, right) => {
      const order = compareRulesValues(left, right)
      return order === null ? buildError('these values have no order') : buildBool(holds(order))
    }),
  )

export const OPERATORS = {
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '+': [
    defineRuleOperation(['int', 'int'], (left, right) => buildInt(left.value + right.value)),
    defineRuleOperation(['string', 'string'], (left, right) => buildString(left.value + right.value)),
    defineRuleOperation(['timestamp', 'duration'], (left, right) => buildTimestamp(left.nanos + right.nanos)),
  ],
  '-': [
    defineRuleOperation(['int', 'int'], (left, right) => buildInt(left.value - right.value)),
    defineRuleOperation(['timestamp', 'duration'], (left, right) => buildTimestamp(left.nanos - right.nanos)),
  ],
  '*': [defineRuleOperation(['int', 'int'], (left, right) => buildInt(left.value * right.value))],
  not: [defineRuleOperation(['bool'], ({ value }) => buildBool(!value))],
  in: [defineRuleOperation([ANY, 'list'], (item, { items }) => buildBool(includesValue(items, item)))],
  index: [
    defineRuleOperation(
      ['list', 'int'],
      ({ items }, { value }) => items[Number(value)] ?? buildError('no such index'),
    ),
  ],
} satisfies Record<string, Overloads>

/** The first argument of these is a regular expression. */
export const PATTERN_METHODS: ReadonlySet<string> = new Set(['matches', 'split', 'replace'])

const withPattern = (pattern: Of<'string'>, use: (regExp: RegExp) => Value): Value => {
  const compiled = compilePattern(pattern.value)
  return 'regExp' in compiled ? use(compiled.regExp) : buildError(compiled.problem)
}

const hasAll = (own: readonly Value[], other: readonly Value[]) =>
  other.every((item) => includesValue(own, item))

const affectedKeys = ({ after, before }: Of<'map_diff'>): Value => {
  const keys = new Set([...after.entries.keys(), ...before.entries.keys()])
  const isAffected = (key: string) => {
    const [now, then] = [after.entries.get(key), before.entries.get(key)]
    return !now || !then || !areRulesValuesEqual(now, then)
  }
  return buildList([...keys].filter(isAffected).map(buildString))
}

export const METHODS_BY_NAME: ReadonlyMap<string, Overloads> = new Map(
  Object.entries<Overloads>({
    size: [
      defineRuleOperation(['string'], ({ value }) => buildInt([...value].length)),
      defineRuleOperation(['list'], ({ items }) => buildInt(items.length)),
    ],
    matches: [
      defineRuleOperation(['string', 'string'], ({ value }, pattern) =>
        withPattern(pattern, ({ source }) => buildBool(new RegExp(`^(?:${source})$`, 'u').test(value))),
      ),
    ],
    split: [
      defineRuleOperation(['string', 'string'], ({ value }, pattern) =>
        withPattern(pattern, (regExp) => buildList(value.split(regExp).map(buildString))),
      ),
    ],
    replace: [
      defineRuleOperation(['string', 'string', 'string'], (text, pattern, substitute) =>
        withPattern(pattern, (regExp) => buildString(text.value.replace(regExp, () => substitute.value))),
      ),
    ],
    trim: [defineRuleOperation(['string'], ({ value }) => buildString(value.trim()))],
    hasAll: [
      defineRuleOperation(['list', 'list'], (own, other) => buildBool(hasAll(own.items, other.items))),
    ],
    hasOnly: [
      defineRuleOperation(['list', 'list'], (own, other) => buildBool(hasAll(other.items, own.items))),
    ],
    keys: [defineRuleOperation(['map'], ({ entries }) => buildList([...entries.keys()].map(buildString)))],
    get: [
      defineRuleOperation(
        ['map', 'string', ANY],
        ({ entries }, { value }, fallback) => entries.get(value) ?? fallback,
      ),
    ],
    diff: [defineRuleOperation(['map', 'map'], (after, before) => ({ type: 'map_diff', after, before }))],
    affectedKeys: [defineRuleOperation(['map_diff'], affectedKeys)],
    toMillis: [defineRuleOperation(['timestamp'], ({ nanos }) => buildInt(nanos / NANOS_PER_MS))],
    year: [defineRuleOperation(['timestamp'], (time) => buildInt(BigInt(toDate(time).getUTCFullYear())))],
    month: [defineRuleOperation(['timestamp'], (time) => buildInt(BigInt(toDate(time).getUTCMonth() + 1)))],
    day: [defineRuleOperation(['timestamp'], (time) => buildInt(BigInt(toDate(time).getUTCDate())))],
  }),
)

const toDate = ({ nanos }: Of<'timestamp'>) => new Date(Number(nanos / NANOS_PER_MS))

export const FUNCTIONS_BY_NAME: ReadonlyMap<string, Overloads> = new Map(
  Object.entries<Overloads>({
    'duration.value': [
      defineRuleOperation(['int', 'string'], ({ value }, unit) => {
        const nanos = NANOS_PER.get(unit.value)
        return nanos === undefined ? buildError(`unknown unit ${unit.value}`) : buildDuration(value * nanos)
      }),
    ],
    int: [
      defineRuleOperation(['string'], ({ value }) =>
        /^-?\d+$/.test(value) ? buildInt(BigInt(value)) : buildError(`${value} is not an int`),
      ),
    ],
    'timestamp.value': [defineRuleOperation(['int'], ({ value }) => buildTimestamp(value * NANOS_PER_MS))],
  }),
)

/** Unknown if the map is partial and does not list the key. */
export function getMapEntry({ entries, partial }: MapValue, key: string): Value {
  return entries.get(key) ?? (partial ? UNKNOWN_VALUE : buildError(`no key ${key}`))
}
