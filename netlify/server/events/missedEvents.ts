import type { Firestore } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import * as v from 'valibot'
import { DAY, MINUTE } from '../../../domain/common/duration.ts'
import { finiteNumber } from '../../../domain/common/schema.ts'
import type { Chore, DueItem } from '../platform/chores.ts'
import { createDocumentParser } from '../platform/documents.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { returnNullIfMissing } from '../platform/returnNullIfMissing.ts'
import { handleStripeEvent, isHandledEvent } from './events.ts'

/** The due-work job does not find the cause of these by checking payments, refunds and plans. */
const TOLD_ONCE = [
  'payment_intent.payment_failed',
  'setup_intent.setup_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'refund.updated',
  'refund.failed',
  'radar.early_fraud_warning.created',
  'review.opened',
  'review.closed',
]

/** How long Stripe keeps events. */
const KEPT_FOR = 30 * DAY
/** Stripe may list an event a little late. */
const OVERLAP = 5 * MINUTE

/** Beyond that, later events wait; none is lost. */
const MAX_FAILED = 500

/** Stores until when Stripe's events were handled (UTC ms), and the IDs of those that failed. */
export const eventProgressRef = (db: Firestore) => db.doc('settings/events')

const parseLook = createDocumentParser(
  v.object({ followedUntil: v.nullish(finiteNumber, null), failed: v.nullish(v.array(v.string()), null) }),
)

const CHUNK_SIZE = 5

interface MissedEvent extends DueItem {
  /** UTC ms. */
  readonly created: number
  /** Null once Stripe no longer has the event. */
  readonly read: () => Promise<Stripe.Event | null>
}

/**
 * Handles the events since the last run, oldest first, because their webhooks may have been lost. A failing
 * event delays no other: each run retries it after the new ones, until Stripe no longer has it.
 */
export function createMissedEventsChore(context: PaymentContext): Chore<MissedEvent> {
  const { db, stripe, now } = context
  /** In order of their last failure, so that the latest failure is retried last. */
  const failing = new Set<string>()
  const handled = new Set<string>()

  async function* due() {
    const startedAt = now()
    const before = parseLook(await eventProgressRef(db).get())
    const failedBefore = before?.failed ?? []
    for (const id of failedBefore) failing.add(id)
    let followedUntil = Math.max(before?.followedUntil ?? 0, startedAt - KEPT_FOR)
    const save = () => eventProgressRef(db).set({ followedUntil, failed: [...failing] })
    let chunk: MissedEvent[] = []
    try {
      for await (const event of listEventsSince(stripe, followedUntil, startedAt)) {
        if (failing.has(event.id)) continue
        if (chunk.length === CHUNK_SIZE) {
          yield chunk
          chunk = []
          followedUntil = event.created * 1000
          await save()
          if (failing.size >= MAX_FAILED) break
        }
        const created = event.created * 1000
        chunk.push({ id: event.id, account: event.id, created, read: async () => event })
      }
      yield chunk
      if (failing.size < MAX_FAILED) followedUntil = startedAt - OVERLAP
      for (let from = 0; from < failedBefore.length; from += CHUNK_SIZE)
        yield failedBefore.slice(from, from + CHUNK_SIZE).map(toFailed)
    } finally {
      // A run that ends within a chunk has made progress too.
      const next = chunk.find(({ id }) => !handled.has(id)) ?? chunk.at(-1)
      if (next) followedUntil = Math.max(followedUntil, Math.min(next.created, startedAt - OVERLAP))
      await save()
    }
  }

  const toFailed = (id: string): MissedEvent => ({
    id,
    account: id,
    created: 0,
    read: () => returnNullIfMissing(stripe.events.retrieve(id)),
  })

  return {
    name: eventProgressRef(db).id,
    provider: 'stripe',
    due,
    async handle({ id, read }) {
      try {
        const event = await read()
        if (event && isHandledEvent(event)) await handleStripeEvent(context, event)
        failing.delete(id)
      } catch (error) {
        failing.delete(id)
        failing.add(id)
        throw error
      } finally {
        handled.add(id)
      }
      return null
    },
  }
}

/** Stripe lists the newest first, so a period with more than a page is halved. */
async function* listEventsSince({ events }: Stripe, since: number, startedAt: number) {
  const end = Math.floor(startedAt / 1000) + 1
  let from = Math.floor(since / 1000)
  let to = end
  while (from < end) {
    const page = events.list({ types: TOLD_ONCE, created: { gte: from, lt: to }, limit: 100 })
    const seconds = to - from
    if ((await page).has_more && seconds > 1) {
      to = from + Math.floor(seconds / 2)
      continue
    }
    yield* (await page.autoPagingToArray({ limit: 10_000 })).reverse()
    from = to
    to = Math.min(end, from + 2 * seconds)
  }
}
