import { failInvalidParameter, failMissingParameter, failUnsupported } from './refusals.ts'

/** Brackets nest names (`card[number]`, `expand[]`, `items[0][id]`). */
export type FormValue = string | FormValue[] | Form
export type Form = { [name: string]: FormValue }

/** The null prototype makes `__proto__` an ordinary name. */
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
  return toArrays(root) as Form
}

export const isForm = (value: FormValue | undefined): value is Form =>
  typeof value === 'object' && !Array.isArray(value)

const emptyForm = (): Form => Object.create(null)

/** Keys of an array are '0', '1', … */
function toArrays(form: Form): FormValue {
  const entries = Object.entries(form).map(
    ([key, value]) => [key, isForm(value) ? toArrays(value) : value] as const,
  )
  if (entries.length > 0 && entries.every(([key], index) => key === String(index)))
    return entries.map(([, value]) => value)
  return Object.assign(emptyForm(), Object.fromEntries(entries))
}

/** Identical for the same parameters in any order. */
export function toCanonicalText(value: FormValue): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toCanonicalText).join()}]`
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${toCanonicalText(inner)}`).join()}}`
}

/** `value`: undefined if it was not sent. `name`: in errors. */
export type ParameterParser<T> = (value: FormValue | undefined, name: string) => T

type Shape = Record<string, ParameterParser<unknown>>
export type Parameters<S extends Shape> = {
  [K in keyof S]: S[K] extends ParameterParser<infer T> ? T : never
}

/** A parameter without a parser is reported as unsupported, except `expand`, which each call accepts. */
export function parseParameters<S extends Shape>(form: Form, shape: S, prefix = ''): Parameters<S> {
  const buildName = (key: string) => (prefix ? `${prefix}[${key}]` : key)
  const unknown = Object.keys(form).find((key) => !Object.hasOwn(shape, key) && buildName(key) !== 'expand')
  if (unknown !== undefined) return failUnsupported(`parameter ${buildName(unknown)}`)
  const values = Object.entries(shape).map(([key, parse]) => [key, parse(form[key], buildName(key))])
  return Object.fromEntries(values) as Parameters<S>
}

export const required =
  <T>(parse: ParameterParser<T | undefined>): ParameterParser<T> =>
  (value, name) =>
    value === undefined || value === '' ? failMissingParameter(name) : (parse(value, name) as T)

export const text =
  (maxLength = 5000): ParameterParser<string | undefined> =>
  (value, name) => {
    if (value === undefined) return undefined
    if (typeof value !== 'string') return failInvalidParameter('Invalid string', name)
    if (value.length > maxLength)
      return failInvalidParameter(
        `Invalid string: ${value.slice(0, 10)}...; must be at most ${maxLength} characters`,
        name,
      )
    return value
  }

export const integer =
  (minimum: number, maximum = Number.MAX_SAFE_INTEGER): ParameterParser<number | undefined> =>
  (value, name) => {
    if (value === undefined || value === '') return undefined
    if (typeof value !== 'string' || !/^-?\d+$/.test(value) || !Number.isSafeInteger(Number(value)))
      return failInvalidParameter(`Invalid integer: ${String(value)}`, name, 'parameter_invalid_integer')
    const number = Number(value)
    if (number >= minimum && number <= maximum) return number
    const bound =
      number < minimum ? `greater than or equal to ${minimum}` : `less than or equal to ${maximum}`
    return failInvalidParameter(`This value must be ${bound}.`, name, 'parameter_invalid_integer')
  }

/** Other values are unsupported, because Stripe may accept them. */
export const enumValue =
  <T extends string>(...choices: readonly T[]): ParameterParser<T | undefined> =>
  (value, name) => {
    if (value === undefined || value === '') return undefined
    return choices.find((known) => known === value) ?? failUnsupported(`${name}=${value}`)
  }

export const boolean: ParameterParser<boolean | undefined> = (value, name) => {
  if (value === undefined) return undefined
  if (value === 'true') return true
  if (value === 'false') return false
  return failInvalidParameter(`Invalid boolean: ${String(value)}`, name)
}

export const textList: ParameterParser<string[]> = (value, name) => {
  if (value === undefined || value === '') return []
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string'))
    return failInvalidParameter('Invalid array', name)
  return value as string[]
}

export const group =
  <S extends Shape>(shape: S): ParameterParser<Parameters<S> | undefined> =>
  (value, name) => {
    if (value === undefined) return undefined
    return isForm(value) ? parseParameters(value, shape, name) : failInvalidParameter('Invalid object', name)
  }

/** Has no effect in this emulator. */
export const ignored: ParameterParser<undefined> = () => undefined

/** An empty value removes its key; an empty string removes all keys (null). */
export const metadata: ParameterParser<Record<string, string> | null | undefined> = (value, name) => {
  if (value === undefined) return undefined
  if (value === '') return null
  if (!isForm(value)) return failInvalidParameter('Invalid object', name)
  const entries = Object.entries(value)
  if (entries.length > 50) return failInvalidParameter('Metadata can have at most 50 keys.', name)
  for (const [key, item] of entries) {
    if (typeof item !== 'string') return failInvalidParameter('Invalid string', `${name}[${key}]`)
    if (key.length > 40)
      return failInvalidParameter('Metadata keys can have at most 40 characters.', `${name}[${key}]`)
    if (item.length > 500)
      return failInvalidParameter('Metadata values can have up to 500 characters.', `${name}[${key}]`)
  }
  return value as Record<string, string>
}

export function mergeMetadata(current: Record<string, string>, changes: Record<string, string> | null = {}) {
  if (changes === null) return {}
  return Object.fromEntries(Object.entries({ ...current, ...changes }).filter(([, value]) => value !== ''))
}
