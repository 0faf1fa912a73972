import { type DocumentSnapshot, FieldValue, type Firestore, type Transaction } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { finiteNumber, type Output } from '../../../domain/common/schema.ts'
import type { Context } from './context.ts'
import { createDocumentParser } from './documents.ts'

export interface RateLimit {
  readonly name: string
  readonly most: number
  readonly windowMs: number
}

export interface RateLimitKey {
  readonly limit: RateLimit
  readonly of: string
}

const usesSchema = v.object({
  /** The uses that still count, oldest first. */
  at: v.array(finiteNumber),
  endsAt: finiteNumber,
})

/** Stored under a pseudonym. Times are UTC ms. */
type Uses = Output<typeof usesSchema>
export const parseRateLimitUses = createDocumentParser(usesSchema)

export const rateLimits = (db: Firestore) => db.collection('limits')

export function rateLimitRef(
  { db, pseudonym }: Pick<Context, 'db' | 'pseudonym'>,
  { limit, of }: RateLimitKey,
) {
  return rateLimits(db).doc(pseudonym(`${limit.name}:${of}`))
}

/**
 * Counts one use of each limit, or none if one is used up. All instances share the count.
 * @throws Firestore's error; without the count the call is refused.
 */
export async function consumeRateLimits(
  context: Pick<Context, 'db' | 'now' | 'pseudonym'>,
  turns: readonly RateLimitKey[],
): Promise<Result<null, { readonly waitMs: number }>> {
  const { db, now } = context
  const refs = turns.map((turn) => rateLimitRef(context, turn))
  return db.runTransaction(async (tx) => {
    // Concurrent calls wait for the documents.
    const { waitMs, store } = countRateLimitUses(tx, await tx.getAll(...refs), turns, now())
    if (waitMs > 0) return err({ waitMs })
    store()
    return ok(null)
  })
}

/** Counts a use at `at` (UTC ms) that can't be refused any more. */
export function addRateLimitUse(
  tx: Transaction,
  context: Pick<Context, 'db' | 'pseudonym'>,
  turn: RateLimitKey,
  at: number,
): void {
  const endsAt = at + turn.limit.windowMs
  tx.set(rateLimitRef(context, turn), { at: FieldValue.arrayUnion(at), endsAt }, { merge: true })
}

/** `stored`: the documents of the turns. `waitMs`: 0 if each has another use at `at` (UTC ms). */
export function countRateLimitUses(
  tx: Transaction,
  stored: readonly DocumentSnapshot[],
  turns: readonly RateLimitKey[],
  at: number,
): { readonly waitMs: number; readonly store: () => void } {
  const next = turns.map(({ limit }, i) => countRateLimitUse(parseRateLimitUses(stored[i]), limit, at))
  return {
    waitMs: Math.max(0, ...next.map((use) => (use.ok ? 0 : use.error.waitMs))),
    store() {
      for (const [i, use] of next.entries()) if (use.ok && stored[i]) tx.set(stored[i].ref, use.value)
    },
  }
}

/** `at`: UTC ms. */
export function countRateLimitUse(
  stored: Uses | undefined,
  { most, windowMs }: RateLimit,
  at: number,
): Result<Uses, { readonly waitMs: number }> {
  const counted = (stored?.at ?? []).filter((use) => use > at - windowMs)
  const first = counted.at(-most)
  if (first !== undefined) return err({ waitMs: first + windowMs - at })
  // The clocks of two instances may differ.
  const uses = [...counted, at].sort((a, b) => a - b)
  return ok({ at: uses, endsAt: Math.max(...uses) + windowMs })
}
