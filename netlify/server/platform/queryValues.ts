import type { Query, QueryDocumentSnapshot, QuerySnapshot } from 'firebase-admin/firestore'

/** How many values a Firestore query takes for `in` or `array-contains-any`. */
const MAX_QUERY_VALUES = 30

/** Splits values into groups of at most `most`. */
export const splitIntoGroups = <T>(values: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(values.length / most) }, (_, n) => values.slice(n * most, (n + 1) * most))

/**
 * Finds the documents whose array `field` contains any of the values, each document once. There may be more
 * values than one query takes. @throws Firestore's error
 *
 * @param get reads a query, for example in a transaction.
 */
export async function findContainingAny(
  query: Query,
  field: string,
  values: readonly string[],
  get: (query: Query) => Promise<QuerySnapshot> = (one) => one.get(),
): Promise<readonly QueryDocumentSnapshot[]> {
  const found = await Promise.all(
    splitIntoGroups(values, MAX_QUERY_VALUES).map((some) =>
      get(query.where(field, 'array-contains-any', some)),
    ),
  )
  return [...new Map(found.flatMap(({ docs }) => docs.map((one) => [one.id, one]))).values()]
}
