import type { Query, QueryDocumentSnapshot, QuerySnapshot } from 'firebase-admin/firestore'

/** Limit of Firestore's `in` and `array-contains-any`. */
const MAX_QUERY_VALUES = 30

export const splitIntoGroups = <T>(values: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(values.length / most) }, (_, n) => values.slice(n * most, (n + 1) * most))

/** Finds each document once. `get`: reads a query, for example in a transaction. @throws Firestore's error */
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
