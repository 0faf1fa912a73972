import {
  type CollectionReference,
  FieldPath,
  type Query,
  type QueryDocumentSnapshot,
  type QuerySnapshot,
} from 'firebase-admin/firestore'

/** Limit of Firestore's `in` and `array-contains-any`. */
const MAX_QUERY_VALUES = 30

type GetQuery = (query: Query) => Promise<QuerySnapshot>

const getDirectly: GetQuery = (query) => query.get()

export const splitIntoGroups = <T>(values: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(values.length / most) }, (_, n) => values.slice(n * most, (n + 1) * most))

async function findAny(
  values: readonly string[],
  select: (some: readonly string[]) => Query,
  get: GetQuery,
): Promise<ReadonlyMap<string, QueryDocumentSnapshot>> {
  const found = await Promise.all(splitIntoGroups(values, MAX_QUERY_VALUES).map((some) => get(select(some))))
  return new Map(found.flatMap(({ docs }) => docs.map((one) => [one.id, one])))
}

/** Finds each document once. `get`: reads a query, for example in a transaction. @throws Firestore's error */
export async function findContainingAny(
  query: Query,
  field: string,
  values: readonly string[],
  get: GetQuery = getDirectly,
): Promise<readonly QueryDocumentSnapshot[]> {
  const found = await findAny(values, (some) => query.where(field, 'array-contains-any', some), get)
  return [...found.values()]
}

/**
 * For documents of which most do not exist: Firestore bills each missing one that is read by its name, but
 * not in a query. @throws Firestore's error
 */
export const findByIds = (
  collection: CollectionReference,
  ids: readonly string[],
  get: GetQuery = getDirectly,
): Promise<ReadonlyMap<string, QueryDocumentSnapshot>> =>
  findAny(ids, (some) => collection.where(FieldPath.documentId(), 'in', some), get)
