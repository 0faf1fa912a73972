import { fail, invalid, ok, type Problem, type Result, unsupported } from './result.ts'

/** A form-encoded body or query: text, nested by brackets (`card[number]`, `expand[]`, `items[0][id]`). */
export type FormValue = string | FormValue[] | Form
export type Form = { [name: string]: FormValue }

/** Reads Stripe's bracket notation. Null prototypes: a name like `__proto__` is a name like any other. */
export function parseForm(encoded: string): Form {
  const root = emptyForm()
  for (const [name, value] of new URLSearchParams(encoded)) {
    const [first = '', ...inner] = name.split('[').map((part) => part.replace(/\]$/, ''))
    let container = root
    let key = first
    for (const part of inner) {
      const existing = container[key]
      const child = isForm(existing) ? existing : emptyForm()
      container[key] = child
      container = child
      key = part === '' ? String(Object.keys(child).length) : part
    }
    container[key] = value
  }
  return withArrays(root) as Form
}

export const isForm = (value: FormValue | undefined): value is Form =>
  typeof value === 'object' && !Array.isArray(value)

const emptyForm = (): Form => Object.create(null)

/** Objects whose keys count from 0 are arrays. */
function withArrays(form: Form): FormValue {
  const entries = Object.entries(form).map(
    ([key, value]) => [key, isForm(value) ? withArrays(value) : value] as const,
  )
  if (entries.length > 0 && entries.every(([key], index) => key === String(index)))
    return entries.map(([, value]) => value)
  return Object.assign(emptyForm(), Object.fromEntries(entries))
}

/** The same text for the same parameters, whatever the order in which they were sent. */
export function canonical(value: FormValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join()}}`
}

/** Reads one parameter; `undefined` is one that was not sent, and `name` is how an error calls it. */
export type Reader<T> = (value: FormValue | undefined, name: string) => Result<T>

type Shape = Record<string, Reader<unknown>>
type Read<S extends Shape> = { [K in keyof S]: S[K] extends Reader<infer T> ? T : never }

/** Reads all parameters of a form. A parameter that has no reader here is one this emulator does not know. */
export function readForm<S extends Shape>(form: Form, shape: S, prefix = ''): Result<Read<S>> {
  const nameOf = (key: string) => (prefix ? `${prefix}[${key}]` : key)
  const unknown = Object.keys(form).find((key) => !Object.hasOwn(shape, key))
  if (unknown !== undefined) return unsupported(`parameter ${nameOf(unknown)}`)
  const values: Record<string, unknown> = {}
  let problem: Problem | undefined
  for (const [key, reader] of Object.entries(shape)) {
    const result = reader(form[key], nameOf(key))
    if (result.ok) values[key] = result.value
    else problem ??= result.problem
  }
  return problem ? fail(problem) : ok(values as Read<S>)
}

export const required =
  <T>(reader: Reader<T | undefined>): Reader<T> =>
  (value, name) => {
    if (value === undefined || value === '')
      return invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
    const result = reader(value, name)
    return result.ok ? ok(result.value as T) : result
  }

export const text =
  (maxLength = 5000): Reader<string | undefined> =>
  (value, name) => {
    if (value === undefined) return ok(undefined)
    if (typeof value !== 'string') return invalid('Invalid string', { param: name })
    if (value.length > maxLength)
      return invalid(`Invalid string: ${value.slice(0, 10)}...; must be at most ${maxLength} characters`, {
        param: name,
      })
    return ok(value)
  }

export const integer =
  (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Reader<number | undefined> =>
  (value, name) => {
    if (value === undefined || value === '') return ok(undefined)
    if (typeof value !== 'string' || !/^-?\d+$/.test(value) || !Number.isSafeInteger(Number(value)))
      return invalid(`Invalid integer: ${String(value)}`, { code: 'parameter_invalid_integer', param: name })
    const number = Number(value)
    if (number < minimum)
      return invalid(`This value must be greater than or equal to ${minimum}.`, {
        code: 'parameter_invalid_integer',
        param: name,
      })
    if (number > maximum)
      return invalid(`This value must be less than or equal to ${maximum}.`, {
        code: 'parameter_invalid_integer',
        param: name,
      })
    return ok(number)
  }

/** Any other value is reported: Stripe may know it. */
export const oneOf =
  <T extends string>(...choices: readonly T[]): Reader<T | undefined> =>
  (value, name) => {
    if (value === undefined || value === '') return ok(undefined)
    const choice = choices.find((known) => known === value)
    return choice === undefined ? unsupported(`${name}=${value}`) : ok(choice)
  }

export const boolean: Reader<boolean | undefined> = (value, name) => {
  if (value === undefined) return ok(undefined)
  if (value === 'true') return ok(true)
  if (value === 'false') return ok(false)
  return invalid(`Invalid boolean: ${String(value)}`, { param: name })
}

export const texts: Reader<string[]> = (value, name) => {
  if (value === undefined || value === '') return ok([])
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    return invalid('Invalid array', { param: name })
  return ok(value as string[])
}

export const group =
  <S extends Shape>(shape: S): Reader<Read<S> | undefined> =>
  (value, name) => {
    if (value === undefined) return ok(undefined)
    return isForm(value) ? readForm(value, shape, name) : invalid('Invalid object', { param: name })
  }

/** Taken and left unused, because it changes nothing that this emulator shows. */
export const ignored: Reader<undefined> = () => ok(undefined)

/** Key and value pairs to set; an empty value takes the key away, and an empty text instead of pairs takes all away: null. */
export const metadata: Reader<Record<string, string> | null | undefined> = (value, name) => {
  if (value === undefined) return ok(undefined)
  if (value === '') return ok(null)
  if (!isForm(value)) return invalid('Invalid object', { param: name })
  const entries = Object.entries(value)
  if (entries.length > 50) return invalid('Metadata can have at most 50 keys.', { param: name })
  for (const [key, item] of entries) {
    if (typeof item !== 'string') return invalid('Invalid string', { param: `${name}[${key}]` })
    if (key.length > 40)
      return invalid('Metadata keys can have at most 40 characters.', { param: `${name}[${key}]` })
    if (item.length > 500)
      return invalid('Metadata values can have up to 500 characters.', { param: `${name}[${key}]` })
  }
  return ok(value as Record<string, string>)
}

export function mergeMetadata(current: Record<string, string>, changes: Record<string, string> | null = {}) {
  if (changes === null) return {}
  return Object.fromEntries(Object.entries({ ...current, ...changes }).filter(([, value]) => value !== ''))
}
