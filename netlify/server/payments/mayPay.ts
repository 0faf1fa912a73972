import type { Firestore, Transaction } from 'firebase-admin/firestore'
import { DAY } from '../../../domain/duration.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import { array, nullable, number, object, record, string } from '../../../domain/schema.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { documentParser } from '../platform/documents.ts'
import { personKeys } from '../platform/persons.ts'
import { type Refusal, refusal } from '../platform/refusals.ts'

/** Why a person's payments are paused, under each of their names. It is kept when all is lifted, so that old news changes nothing. */
export interface Restriction {
  /** The account that it came from. */
  readonly uid: string
  /** What pauses paying: `operator`, or the id of a dispute, a warning or a review at the provider. */
  readonly open: readonly string[]
  /** What did before, and does no more. */
  readonly lifted: readonly string[]
  /** Since when paying is paused (UTC ms); null while it is not. */
  readonly since: number | null
}

/** The charges that cards refused to a person, by their id at the provider, and when (UTC ms). */
export interface Declines {
  readonly at: Readonly<Record<string, number>>
  /** When none of them counts any more. */
  readonly endsAt: number
}

/** Who is refused so often within a day tries out cards. */
const MOST_DECLINES = 10
export const DECLINES_COUNT_FOR = DAY

export const parseRestriction = documentParser<Restriction>(
  object({ uid: string, open: array(string), lifted: array(string), since: nullable(number) }),
)

export const parseDeclines = documentParser<Declines>(object({ at: record(number), endsAt: number }))

export const restrictions = (db: Firestore) => db.collection('restrictions')
export const declines = (db: Firestore) => db.collection('declines')

/**
 * Whether somebody may begin to pay, or to have a plan: nothing pauses their payments, and their cards were not refused too often.
 * It reads in the database transaction that reserves, so that a pause and a payment that begins see each other.
 */
export async function checkMayPay(
  { db, now, pseudonym }: Context,
  tx: Transaction,
  caller: Caller,
): Promise<Result<void, Refusal<'paymentsPaused' | 'tooManyDeclines'>>> {
  const keys = personKeys({ pseudonym }, caller)
  const stored = await tx.getAll(
    ...keys.map((key) => restrictions(db).doc(key)),
    ...keys.map((key) => declines(db).doc(key)),
  )
  const pauses = stored.slice(0, keys.length).map(parseRestriction)
  if (pauses.some((pause) => pause && pause.open.length > 0)) return err(refusal('paymentsPaused'))
  const counts = stored.slice(keys.length).map(parseDeclines)
  const waitMs = Math.max(...counts.map((count) => computeDeclineWait(count, now())))
  return waitMs > 0
    ? err(refusal('tooManyDeclines', { details: { retryAfterSeconds: Math.ceil(waitMs / 1000) } }))
    : ok(undefined)
}

/** How long until fewer declines count than pause paying, in milliseconds; 0 when that is so now. */
export function computeDeclineWait(count: Declines | undefined, now: number): number {
  const recent = Object.values(count?.at ?? {}).sort((a, b) => a - b)
  const last = recent.at(-MOST_DECLINES)
  return last === undefined ? 0 : Math.max(0, last + DECLINES_COUNT_FOR - now)
}
