import type { CollectionReference, Query, QueryDocumentSnapshot } from 'firebase-admin/firestore'
import { DAY, MINUTE } from '../../../domain/duration.ts'
import { eventsRef, followMissedEvents } from '../operations/missedEvents.ts'
import { CAP_USE_KEPT } from '../payments/capUses.ts'
import { declines } from '../payments/mayPay.ts'
import { checkRefund, payBack } from '../payments/refunds.ts'
import { release } from '../payments/release.ts'
import { checkPlan } from '../plans/plans.ts'
import type { Chore } from '../platform/chores.ts'
import { areClosed, paymentsRef } from '../platform/closing.ts'
import { parseAttempt, parseDeletion } from '../platform/documents.ts'
import { traceOf } from '../platform/log.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { limits } from '../platform/rateLimits.ts'
import { attempts, capUses, customers, deletions, refunds } from '../platform/records.ts'
import { endKeeping, goOnDeleting } from './deleteAccount.ts'

/** How long an attempt may stay open before it is settled or ended, in milliseconds. */
export const ATTEMPT_LIFETIME = 30 * MINUTE
const PAGE_SIZE = 50
/** How long a limit that counts nothing any more is kept, in milliseconds. */
const LIMIT_KEPT = DAY
/** A scheduled function has 30 seconds; what is left over waits for the next run. */
const TIME_BUDGET = 20_000

/** The cases in this state that began at `olderThan` (UTC ms) or before, the oldest first. */
export const withStatus = (collection: CollectionReference, status: string, olderThan: number): Query =>
  collection.where('status', '==', status).where('createdAt', '<=', olderThan).orderBy('createdAt')

/** The cases that were to be looked at by `at` (UTC ms), the oldest first. */
export const withCheck = (collection: CollectionReference, at: number): Query =>
  collection.where('checkAt', '<=', at).orderBy('checkAt')

/** How many attempts, refunds and limits ended in which way. */
export type SweepReport = Readonly<Record<string, number>>

/**
 * Finds what lost webhooks and dead browsers left behind: settles old attempts that were paid, ends those that were
 * not, pays back what is still owed, asks whether refunds are still good, compares plans with the provider's, goes on with the
 * deletion of accounts, and forgets limits and uses of the cap that ended long ago. Neither a case nor a query that fails keeps the others
 * waiting; nor does a long queue, because each kind of case has its share of the time.
 */
export async function sweep(context: PaymentContext): Promise<SweepReport> {
  const { db, now, elapsed } = context
  const deadline = elapsed() + TIME_BUDGET
  const report: Record<string, number> = {}

  const count = (outcome: string, times = 1) => {
    report[outcome] = (report[outcome] ?? 0) + times
  }
  const failed = (of: Chore['of']) => (error: unknown) => {
    context.log({ level: 'error', event: 'sweepFailed', of: of.id, ...traceOf(error) })
    count('failed')
  }

  const each = (
    of: CollectionReference,
    due: Query,
    handle: (document: QueryDocumentSnapshot) => Promise<string>,
  ): Chore => ({
    of,
    async work(until) {
      const query = due.limit(PAGE_SIZE)
      let page = await query.get()
      while (!page.empty) {
        for (const [index, document] of page.docs.entries()) {
          if (elapsed() > until) {
            context.log({ level: 'error', event: 'sweepCut', of: of.id })
            return count('leftOver', page.size - index)
          }
          await handle(document).then((outcome) => count(outcome), failed(of))
        }
        page = await query.startAfter(page.docs.at(-1)).get()
      }
    },
  })

  const forget = (of: CollectionReference, kept: number): Chore => ({
    of,
    work: (until) => forgetEnded(of.where('endsAt', '<=', now() - kept).limit(PAGE_SIZE), until),
  })

  async function forgetEnded(ended: Query, until: number) {
    let page = await ended.get()
    while (!page.empty && elapsed() <= until) {
      const batch = db.batch()
      // One that is used again meanwhile stays.
      for (const { ref, updateTime } of page.docs) batch.delete(ref, { lastUpdateTime: updateTime })
      await batch.commit()
      count('forgotten', page.size)
      page = await ended.get()
    }
  }

  async function countClosed() {
    if (await areClosed(context)) count('closed')
  }

  const chores: readonly Chore[] = [
    { of: paymentsRef(db), work: countClosed },
    each(refunds(db), withCheck(refunds(db), now()), ({ id }) => checkRefund(context, id)),
    each(refunds(db), withStatus(refunds(db), 'due', now()), ({ id }) => payBack(context, id)),
    each(attempts(db), withStatus(attempts(db), 'reserved', now() - ATTEMPT_LIFETIME), async (document) => {
      const attempt = parseAttempt(document)
      return attempt ? (await release(context, { key: document.id, attempt })).outcome : 'gone'
    }),
    ...(context.payouts?.dueWork(context) ?? []),
    each(customers(db), withCheck(customers(db), now()), ({ id }) => checkPlan(context, id)),
    each(deletions(db), withStatus(deletions(db), 'due', now()), async (document) => {
      const deletion = parseDeletion(document)
      return deletion ? goOnDeleting(context, deletion) : 'gone'
    }),
    each(deletions(db), withCheck(deletions(db), now()), ({ id }) => endKeeping(context, id)),
    { of: eventsRef(db), work: (until) => followMissedEvents(context, until, count, failed(eventsRef(db))) },
    forget(limits(db), LIMIT_KEPT),
    forget(declines(db), LIMIT_KEPT),
    forget(capUses(db), CAP_USE_KEPT),
  ]
  for (const [index, { of, work }] of chores.entries()) {
    const startsAt = elapsed()
    // What the ones before did not need is shared by those that are left.
    const until = startsAt + (deadline - startsAt) / (chores.length - index)
    await work(until, { count, failed: failed(of) }).catch(failed(of))
  }
  context.log({ level: 'info', event: 'swept', ...report })
  return report
}
