import type { Query, QuerySnapshot } from 'firebase-admin/firestore'
import type { Context } from './context.ts'

/**
 * Runs a query; if the database lacks its index, runs `without`, which needs none.
 *
 * @throws Firestore's error for everything else.
 */
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

/** Checks an error's text, because over REST a missing index has the code of an invalid argument. */
function isIndexMissing(error: unknown): boolean {
  return error instanceof Error && /requires an index/i.test(error.message)
}
