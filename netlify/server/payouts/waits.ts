import type { Query } from 'firebase-admin/firestore'
import { DAY, HOUR, MINUTE } from '../../../domain/common/duration.ts'
import type { DeliveryState } from '../../../domain/payouts/deliveryOrder.ts'
import { queryPendingIdentities } from '../accounts/identityQueue.ts'
import { MAX_TOKEN_LIFETIME } from '../endpoints/deleteAccount.ts'
import { ATTEMPT_LIFETIME, queryByStatus, queryDebts, queryDueChecks } from '../endpoints/dueWork.ts'
import { type SupplierNotice, supplierNotices } from '../payments/supplierNotices.ts'
import type { Chore, DueItem } from '../platform/chores.ts'
import type { Attempt, Deletion, Refund } from '../platform/documents.ts'
import { attempts, customers, deletions, refunds, unknownPayments } from '../platform/records.ts'
import { deliveries } from './orderRecords.ts'
import type { PayoutContext } from './payoutContext.ts'
import { findCases } from './screening/cases.ts'

// The doctor and the alert of the due-work job use this table.

/** A new state of a stored document needs a row here; the compiler checks that. */
export type WaitKind =
  | `refund.${Exclude<Refund['status'], 'done' | 'settled'>}`
  | `attempt.${Exclude<Attempt['status'], 'recorded' | 'released' | 'refunded'>}`
  | `delivery.${Exclude<DeliveryState, 'delivered' | 'failed' | 'canceled' | 'paidBack'>}`
  | `notice.${Exclude<SupplierNotice['state'], 'paid' | 'reversed'>}`
  | `deletion.${Exclude<Deletion['status'], 'kept'>}`
  | 'delivery.answer'
  | 'document.pending'
  | 'unknownPayment.open'
  | `check.${(typeof CHECKED)[number]['name']}`

const CHECKED = [
  { name: 'refunds', of: refunds },
  { name: 'deliveries', of: deliveries },
  { name: 'supplierNotices', of: supplierNotices },
  { name: 'customers', of: customers },
  { name: 'deletions', of: deletions },
] as const

interface Wait {
  /** In milliseconds. */
  readonly limit: number
  /** A plural and its verb, to which number and limit are added. */
  readonly what: string
  readonly remedy: string
  /** Counts what has waited since `at` (UTC ms) or longer, at most 100. */
  readonly count: (context: PayoutContext, at: number) => Promise<number>
}

const count = async (query: Query) => (await query.limit(100).get()).size

const refundWait = (status: Refund['status'], wait: Omit<Wait, 'count'>): Wait => ({
  ...wait,
  count: ({ db }, at) => count(queryDebts(db, status, at)),
})

const deliveryWait = (state: DeliveryState, wait: Omit<Wait, 'count' | 'remedy'> & { do: string }): Wait => ({
  limit: wait.limit,
  what: wait.what,
  remedy: `${wait.do} (docs/running.md, Paying out).`,
  count: ({ db }, at) =>
    count(deliveries(db).where('state', '==', state).where('since', '<=', at).orderBy('since')),
})

const JOB_REMEDY =
  "See in Netlify, Logs, Functions, whether 'due-work' is scheduled and what it logs (docs/running.md, The due-work job)."

/** The job runs every 15 minutes. */
const MAX_DUE_WORK_DELAY = HOUR

const checkWait = (collection: (typeof CHECKED)[number]): Wait => ({
  limit: MAX_DUE_WORK_DELAY,
  what: `documents in '${collection.name}' have waited for the due-work job`,
  remedy: JOB_REMEDY,
  count: ({ db }, at) => count(queryDueChecks(collection.of(db), at)),
})

export const WAITS: Readonly<Record<WaitKind, Wait>> = {
  'refund.due': refundWait('due', {
    limit: MAX_DUE_WORK_DELAY,
    what: 'refunds have waited to begin',
    remedy: JOB_REMEDY,
  }),
  'refund.failing': refundWait('failing', {
    limit: DAY,
    what: 'charges have been owed although refunds were tried',
    remedy: 'Pay them back in another way (docs/running.md, A refund that keeps failing).',
  }),
  'refund.unfunded': refundWait('unfunded', {
    limit: DAY,
    what: 'refunds have waited for money on the Stripe balance',
    remedy: 'Add funds in Stripe, Balances; the refunds then continue by themselves.',
  }),
  'refund.pending': refundWait('pending', {
    limit: 14 * DAY,
    what: 'refunds have been with a bank',
    remedy: "Ask Stripe's support about them: npm run ops -- explain pi_… names each refund.",
  }),
  'refund.disputed': refundWait('disputed', {
    limit: 120 * DAY,
    what: 'disputes of charges that we owe have been undecided',
    remedy: "Ask Stripe's support about them (Stripe, Disputes).",
  }),
  'attempt.reserved': {
    limit: ATTEMPT_LIFETIME + MAX_DUE_WORK_DELAY,
    what: 'payments have been neither settled nor ended',
    remedy: JOB_REMEDY,
    count: ({ db }, at) => count(queryByStatus(attempts(db), 'reserved', at)),
  },
  'unknownPayment.open': {
    limit: DAY,
    what: 'unknown payments have waited for a decision',
    remedy: 'Decide about them: npm run ops -- unknown-payments list (docs/running.md, Unknown payments).',
    count: ({ db }, at) =>
      count(
        unknownPayments(db).where('decidedAt', '==', null).where('createdAt', '<=', at).orderBy('createdAt'),
      ),
  },
  'delivery.due': deliveryWait('due', {
    limit: DAY,
    what: 'deliveries have been due',
    do: 'Pay those that are paid by hand: npm run ops -- deliveries claim',
  }),
  'delivery.handingOver': deliveryWait('handingOver', {
    limit: DAY,
    what: 'deliveries have had no answer from a provider',
    do: 'Ask the provider by their references: npm run ops -- deliveries list',
  }),
  'delivery.handedOver': deliveryWait('handedOver', {
    limit: DAY,
    what: 'deliveries have been with a provider',
    do: 'Ask the provider by their references: npm run ops -- deliveries list',
  }),
  'delivery.waiting': deliveryWait('waiting', {
    limit: 0,
    what: 'deliveries wait for an operator',
    do: "Fill the account or correct the provider's settings, as the list says: npm run ops -- deliveries list",
  }),
  'delivery.claimed': deliveryWait('claimed', {
    limit: DAY,
    what: 'deliveries have been claimed',
    do: 'Ask the operators who claimed them: npm run ops -- deliveries list',
  }),
  'delivery.held': deliveryWait('held', {
    limit: DAY,
    what: 'deliveries have been held',
    do: 'Find out why, and release or fail them: npm run ops -- deliveries list',
  }),
  'delivery.answer': {
    limit: 0,
    what: 'deliveries are held by the list of sanctions for longer than their senders were told',
    remedy: 'Decide them: npm run ops -- people cases (docs/running.md, A name on the list of sanctions).',
    count: async (context, at) =>
      (await findCases(context)).filter(({ order }) => (order.screening?.answerBy ?? 0) <= at).length,
  },
  'notice.held': {
    limit: 3 * DAY,
    what: 'suppliers have not been told that an invoice is paid',
    remedy: 'See with npm run ops -- people show whether their payers must stay stopped.',
    count: ({ db }, at) =>
      count(supplierNotices(db).where('state', '==', 'held').where('paidAt', '<=', at).orderBy('paidAt')),
  },
  'document.pending': {
    limit: DAY,
    what: 'identity documents have waited for a decision',
    remedy: 'Decide them: npm run ops -- identity list (docs/running.md, Reviewing identity documents).',
    count: ({ db }, at) => count(queryPendingIdentities(db).where('createdAt', '<=', new Date(at))),
  },
  'deletion.due': {
    limit: MAX_TOKEN_LIFETIME + MAX_DUE_WORK_DELAY,
    what: 'deletions of accounts have not been completed',
    remedy: JOB_REMEDY,
    count: ({ db }, at) => count(queryByStatus(deletions(db), 'due', at)),
  },
  ...(Object.fromEntries(CHECKED.map((one) => [`check.${one.name}`, checkWait(one)])) as Record<
    `check.${(typeof CHECKED)[number]['name']}`,
    Wait
  >),
}

export interface Overdue {
  readonly kind: WaitKind
  readonly items: number
  readonly said: string
  readonly remedy: string
}

/** @throws Firestore's error. */
export async function findOverdue(context: PayoutContext, kind: WaitKind): Promise<Overdue | null> {
  const { limit, what, remedy, count: countSince } = WAITS[kind]
  const items = await countSince(context, context.now() - limit)
  if (items === 0) return null
  return {
    kind,
    items,
    said: `${items} ${what}${limit === 0 ? '' : ` for more than ${formatLimit(limit)}`}.`,
    remedy,
  }
}

export const WAIT_KINDS = Object.keys(WAITS) as readonly WaitKind[]

function formatLimit(ms: number): string {
  const [unit, name] = ms % DAY === 0 ? [DAY, 'day'] : ms % HOUR === 0 ? [HOUR, 'hour'] : [MINUTE, 'minute']
  const times = ms / unit
  return times === 1 ? `${name === 'hour' ? 'an' : 'a'} ${name}` : `${times} ${name}s`
}

interface WaitItem extends DueItem {
  readonly kind: WaitKind
}

/** Alerts an operator in the first run of each hour. */
export function createWaitsChore(context: PayoutContext): Chore<WaitItem> {
  return {
    name: 'waits',
    provider: 'google',
    async *due() {
      if (context.now() % HOUR < HOUR / 4) yield WAIT_KINDS.map((kind) => ({ id: kind, account: kind, kind }))
    },
    async handle({ kind }) {
      const overdue = await findOverdue(context, kind)
      if (overdue) context.log({ level: 'error', event: 'waitsTooLong', kind, items: overdue.items })
      return null
    },
  }
}
