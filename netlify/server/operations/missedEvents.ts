import type { Firestore } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import { DAY, MINUTE } from '../../../domain/duration.ts'
import { array, nullable, number, object, string } from '../../../domain/schema.ts'
import { documentParser } from '../platform/documents.ts'
import { nullIfMissing } from '../platform/nullIfMissing.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { follow, isFollowed } from './events.ts'

/** What nothing but its event tells of; everything else is found by looking at payments, refunds and plans. */
const TOLD_ONCE = [
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
  'review.opened',
  'review.closed',
]

/** How long the provider keeps events, in milliseconds. */
const KEPT_FOR = 30 * DAY
/** An event may be listed a little after its time. */
const OVERLAP = 5 * MINUTE

/** How many that failed are remembered by their ids. Past that, what was told later waits: none is lost. */
const MOST_FAILED = 500

/** Until when the provider's events were followed, in UTC ms, and which of those failed. */
export const eventsRef = (db: Firestore) => db.doc('settings/events')

const parseLook = documentParser(object({ followedUntil: nullable(number), failed: nullable(array(string)) }))

/**
 * Follows what the provider has told since the last look, the oldest first: the webhook may have lost it. An event that fails keeps
 * no other waiting: it is followed again when the new ones are, in each look until it succeeds or the provider has forgotten it. Stops
 * at `until`, by the process's own clock.
 *
 * @throws Stripe's or Firestore's error when the list can't be read.
 */
export async function followMissedEvents(
  context: PaymentContext,
  until: number,
  count: (outcome: 'leftOver') => void,
  failed: (error: unknown) => void,
): Promise<void> {
  const { db, stripe, now } = context
  const startedAt = now()
  const before = parseLook(await eventsRef(db).get())
  const failedBefore = before?.failed ?? []
  // In the order in which they are tried the next time: what has failed again comes last.
  const failing = new Set(failedBefore)
  const attempt = async (id: string, following: Promise<void>) => {
    try {
      await following
      failing.delete(id)
    } catch (error) {
      failing.delete(id)
      failing.add(id)
      failed(error)
    }
  }
  let followedUntil = startedAt - OVERLAP
  const since = Math.max(before?.followedUntil ?? 0, startedAt - KEPT_FOR)
  for await (const event of toldSince(stripe, since, startedAt)) {
    if (failing.has(event.id)) continue
    if (context.elapsed() > until || failing.size >= MOST_FAILED) {
      followedUntil = Math.min(followedUntil, event.created * 1000)
      count('leftOver')
      break
    }
    await attempt(event.id, followIfWanted(context, event))
  }
  for (const id of failedBefore) {
    if (context.elapsed() > until) {
      count('leftOver')
      break
    }
    await attempt(id, followAgain(context, id))
  }
  await eventsRef(db).set({ followedUntil, failed: [...failing] })
}

const followIfWanted = async (context: PaymentContext, event: Stripe.Event) => {
  if (isFollowed(event)) await follow(context, event)
}

async function followAgain(context: PaymentContext, id: string): Promise<void> {
  const event = await nullIfMissing(context.stripe.events.retrieve(id))
  if (event) await followIfWanted(context, event)
}

/**
 * What was told between two instants (UTC ms), the oldest first. The provider lists the newest first: where a time has more than a
 * page, the first half of it is asked for instead, so that whoever stops early has followed all that came before.
 */
async function* toldSince({ events }: Stripe, since: number, startedAt: number) {
  const end = Math.floor(startedAt / 1000) + 1
  let from = Math.floor(since / 1000)
  let to = end
  while (from < end) {
    const told = events.list({ types: TOLD_ONCE, created: { gte: from, lt: to }, limit: 100 })
    const seconds = to - from
    if ((await told).has_more && seconds > 1) {
      to = from + Math.floor(seconds / 2)
      continue
    }
    yield* (await told.autoPagingToArray({ limit: 10_000 })).reverse()
    from = to
    to = Math.min(end, from + 2 * seconds)
  }
}
