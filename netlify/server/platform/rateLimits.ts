import { FieldValue, type Firestore, type Transaction } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { finiteNumber, type Output } from '../../../domain/common/schema.ts'
import type { Context } from './context.ts'
import { createDocumentParser } from './documents.ts'

/** A rate limit: `most` uses in any period of `windowMs` milliseconds. */
export interface RateLimit {
  readonly name: string
  readonly most: number
  readonly windowMs: number
}

/** A limit and the subject that it is counted for. */
export interface RateLimitKey {
  readonly limit: RateLimit
  readonly of: string
}

const usesSchema = v.object({
  /** The uses that still count, oldest first; never more than the limit allows. */
  at: v.array(finiteNumber),
  /** When the last use stops counting. */
  endsAt: finiteNumber,
})

/** The uses of a limit by one caller, stored under a pseudonym. Times are UTC milliseconds. */
type Uses = Output<typeof usesSchema>
export const parseRateLimitUses = createDocumentParser(usesSchema)

export const rateLimits = (db: Firestore) => db.collection('limits')

/** Returns the reference of the document that counts the uses of a limit by its subject. */
export function rateLimitRef(
  { db, pseudonym }: Pick<Context, 'db' | 'pseudonym'>,
  { limit, of }: RateLimitKey,
) {
  return rateLimits(db).doc(pseudonym(`${limit.name}:${of}`))
}

/**
 * Counts one use of each limit, or none if one of them is used up. All instances share the count, and
 * concurrent calls are admitted one after the other, in one database transaction with one document per limit.
 *
 * @returns how long to wait, in milliseconds, if a limit is used up.
 * @throws Firestore's error; without the count the call is refused.
 */
export async function consumeRateLimits(
  context: Pick<Context, 'db' | 'now' | 'pseudonym'>,
  turns: readonly RateLimitKey[],
): Promise<Result<null, { readonly waitMs: number }>> {
  const { db, now } = context
  const refs = turns.map((turn) => rateLimitRef(context, turn))
  return db.runTransaction(async (tx) => {
    const stored = await tx.getAll(...refs)
    // Read the clock late, because concurrent calls wait for the documents.
    const at = now()
    const next = turns.map(({ limit }, i) => countRateLimitUse(parseRateLimitUses(stored[i]), limit, at))
    const waitMs = Math.max(...next.map((use) => (use.ok ? 0 : use.error.waitMs)))
    if (waitMs > 0) return err({ waitMs })
    refs.forEach((ref, i) => {
      const use = next[i]
      if (use?.ok) tx.set(ref, use.value)
    })
    return ok(null)
  })
}

/** Counts a use at `at` (UTC ms) that can't be refused any more, without reading the earlier ones. */
export function addRateLimitUse(
  tx: Transaction,
  context: Pick<Context, 'db' | 'pseudonym'>,
  turn: RateLimitKey,
  at: number,
): void {
  const endsAt = at + turn.limit.windowMs
  tx.set(rateLimitRef(context, turn), { at: FieldValue.arrayUnion(at), endsAt }, { merge: true })
}

/** Counts one more use at `at` (UTC ms), or returns how long until the next one is allowed. */
export function countRateLimitUse(
  stored: Uses | undefined,
  { most, windowMs }: RateLimit,
  at: number,
): Result<Uses, { readonly waitMs: number }> {
  const counted = (stored?.at ?? []).filter((use) => use > at - windowMs)
  const first = counted.at(-most)
  if (first !== undefined) return err({ waitMs: first + windowMs - at })
  // The clocks of two instances may differ a little.
  const uses = [...counted, at].sort((a, b) => a - b)
  return ok({ at: uses, endsAt: Math.max(...uses) + windowMs })
}
