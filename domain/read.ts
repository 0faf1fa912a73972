/** Takes what came from outside for what it has to be. @throws Misfit when it is something else. */
export type Reader<T> = (value: unknown) => T

/** What a reader answers. */
export type Read<R> = R extends Reader<infer T> ? T : never

/** Something from outside is not what it has to be. `message`: where, as 'destination.code'. It never says what stood there. */
export class Misfit extends Error {
  override readonly name = 'Misfit'
}

export function misfit(): never {
  throw new Misfit('')
}

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : misfit())

/** Finite. */
export const number: Reader<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : misfit()

export const integer: Reader<number> = (value) =>
  typeof value === 'number' && Number.isInteger(value) ? value : misfit()

export const boolean: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : misfit())

/** Any of these, and nothing else. */
export const oneOf =
  <const T extends string | boolean>(...values: readonly T[]): Reader<T> =>
  (value) =>
    values.find((one) => one === value) ?? misfit()

/** Each of them is read; one that does not fit is none. */
export const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (value) =>
    Array.isArray(value) ? value.map((one) => read(one)) : misfit()

/** What an object has under any names. */
export const valuesOf =
  <T>(read: Reader<T>): Reader<Readonly<Record<string, T>>> =>
  (value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, read(one)]))
      : misfit()

/** Null for what is null or not there. */
export const orNull =
  <T>(read: Reader<T>): Reader<T | null> =>
  (value) =>
    value === null || value === undefined ? null : read(value)

/** What may be left out. */
export const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value) =>
    value === undefined ? undefined : read(value)

/** What is something else is as good as not there: null. */
export const elseNull =
  <T>(read: Reader<T>): Reader<T | null> =>
  (value) =>
    fitting(read, value)

/** An object with these fields; what else it holds is left out. */
export const object =
  <T extends object>(fields: { readonly [Field in keyof T]-?: Reader<T[Field]> }): Reader<T> =>
  (value) => {
    if (typeof value !== 'object' || value === null) return misfit()
    const known = new Map<string, unknown>(Object.entries(value))
    const read: Partial<T> = {}
    for (const field in fields)
      try {
        const one = fields[field](known.get(field))
        if (one !== undefined) read[field] = one
      } catch (error) {
        if (!(error instanceof Misfit)) throw error
        throw new Misfit(error.message ? `${field}.${error.message}` : field)
      }
    return read as T
  }

/** What the reader makes of it; null when it is something else. */
export function fitting<T>(read: Reader<T>, value: unknown): T | null {
  try {
    return read(value)
  } catch (error) {
    if (error instanceof Misfit) return null
    throw error
  }
}
