import type { Firestore } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { DAY } from '../../../domain/common/duration.ts'
import { finiteNumber, type Output } from '../../../domain/common/schema.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'
import { getCardKeys } from '../platform/persons.ts'

const declinesSchema = v.object({
  at: v.record(v.string(), finiteNumber),
  /** When the last decline stops counting (UTC ms). */
  endsAt: finiteNumber,
})

/** Declines counted under one key of a person or card. `at`: instants (UTC ms) by decline ID at Stripe. */
export type CountedDeclines = Output<typeof declinesSchema>
export const parseCountedDeclines = createDocumentParser(declinesSchema)
export const declines = (db: Firestore) => db.collection('declines')

/** This many declines within a day suggest that the user is testing stolen cards. */
const MAX_DECLINES = 10
const DECLINES_COUNT_FOR = DAY

/** A charge or a card check that the bank declined. */
export interface Decline {
  readonly id: string
  /** UTC milliseconds. */
  readonly at: number
  /** Key of the card; empty if Stripe does not identify the card. */
  readonly cards: readonly string[]
}

/** Lists all declined charges of a payment. Asks Stripe, because webhooks may be missing. */
export async function listDeclines(context: Context, paymentIntentId: string): Promise<readonly Decline[]> {
  const { data } = await context.stripe.charges.list({ payment_intent: paymentIntentId, limit: 100 })
  return data
    .filter(({ status }) => status === 'failed')
    .map((charge) => ({ id: charge.id, at: charge.created * 1000, cards: getCardKeys(context, charge) }))
}

/**
 * Counts each decline once under every key of the person and of its card. Returns whether one of these keys
 * has too many.
 */
export async function recordDeclines(
  { db, now }: Context,
  declined: readonly Decline[],
  names: readonly string[],
): Promise<boolean> {
  if (declined.length === 0) return false
  const cards = [...new Set(declined.flatMap((one) => one.cards))]
  const countedUnder = new Map([
    ...names.map((name) => [name, declined] as const),
    ...cards.map((card) => [card, declined.filter((one) => one.cards.includes(card))] as const),
  ])
  const refs = [...countedUnder.keys()].map((name) => declines(db).doc(name))
  return db.runTransaction(async (tx) => {
    const stored = await tx.getAll(...refs)
    const counts = stored.map((one) =>
      addDeclines(parseCountedDeclines(one), countedUnder.get(one.id) ?? [], now()),
    )
    for (const [i, ref] of refs.entries()) {
      const count = counts[i]
      if (count && Object.keys(count.at).length > 0) tx.set(ref, count)
    }
    return counts.some((count) => computeDeclineWait(count, now()) > 0)
  })
}

/** Adds declines to the counted ones, and removes those that no longer count. */
export function addDeclines(
  count: CountedDeclines | undefined,
  declined: readonly Decline[],
  now: number,
): CountedDeclines {
  const all = { ...count?.at, ...Object.fromEntries(declined.map(({ id, at }) => [id, at])) }
  const at = Object.fromEntries(
    Object.entries(all).filter(([, instant]) => instant > now - DECLINES_COUNT_FOR),
  )
  return { at, endsAt: Math.max(now, ...Object.values(at)) + DECLINES_COUNT_FOR }
}

/** Returns how long until payments are allowed again, in milliseconds; 0 if they are allowed now. */
export function computeDeclineWait(count: CountedDeclines | undefined, now: number): number {
  const recent = Object.values(count?.at ?? {}).sort((a, b) => a - b)
  const last = recent.at(-MAX_DECLINES)
  return last === undefined ? 0 : Math.max(0, last + DECLINES_COUNT_FOR - now)
}
