import type { Query, QuerySnapshot } from 'firebase-admin/firestore'
import type { Context } from '../platform/context.ts'

/** If the database lacks the query's index, runs `without`. @throws Firestore's error for everything else. */
export function queryWithFallback(
  { log }: Pick<Context, 'log'>,
  query: Query,
  without: Query,
): Promise<QuerySnapshot> {
  return query.get().catch((error) => {
    if (!isIndexMissing(error)) throw error
    log({ level: 'error', event: 'indexMissing', collection: 'transactions' })
    return without.get()
  })
}

/** Over REST a missing index has the code of an invalid argument. */
function isIndexMissing(error: unknown): boolean {
  return error instanceof Error && /requires an index/i.test(error.message)
}
