/** Expected problems are returned, never thrown. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}

type Values<R> = {
  readonly [Field in keyof R]: R[Field] extends Result<infer Value, unknown> ? Value : never
}

type Problems<R> = {
  [Field in keyof R]: { readonly field: Field } & InferError<R[Field]>
}[keyof R]

type InferError<R> = R extends { readonly ok: false; readonly error: infer Problem } ? Problem : never

/** Returns the values of all fields, or every problem with its field, in the fields' order. */
export function collectFields<R extends Readonly<Record<string, Result<unknown, object>>>>(
  results: R,
): Result<Values<R>, readonly [Problems<R>, ...Problems<R>[]]> {
  const values: Record<string, unknown> = {}
  const problems: object[] = []
  for (const [field, result] of Object.entries(results)) {
    if (result.ok) values[field] = result.value
    else problems.push({ field, ...result.error })
  }
  return problems.length === 0
    ? ok(values as Values<R>)
    : err(problems as unknown as readonly [Problems<R>, ...Problems<R>[]])
}
