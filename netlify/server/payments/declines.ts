import { getCardKeys } from '../accounts/persons.ts'
import type { Context } from '../platform/context.ts'
import { type NewIncidents, prepareIncidentCount } from './incidents.ts'

export interface Decline {
  readonly id: string
  /** UTC ms. */
  readonly at: number
  readonly cards: readonly string[]
}

/** Asks Stripe, because webhooks may be missing. */
export async function listDeclines(context: Context, paymentIntentId: string): Promise<readonly Decline[]> {
  const { data } = await context.stripe.charges.list({ payment_intent: paymentIntentId, limit: 100 })
  return data
    .filter(({ status }) => status === 'failed')
    .map((charge) => ({ id: charge.id, at: charge.created * 1000, cards: getCardKeys(context, charge) }))
}

export const toIncidents = (declined: readonly Decline[]): NewIncidents['at'] =>
  Object.fromEntries(declined.map(({ id, at }) => [id, at]))

/** Counts each decline once per key. Returns whether one of the keys has too many. */
export async function recordDeclines(
  context: Context,
  declined: readonly Decline[],
  persons: readonly string[],
): Promise<boolean> {
  if (declined.length === 0) return false
  const cards = new Set(declined.flatMap((one) => one.cards))
  const counted = [
    ...persons.map((name) => ({ name, at: toIncidents(declined) })),
    ...[...cards].map((name) => ({
      name,
      at: toIncidents(declined.filter((one) => one.cards.includes(name))),
    })),
  ]
  return context.db.runTransaction(async (tx) => {
    const { isRefused, store } = await prepareIncidentCount(context, tx, 'decline', counted)
    store()
    return isRefused
  })
}
