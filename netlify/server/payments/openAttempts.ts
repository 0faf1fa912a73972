import type { Transaction } from 'firebase-admin/firestore'
import { MINUTE } from '../../../domain/common/duration.ts'
import type { Context } from '../platform/context.ts'
import { type KeyedAttempt, parseReadableAttempts } from '../platform/documents.ts'
import { findContainingAny } from '../platform/queryValues.ts'
import { attempts } from '../platform/records.ts'

/**
 * How many payments a person may have open at the same time. Cards can be tested on each before Stripe's
 * webhooks arrive.
 */
export const MAX_OPEN_ATTEMPTS = 10

/**
 * How long an open attempt counts, in milliseconds. The due-work job usually ends it earlier; the
 * limit ensures that the user is not locked out if the job did not run.
 */
const OPEN_FOR = 45 * MINUTE

/**
 * Reads the open attempts under any of a person's keys (`buildPersonKeys`). Because the transaction reads
 * them, concurrent new attempts wait.
 */
export async function readOpenAttempts(
  context: Context,
  tx: Transaction,
  names: readonly string[],
): Promise<readonly KeyedAttempt[]> {
  const reserved = attempts(context.db).where('status', '==', 'reserved')
  const open = await findContainingAny(reserved, 'persons', names, (query) => tx.get(query))
  return parseReadableAttempts(context, open)
}

/**
 * Returns how long until one more payment may begin besides the open ones, in milliseconds; 0 if it may now.
 */
export function computeOpenAttemptsWait(open: readonly KeyedAttempt[], now: number): number {
  const ends = open.map(({ attempt }) => attempt.createdAt + OPEN_FOR).sort((a, b) => a - b)
  return Math.max(0, (ends.at(-MAX_OPEN_ATTEMPTS) ?? 0) - now)
}
