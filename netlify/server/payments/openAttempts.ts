import type { Transaction } from 'firebase-admin/firestore'
import { MINUTE } from '../../../domain/common/duration.ts'
import type { Context } from '../platform/context.ts'
import { type KeyedAttempt, parseReadableAttempts } from '../platform/documents.ts'
import { findContainingAny } from '../platform/queryValues.ts'
import { attempts } from '../platform/records.ts'

/** Cards can be tested on each open payment before Stripe's webhooks arrive. */
export const MAX_OPEN_ATTEMPTS = 10

/** Ensures that the user is not locked out if the due-work job did not end the attempt. */
const OPEN_FOR = 45 * MINUTE

/** The transaction reads them, so concurrent new attempts wait. `names`: from `buildPersonKeys`. */
export async function readOpenAttempts(
  context: Context,
  tx: Transaction,
  names: readonly string[],
): Promise<readonly KeyedAttempt[]> {
  const reserved = attempts(context.db).where('status', '==', 'reserved')
  const open = await findContainingAny(reserved, 'persons', names, (query) => tx.get(query))
  return parseReadableAttempts(context, open)
}

/** In milliseconds; 0 if one more payment may begin now. */
export function computeOpenAttemptsWait(open: readonly KeyedAttempt[], now: number): number {
  const ends = open.map(({ attempt }) => attempt.createdAt + OPEN_FOR).sort((a, b) => a - b)
  return Math.max(0, (ends.at(-MAX_OPEN_ATTEMPTS) ?? 0) - now)
}
