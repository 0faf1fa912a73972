import { expect } from 'vitest'
import { newsOf } from '../../domain/delivery.ts'
import { buildReference } from '../server/payouts/reference.ts'
import { parseTransaction } from './dumped.ts'
import type { ProviderOf, Records } from './invariants.ts'
import type { TakenPayout } from './payouts.ts'

/** More than a schedule has time for. */
const MOST_TRIES = 50

/** It has arrived, or may still. */
export const isStanding = ({ state }: TakenPayout) => state.kind === 'delivered' || state.kind === 'pending'

/** What must hold of what is paid out at every step, whatever failed. Counted from the provider's side, not from what the orders say. */
export function checkDeliveries(
  { deliveries, transactions, attempts, refunds }: Records,
  stripe: ProviderOf<'refunds'>,
  taken: readonly TakenPayout[],
  isPaidOut: boolean,
): void {
  expect([...deliveries.keys()].sort(), 'transfers that have an order').toEqual(
    isPaidOut ? [...transactions.keys()].sort() : [],
  )
  const standing = taken.filter(isStanding).map(({ transferId }) => transferId)
  expect(new Set(standing).size, 'payouts that stand, and their transfers').toBe(standing.length)
  const ours = new Set(
    stripe.refunds().flatMap(({ payment_intent: id, metadata }) => (metadata.byHand ? [] : [id])),
  )
  for (const id of standing) {
    expect(ours.has(id), `${id} is paid out and given back by us`).toBe(false)
    expect(transactions.has(id), `${id} is paid out and recorded`).toBe(true)
  }
  for (const { transferId, amount, phone } of taken) {
    const promised = [...attempts.values()].find(({ paymentIntentId }) => paymentIntentId === transferId)
    expect({ amount, phone }, `what ${transferId} pays out`).toEqual({
      amount: promised?.transfer.quote.converted,
      phone: promised?.transfer.phone,
    })
  }
  for (const { transferId, wallet, reference } of taken.filter(isStanding)) {
    const order = deliveries.get(transferId)
    expect(order?.wallet, `where ${transferId} goes, which is paid out to ${wallet}`).toBe(wallet)
    const references = Array.from({ length: MOST_TRIES }, (_, i) => buildReference(transferId, i + 1))
    expect(references, `the references of ${transferId} to ${wallet}`).toContain(reference)
  }
  for (const [id, order] of deliveries) {
    const { state, isByHand } = order
    const isGivenBack = state === 'failed' || state === 'paidBack'
    expect(refunds.get(id)?.reason === 'undelivered', `${id} (${state}) is owed back`).toBe(isGivenBack)
    const isDone = refunds.get(id)?.status === 'done'
    if (isGivenBack) expect(isDone, `the debt of ${id} (${state}) is done`).toBe(state === 'paidBack')
    const { status, delivery } = parseTransaction(transactions.get(id) ?? {})
    expect(delivery, `what the person may know of ${id} (${state})`).toEqual(newsOf(order))
    expect(status, `the status of ${id} (${state})`).toBe(isGivenBack ? 'failed' : 'completed')
    if (state === 'delivered' && !isByHand)
      expect(
        taken.filter(({ transferId, state: { kind } }) => transferId === id && kind === 'delivered').length,
        `payouts of ${id} that have arrived`,
      ).toBe(1)
  }
}

/** What must hold besides once nothing is under way any more: what a program can pay out is, or given back. */
export function checkQuietDeliveries({ deliveries, refunds }: Records): void {
  for (const [id, { state, isByHand }] of deliveries) {
    const ends = isByHand ? ['due', 'claimed', 'held', 'delivered'] : ['held', 'delivered']
    const isContested = refunds.get(id)?.status === 'disputed'
    expect([...ends, isContested ? 'failed' : 'paidBack'], `where ${id} stands`).toContain(state)
  }
}
