import type { CollectionReference, Query, QueryDocumentSnapshot } from 'firebase-admin/firestore'
import type { Context } from './context.ts'
import { goOnDeleting } from './deleteAccount.ts'
import { traceOf } from './log.ts'
import { checkPlan } from './plans.ts'
import { limits } from './rateLimits.ts'
import { type Attempt, attempts, customers, type Deletion, deletions, refunds } from './records.ts'
import { checkRefund, payBack } from './refunds.ts'
import { release } from './release.ts'

/** How long an attempt may stay open before it is settled or ended, in milliseconds. */
export const ATTEMPT_LIFETIME = 30 * 60_000
const PAGE_SIZE = 50
/** How long a limit that counts nothing any more is kept, in milliseconds. */
const LIMIT_KEPT = 24 * 3_600_000
/** A scheduled function has 30 seconds; what is left over waits for the next run. */
const TIME_BUDGET = 20_000

/** How many attempts, refunds and limits ended in which way. */
export type SweepReport = Readonly<Record<string, number>>

/**
 * Finds what lost webhooks and dead browsers left behind: settles old attempts that were paid, ends those that were
 * not, pays back what is still owed, compares plans with the provider's, and goes on with the deletion of accounts. One case
 * that fails does not keep the others waiting. What time is left goes to forgetting limits that ended long ago.
 */
export async function sweep(context: Context): Promise<SweepReport> {
  const { db, now } = context
  const deadline = performance.now() + TIME_BUDGET
  const report: Record<string, number> = {}

  const count = (outcome: string, times = 1) => {
    report[outcome] = (report[outcome] ?? 0) + times
  }
  const failed = (of: CollectionReference) => (error: unknown) => {
    context.log({ level: 'error', event: 'sweepFailed', of: of.id, ...traceOf(error) })
    return 'failed'
  }

  async function each(
    collection: CollectionReference,
    due: Query,
    handle: (document: QueryDocumentSnapshot) => Promise<string>,
  ) {
    const query = due.limit(PAGE_SIZE)
    let page = await query.get()
    while (!page.empty) {
      for (const document of page.docs) {
        if (performance.now() > deadline) return
        count(await handle(document).catch(failed(collection)))
      }
      page = await query.startAfter(page.docs.at(-1)).get()
    }
  }

  const withStatus = (collection: CollectionReference, status: string, olderThan: number) =>
    collection.where('status', '==', status).where('createdAt', '<=', olderThan).orderBy('createdAt')

  async function forgetLimits() {
    const ended = limits(db)
      .where('endsAt', '<=', now() - LIMIT_KEPT)
      .limit(PAGE_SIZE)
    let page = await ended.get()
    while (!page.empty && performance.now() <= deadline) {
      const batch = db.batch()
      // One that is used again meanwhile stays.
      for (const { ref, updateTime } of page.docs) batch.delete(ref, { lastUpdateTime: updateTime })
      await batch.commit()
      count('forgotten', page.size)
      page = await ended.get()
    }
  }

  const mayHaveFailed = refunds(db).where('checkAt', '<=', now()).orderBy('checkAt')
  await each(refunds(db), mayHaveFailed, (document) => checkRefund(context, document.id))
  await each(refunds(db), withStatus(refunds(db), 'due', now()), (document) => payBack(context, document.id))
  const tooOld = now() - ATTEMPT_LIFETIME
  await each(attempts(db), withStatus(attempts(db), 'reserved', tooOld), async (document) => {
    const { outcome } = await release(context, { key: document.id, attempt: document.data() as Attempt })
    return outcome
  })
  const toCheck = customers(db).where('checkAt', '<=', now()).orderBy('checkAt')
  await each(customers(db), toCheck, (document) => checkPlan(context, document.id))
  await each(deletions(db), withStatus(deletions(db), 'due', now()), (document) =>
    goOnDeleting(context, document.data() as Deletion),
  )
  await forgetLimits().catch((error) => count(failed(limits(db))(error)))
  context.log({ level: 'info', event: 'swept', ...report })
  return report
}
