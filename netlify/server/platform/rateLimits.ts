import { FieldValue, type Firestore, type Transaction } from 'firebase-admin/firestore'
import { err, ok, type Result } from '../../../domain/result.ts'
import { array, number, object } from '../../../domain/schema.ts'
import type { Context } from './context.ts'
import { documentParser } from './documents.ts'

/** So many uses in any span of so many milliseconds. */
export interface Limit {
  readonly name: string
  readonly most: number
  readonly windowMs: number
}

/** A limit and whom it is counted for. */
export interface Turn {
  readonly limit: Limit
  readonly of: string
}

/** What is stored for a limit and whoever it is counted for, under a pseudonym: UTC milliseconds. */
export interface Uses {
  /** The uses that still count, oldest first; never more than the limit allows. */
  readonly at: readonly number[]
  /** When none of them counts any more. */
  readonly endsAt: number
}

export const parseUses = documentParser<Uses>(object({ at: array(number), endsAt: number }))

export const limits = (db: Firestore) => db.collection('limits')

/** The document that counts a limit for whoever it is about. */
export function limitRef({ db, pseudonym }: Pick<Context, 'db' | 'pseudonym'>, { limit, of }: Turn) {
  return limits(db).doc(pseudonym(`${limit.name}:${of}`))
}

/**
 * Takes one turn of each limit, or none of any when one is used up; what is refused does not count. All instances
 * share the count, and calls at the same moment are admitted one after the other. One database transaction, with as
 * many documents as limits, whatever happened before.
 *
 * @returns how long to wait, in milliseconds, when there is no turn left.
 * @throws Firestore's error; without the count nobody is admitted.
 */
export async function takeTurn(
  context: Pick<Context, 'db' | 'now' | 'pseudonym'>,
  turns: readonly Turn[],
): Promise<Result<null, { readonly waitMs: number }>> {
  const { db, now } = context
  const refs = turns.map((turn) => limitRef(context, turn))
  return db.runTransaction(async (tx) => {
    const stored = await tx.getAll(...refs)
    // Only now: whoever comes first keeps the others waiting for the documents.
    const at = now()
    const next = turns.map(({ limit }, i) => nextUse(parseUses(stored[i]), limit, at))
    const waitMs = Math.max(...next.map((use) => (use.ok ? 0 : use.error.waitMs)))
    if (waitMs > 0) return err({ waitMs })
    refs.forEach((ref, i) => {
      const use = next[i]
      if (use?.ok) tx.set(ref, use.value)
    })
    return ok(null)
  })
}

/** Counts a use at `at` (UTC ms) that is no longer to be refused, without reading how many there were. */
export function addUse(
  tx: Transaction,
  context: Pick<Context, 'db' | 'pseudonym'>,
  turn: Turn,
  at: number,
): void {
  const endsAt = at + turn.limit.windowMs
  tx.set(limitRef(context, turn), { at: FieldValue.arrayUnion(at), endsAt }, { merge: true })
}

/** One more use at `at` (UTC ms), or how long until there can be one. */
export function nextUse(
  stored: Uses | undefined,
  { most, windowMs }: Limit,
  at: number,
): Result<Uses, { readonly waitMs: number }> {
  const counted = (stored?.at ?? []).filter((use) => use > at - windowMs)
  const first = counted.at(-most)
  if (first !== undefined) return err({ waitMs: first + windowMs - at })
  // The clocks of two instances may differ a little.
  const uses = [...counted, at].sort((a, b) => a - b)
  return ok({ at: uses, endsAt: Math.max(...uses) + windowMs })
}
