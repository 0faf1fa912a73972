import type { CollectionReference, Firestore, Query, QueryDocumentSnapshot } from 'firebase-admin/firestore'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { createMissedEventsChore } from '../events/missedEvents.ts'
import { CAP_USE_RETENTION } from '../payments/capUses.ts'
import { incidents } from '../payments/incidents.ts'
import { arePaymentsClosed, paymentsStateRef } from '../payments/paymentsState.ts'
import { checkDebt, refundCharge } from '../payments/refunds.ts'
import { releaseAttempt } from '../payments/release.ts'
import { supplierNotices, syncSupplierNotice } from '../payments/supplierNotices.ts'
import { reconcilePlan } from '../plans/plans.ts'
import { type Chore, type DueItem, runChores } from '../platform/chores.ts'
import { runUntil } from '../platform/deadline.ts'
import { parseAttempt, parseDeletion, type Refund } from '../platform/documents.ts'
import { type DueDocument, iterateDuePages, iteratePages } from '../platform/duePages.ts'
import { getTrace } from '../platform/log.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { rateLimits } from '../platform/rateLimits.ts'
import { attempts, capUses, customers, deletions, refunds } from '../platform/records.ts'
import { continueDeletion, deleteRetainedDocuments } from './deleteAccount.ts'
import { errorCounts } from './errorCounts.ts'

export const ATTEMPT_LIFETIME = 30 * MINUTE
const LIMIT_KEPT = DAY
const ERRORS_KEPT = 30 * DAY

/** The job begins no new work after this many milliseconds. */
const DUE_WORK_STOP_AFTER = 22_000
/** In milliseconds. The host ends a scheduled function after 30 seconds, including its start. */
const END_AFTER = 27_000

/** Ten items make about 40 calls a second to Stripe, which allows 100, and 25 of one kind. */
const DUE_WORK_CONCURRENCY = { stripe: 10, google: 10, others: 20 }
/** Items of one account change the same documents and would wait for each other. */
const PER_ACCOUNT = 4

/** `olderThan`: UTC ms. */
export const queryByStatus = (collection: CollectionReference, status: string, olderThan: number): Query =>
  collection.where('status', '==', status).where('createdAt', '<=', olderThan).orderBy('createdAt')

export const queryDebts = (db: Firestore, status: Refund['status'], olderThan: number): Query =>
  refunds(db).where('status', '==', status).where('since', '<=', olderThan).orderBy('since')

export const queryDueChecks = (collection: CollectionReference, at: number): Query =>
  collection.where('checkAt', '<=', at).orderBy('checkAt')

export type DueWorkReport = Readonly<Record<string, number>>

/** Stops before the host's limit, and leaves the rest to the next run. `more`: chores of higher layers. */
export async function runDueWork(
  context: PaymentContext,
  more: readonly Chore<DueItem>[] = [],
): Promise<DueWorkReport> {
  const { elapsed, log } = context
  const report: Record<string, number> = {}
  const count = (outcome: string, times = 1) => {
    report[outcome] = (report[outcome] ?? 0) + times
  }
  const deadline = context.expire(END_AFTER)
  const limits = {
    atOnce: DUE_WORK_CONCURRENCY,
    perAccount: PER_ACCOUNT,
    elapsed,
    stopAt: elapsed() + DUE_WORK_STOP_AFTER,
    deadline,
  }
  await runUntil(deadline, () =>
    runChores([...listChores(context, count), ...more], limits, {
      count,
      failed(collection, error) {
        log({ level: 'error', event: 'dueWorkFailed', collection, ...getTrace(error) })
        count('failed')
      },
      leftOver(collection, items) {
        log({ level: 'error', event: 'dueWorkCutShort', collection, items })
        count('leftOver', items)
      },
    }),
  )
  log({ level: 'info', event: 'dueWorkDone', ...report })
  return report
}

function listChores(
  context: PaymentContext,
  count: (outcome: string, times: number) => void,
): readonly Chore<DueItem>[] {
  const { db, now, payouts } = context
  const chore = (
    provider: keyof typeof DUE_WORK_CONCURRENCY,
    name: string,
    due: () => Query,
    handle: (document: QueryDocumentSnapshot) => Promise<string>,
  ): Chore<DueDocument> => ({
    name,
    provider,
    due: () => iterateDuePages(due()),
    handle: ({ document }) => handle(document),
  })
  const forget = (
    of: CollectionReference,
    kept: number,
  ): Chore<DueItem & { readonly documents: readonly QueryDocumentSnapshot[] }> => ({
    name: of.id,
    provider: 'google',
    async *due() {
      for await (const documents of iteratePages(of.where('endsAt', '<=', now() - kept)))
        yield [{ id: documents[0]?.id ?? '', account: '', documents }]
    },
    async handle({ documents }) {
      const batch = db.batch()
      // Keeps a count that was used again in the meantime.
      for (const { ref, updateTime } of documents) batch.delete(ref, { lastUpdateTime: updateTime })
      await batch.commit()
      count('forgotten', documents.length)
      return null
    },
  })
  const closed: Chore<DueItem> = {
    name: paymentsStateRef(db).id,
    provider: 'google',
    async *due() {
      if (await arePaymentsClosed(context)) yield [{ id: 'closed', account: '' }]
    },
    handle: async () => 'closed',
  }
  const checked = (of: typeof refunds) => () => queryDueChecks(of(db), now())
  const dueDebts = () => queryDebts(db, 'due', now())
  const dueDeletions = () => queryByStatus(deletions(db), 'due', now())
  const openAttempts = () => queryByStatus(attempts(db), 'reserved', now() - ATTEMPT_LIFETIME)
  return [
    closed,
    chore('stripe', 'refunds', checked(refunds), (document) =>
      checkDebt(context, { id: document.id, status: document.get('status') }),
    ),
    // New debts have a queue of their own, so that failing refunds never delay them.
    { ...chore('stripe', 'refunds', dueDebts, ({ id }) => refundCharge(context, id)), isFed: true },
    chore('stripe', 'attempts', openAttempts, async (document) => {
      const attempt = parseAttempt(document)
      return attempt ? (await releaseAttempt(context, { key: document.id, attempt })).outcome : 'gone'
    }),
    ...(payouts?.dueWork(context) ?? []),
    chore('stripe', 'supplierNotices', checked(supplierNotices), ({ id }) => syncSupplierNotice(context, id)),
    chore('stripe', 'customers', checked(customers), ({ id }) => reconcilePlan(context, id)),
    chore('google', 'deletions', dueDeletions, async (document) => {
      const deletion = parseDeletion(document)
      return deletion ? continueDeletion(context, deletion) : 'gone'
    }),
    chore('google', 'deletions', checked(deletions), ({ id }) => deleteRetainedDocuments(context, id)),
    createMissedEventsChore(context),
    forget(rateLimits(db), LIMIT_KEPT),
    forget(incidents(db), LIMIT_KEPT),
    forget(capUses(db), CAP_USE_RETENTION),
    forget(errorCounts(db), ERRORS_KEPT),
  ]
}
