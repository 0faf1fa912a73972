import * as v from 'valibot'

// valibot's messages quote the value, which must not be logged.
v.setGlobalMessage('is not valid')

export type Output<S extends v.GenericSchema> = DeepReadonly<v.InferOutput<S>>

type DeepReadonly<T> = T extends string | number | boolean | null | undefined
  ? T
  : { readonly [Key in keyof T]: DeepReadonly<T[Key]> }

/** Unlike a `ValiError` it does not contain the value, so it can be logged. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
  readonly path: string
  readonly reason: string

  constructor([issue]: readonly [v.BaseIssue<unknown>, ...unknown[]], collection?: string) {
    const path = v.getDotPath(issue) ?? ''
    super(collection === undefined ? path : `${collection}: ${path}`)
    this.path = path
    this.reason = issue.message
  }
}

export const finiteNumber = v.pipe(v.number(), v.finite())

export const integer = v.pipe(v.number(), v.safeInteger())

export const uuid = v.pipe(v.string(), v.uuid('must be a UUID'), v.toLowerCase())

/** An existing day, 'YYYY-MM-DD'. */
export const day = v.pipe(
  v.string(),
  v.isoDate(),
  v.check((value) => new Date(`${value}T00:00:00Z`).getUTCDate() === Number(value.slice(8))),
)

/** Accepts any string, because members of `T` may have been removed since it was stored. */
export const legacyString = <T extends string>() => v.custom<T>((value) => typeof value === 'string')
