/** How many values a Firestore query takes for `in` or `array-contains-any`. */
export const MAX_QUERY_VALUES = 30

/** Splits values into groups, each of which fits into one query. */
export const splitForQueries = <T>(values: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(values.length / MAX_QUERY_VALUES) }, (_, n) =>
    values.slice(n * MAX_QUERY_VALUES, (n + 1) * MAX_QUERY_VALUES),
  )
