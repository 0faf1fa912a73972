import type { Firestore } from 'firebase-admin/firestore'
import { number, object, orNull } from '../../../domain/read.ts'
import type { Context } from '../platform/context.ts'
import { reading } from '../platform/readers.ts'
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
const KEPT_FOR = 30 * 24 * 3_600_000
/** An event may be listed a little after its time. */
const OVERLAP = 5 * 60_000

/** Until when the provider's events were followed, in UTC ms. */
export const eventsRef = (db: Firestore) => db.doc('settings/events')

const lookIn = reading(object({ followedUntil: orNull(number) }))

/**
 * Follows what the provider has told since the last look, the oldest first: the webhook may have lost it. An event that fails keeps
 * no other waiting, and is followed again the next time. Stops at `until`, by the process's own clock.
 *
 * @throws Stripe's or Firestore's error when the list can't be read.
 */
export async function followMissedEvents(
  context: Context,
  until: number,
  count: (outcome: 'leftOver') => void,
  failed: (error: unknown) => void,
): Promise<void> {
  const { db, stripe, now } = context
  const startedAt = now()
  const from = lookIn(await eventsRef(db).get())?.followedUntil ?? startedAt - KEPT_FOR
  const created = { gte: Math.floor(Math.max(from, startedAt - KEPT_FOR) / 1000) }
  const events = await stripe.events
    .list({ types: TOLD_ONCE, created, limit: 100 })
    .autoPagingToArray({ limit: 10_000 })
  let followedUntil = startedAt - OVERLAP
  for (const event of events.reverse()) {
    const mayWait = () => {
      followedUntil = Math.min(followedUntil, event.created * 1000)
    }
    if (context.elapsed() > until) {
      mayWait()
      count('leftOver')
      break
    }
    if (!isFollowed(event)) continue
    await follow(context, event).catch((error) => {
      mayWait()
      failed(error)
    })
  }
  await eventsRef(db).set({ followedUntil })
}
