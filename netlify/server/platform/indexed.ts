import type { Query, QuerySnapshot } from 'firebase-admin/firestore'
import type { Context } from './context.ts'

/**
 * What a query finds; while the database lacks its index, what another one finds that needs none of its own.
 *
 * @throws Firestore's error for everything else.
 */
export function indexed({ log }: Pick<Context, 'log'>, query: Query, without: Query): Promise<QuerySnapshot> {
  return query.get().catch((error) => {
    if (!isIndexMissing(error)) throw error
    log({ level: 'error', event: 'indexMissing', of: 'transactions' })
    return without.get()
  })
}

/** Over REST the code is that of an invalid argument; only the text tells. */
function isIndexMissing(error: unknown): boolean {
  return error instanceof Error && /requires an index/i.test(error.message)
}
