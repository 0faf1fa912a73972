import type { CollectionReference, QueryDocumentSnapshot } from 'firebase-admin/firestore'
import type { Context } from './context.ts'
import { traceOf } from './log.ts'
import { type Attempt, attempts, refunds } from './records.ts'
import { release } from './release.ts'
import { payBack } from './settlement.ts'

/** How long an attempt may stay open before it is settled or ended, in milliseconds. */
const ATTEMPT_LIFETIME = 30 * 60_000
const PAGE_SIZE = 50
/** A scheduled function has 30 seconds; what is left over waits for the next run. */
const TIME_BUDGET = 20_000

/** How many attempts and refunds ended in which way. */
export type SweepReport = Readonly<Record<string, number>>

/**
 * Finds what lost webhooks and dead browsers left behind: settles old attempts that were paid, ends those that were
 * not, and pays back what is still owed. One case that fails does not keep the others waiting.
 */
export async function sweep(context: Context): Promise<SweepReport> {
  const { db, now } = context
  const deadline = performance.now() + TIME_BUDGET
  const report: Record<string, number> = {}

  async function each(
    collection: CollectionReference,
    status: string,
    olderThan: number,
    handle: (document: QueryDocumentSnapshot) => Promise<string>,
  ) {
    const query = collection
      .where('status', '==', status)
      .where('createdAt', '<=', olderThan)
      .orderBy('createdAt')
      .limit(PAGE_SIZE)
    let page = await query.get()
    while (!page.empty) {
      for (const document of page.docs) {
        if (performance.now() > deadline) return
        const outcome = await handle(document).catch((error) => {
          context.log({ level: 'error', event: 'sweepFailed', of: collection.id, ...traceOf(error) })
          return 'failed'
        })
        report[outcome] = (report[outcome] ?? 0) + 1
      }
      page = await query.startAfter(page.docs.at(-1)).get()
    }
  }

  await each(refunds(db), 'due', now(), async (document) => {
    await payBack(context, document.id)
    return 'paidBack'
  })
  await each(attempts(db), 'reserved', now() - ATTEMPT_LIFETIME, async (document) => {
    const { outcome } = await release(context, { key: document.id, attempt: document.data() as Attempt })
    return outcome
  })
  context.log({ level: 'info', event: 'swept', ...report })
  return report
}
