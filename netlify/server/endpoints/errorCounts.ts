import { createHash } from 'node:crypto'
import type { Firestore } from 'firebase-admin/firestore'
import * as v from 'valibot'
import type { ErrorReport } from '../../../domain/api/api.ts'
import { DAY } from '../../../domain/common/duration.ts'
import { integer, type Output } from '../../../domain/common/schema.ts'
import { isEngineSupported } from '../../../domain/errors/engines.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'
import { countRateLimitUses, type RateLimitKey, rateLimitRef } from '../platform/rateLimits.ts'

/** Different errors of one day; any others share one count. */
export const MAX_DAILY_ERRORS = 200

/** Contains no personal data. */
export interface AppError extends ErrorReport {
  /** Name and major version, such as 'chrome/120'. */
  readonly engine: string
}

const countSchema = v.object({
  kind: v.string(),
  name: v.string(),
  place: v.string(),
  release: v.string(),
  engine: v.string(),
  count: integer,
  /** End of the error's UTC day, in UTC ms. */
  endsAt: integer,
})
const parseCount = createDocumentParser(countSchema)
const parseDay = createDocumentParser(v.object({ different: integer }))

export const errorCounts = (db: Firestore) => db.collection('errorCounts')

/** An unsupported browser fails in many ways; its errors would leave no room for others. */
const UNSUPPORTED = { kind: '', name: 'Unsupported browser', place: '', release: '' }

const OTHERS = { kind: '', name: 'Other errors', place: '', release: '', engine: '' }

/** Returns the error's count of this UTC day; beyond a limit, the count that other errors share. */
export async function countError(
  context: Pick<Context, 'db' | 'now' | 'pseudonym'>,
  { kind, name, place, release, engine }: AppError,
  networks: readonly RateLimitKey[],
): Promise<number> {
  const { db, now } = context
  const named = { kind, name, place, release }
  const error = { ...(isEngineSupported(engine) ? named : UNSUPPORTED), engine }
  const at = now()
  const endsAt = (Math.floor(at / DAY) + 1) * DAY
  const refer = (key: string) => errorCounts(db).doc(`${new Date(at).toISOString().slice(0, 10)}_${key}`)
  const hash = createHash('sha256').update(JSON.stringify(error)).digest('hex').slice(0, 16)
  const [own, others, day] = [refer(hash), refer('others'), refer('different')]
  const refs = networks.map((turn) => rateLimitRef(context, turn))
  return db.runTransaction(async (tx) => {
    const [same, rest, counted, ...uses] = await tx.getAll(own, others, day, ...refs)
    const different = parseDay(counted)?.different ?? 0
    const turns = countRateLimitUses(tx, uses, networks, at)
    const isOwn = same?.exists || (different < MAX_DAILY_ERRORS && turns.waitMs === 0)
    const count = (parseCount(isOwn ? same : rest)?.count ?? 0) + 1
    tx.set(isOwn ? own : others, { ...(isOwn ? error : OTHERS), count, endsAt })
    if (isOwn && !same?.exists) {
      tx.set(day, { different: different + 1, endsAt })
      turns.store()
    }
    return count
  })
}

/** Covers this UTC day and the previous one, most frequent first. */
export async function listRecentErrors({
  db,
  now,
}: Pick<Context, 'db' | 'now'>): Promise<readonly Output<typeof countSchema>[]> {
  const found = await errorCounts(db)
    .where('endsAt', '>', now() - DAY)
    .get()
  return found.docs
    .filter((document) => document.get('count') !== undefined)
    .flatMap((document) => parseCount(document) ?? [])
    .sort((a, b) => b.count - a.count)
}
