import { err, ok, type Result } from './result.ts'

/** Parses a value from outside. @throws ValidationError if it is invalid. */
export type Schema<T> = (value: unknown) => T

/** The schema of an optional field. */
export type OptionalSchema<T> = Schema<T | undefined> & { readonly isOptional: true }

export type InferOutput<S> = S extends Schema<infer T> ? T : never

/**
 * Thrown for an invalid value from outside. Path and reason don't contain the value, so they can be logged.
 */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
  /** The path of the field, such as 'destination.code'. */
  readonly path: string
  readonly reason: string

  constructor(path: string, reason = 'is not valid') {
    super(path)
    this.path = path
    this.reason = reason
  }
}

/** Rejects the value that a schema was called with. */
export function fail(reason?: string): never {
  throw new ValidationError('', reason)
}

export const unknown: Schema<unknown> = (value) => value

export const string: Schema<string> = (value) => (typeof value === 'string' ? value : fail())

/** Accepts finite numbers only. */
export const number: Schema<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : fail()

export const integer: Schema<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : fail()

export const boolean: Schema<boolean> = (value) => (typeof value === 'boolean' ? value : fail())

export const picklist =
  <const T extends string | boolean>(...values: readonly T[]): Schema<T> =>
  (value) =>
    values.find((one) => one === value) ?? fail()

/**
 * A string that was a member of `T` when it was stored. Accepts any string, because members may have been
 * removed since.
 */
export const legacyString =
  <T extends string>(): Schema<T> =>
  (value) =>
    string(value) as T

export const array =
  <T>(schema: Schema<T>): Schema<readonly T[]> =>
  (value) =>
    Array.isArray(value) ? value.map((one) => schema(one)) : fail()

const readEntries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : fail()

/** An object with any keys. */
export const record =
  <T>(schema: Schema<T>): Schema<Readonly<Record<string, T>>> =>
  (value) =>
    Object.fromEntries(readEntries(value).map(([key, one]) => [key, schema(one)]))

/** Accepts null, and reads a missing value as null. */
export const nullable =
  <T>(schema: Schema<T>): Schema<T | null> =>
  (value) =>
    value === null || value === undefined ? null : schema(value)

export const optional = <T>(schema: Schema<T>): OptionalSchema<T> =>
  ((value) => (value === undefined ? undefined : schema(value))) as OptionalSchema<T>

/** Returns `instead` if the schema rejects the value. */
export const fallback =
  <T, const U>(schema: Schema<T>, instead: U): Schema<T | U> =>
  (value) => {
    const parsed = safeParse(schema, value)
    return parsed.ok ? parsed.value : instead
  }

type Fields = Readonly<Record<string, Schema<unknown>>>
type OptionalKey<F> = { [Key in keyof F]: F[Key] extends OptionalSchema<unknown> ? Key : never }[keyof F]
type Flat<T> = { [Key in keyof T]: T[Key] }
export type ObjectOutput<F> = Flat<
  { readonly [Key in keyof F as Key extends OptionalKey<F> ? never : Key]: InferOutput<F[Key]> } & {
    readonly [Key in keyof F as Key extends OptionalKey<F> ? Key : never]?: Exclude<
      InferOutput<F[Key]>,
      undefined
    >
  }
>

/** An object with these fields; drops other fields. */
export const object =
  <F extends Fields>(fields: F): Schema<ObjectOutput<F>> =>
  (value) => {
    const known = new Map(readEntries(value))
    const output: Record<string, unknown> = {}
    for (const key in fields)
      try {
        const one = fields[key]?.(known.get(key))
        if (one !== undefined) output[key] = one
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error
        throw new ValidationError(error.path ? `${key}.${error.path}` : key, error.reason)
      }
    return output as ObjectOutput<F>
  }

/** An object with these fields; rejects other fields. */
export const strictObject = <F extends Fields>(fields: F): Schema<ObjectOutput<F>> => {
  const parse = object(fields)
  return (value) => {
    const parsed = parse(value)
    const other = Object.keys(value as object).find((key) => !Object.hasOwn(fields, key))
    return other === undefined ? parsed : fail(`has an unknown field ${JSON.stringify(other)}`)
  }
}

/** Parses the value with the first schema that accepts it. */
export const union =
  <T, U>(one: Schema<T>, other: Schema<U>): Schema<T | U> =>
  (value) => {
    const parsed = safeParse(one, value)
    return parsed.ok ? parsed.value : other(value)
  }

/** Adds a rule to a schema. */
export const check =
  <T>(schema: Schema<T>, isValid: (value: T) => boolean, reason?: string): Schema<T> =>
  (value) => {
    const parsed = schema(value)
    return isValid(parsed) ? parsed : fail(reason)
  }

/** Converts the parsed value. `convert` may reject it with `fail`. */
export const transform =
  <T, U>(schema: Schema<T>, convert: (value: T) => U): Schema<U> =>
  (value) =>
    convert(schema(value))

export const pattern = (regex: RegExp, reason?: string) => check(string, (value) => regex.test(value), reason)

/** Limits the length of a string, in UTF-16 units. */
export const maxLength = (most: number) => check(string, ({ length }) => length <= most)

export const positive = (schema: Schema<number>) => check(schema, (value) => value > 0)

/** A UUID, which is converted to lower case. */
export const uuid: Schema<string> = transform(
  pattern(/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i, 'must be a UUID'),
  (value) => value.toLowerCase(),
)

/** An existing day as 'YYYY-MM-DD'. */
export const day = check(
  pattern(/^\d{4}-\d\d-\d\d$/),
  (value) => new Date(`${value}T00:00:00Z`).getUTCDate() === Number(value.slice(8)),
)

export function safeParse<T>(schema: Schema<T>, value: unknown): Result<T, ValidationError> {
  try {
    return ok(schema(value))
  } catch (error) {
    if (error instanceof ValidationError) return err(error)
    throw error
  }
}

/** Parses a value; null if the schema rejects it. */
export function parseOrNull<T>(schema: Schema<T>, value: unknown): T | null {
  const parsed = safeParse(schema, value)
  return parsed.ok ? parsed.value : null
}
