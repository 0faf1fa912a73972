import * as v from 'valibot'

// The messages of valibot quote the value, which must not be logged.
v.setGlobalMessage('is not valid')

/** The output of a schema, readonly. */
export type Output<S extends v.GenericSchema> = DeepReadonly<v.InferOutput<S>>

type DeepReadonly<T> = T extends string | number | boolean | null | undefined
  ? T
  : { readonly [Key in keyof T]: DeepReadonly<T[Key]> }

/**
 * The first problem of an invalid value from outside. Unlike a `ValiError` it does not contain the value, so it can
 * be logged.
 */
export class ValidationError extends Error {
  override readonly name = 'ValidationError'
  /** The path of the field, such as 'destination.code'. */
  readonly path: string
  readonly reason: string

  /** `collection`: the collection of an invalid document. */
  constructor([issue]: readonly [v.BaseIssue<unknown>, ...unknown[]], collection?: string) {
    const path = v.getDotPath(issue) ?? ''
    super(collection === undefined ? path : `${collection}: ${path}`)
    this.path = path
    this.reason = issue.message
  }
}

export const finiteNumber = v.pipe(v.number(), v.finite())

export const integer = v.pipe(v.number(), v.safeInteger())

/** A UUID, which is converted to lower case. */
export const uuid = v.pipe(v.string(), v.uuid('must be a UUID'), v.toLowerCase())

/** An existing day as 'YYYY-MM-DD'. */
export const day = v.pipe(
  v.string(),
  v.isoDate(),
  v.check((value) => new Date(`${value}T00:00:00Z`).getUTCDate() === Number(value.slice(8))),
)

/**
 * A string that was a member of `T` when it was stored. Accepts any string, because members may have been
 * removed since.
 */
export const legacyString = <T extends string>() => v.custom<T>((value) => typeof value === 'string')
