import { expect } from 'vitest'
import { maskPhone } from '../../domain/numbers/phone.ts'
import { deriveDeliverySummary } from '../../domain/payouts/deliveryOrder.ts'
import type { PayoutContext } from '../server/payouts/payoutContext.ts'
import { buildRecipientLink } from '../server/payouts/recipientPage/links.ts'
import { buildReference } from '../server/payouts/reference.ts'
import { parseDumpedTransaction } from './dumpedRecords.ts'
import type { ProviderPart, Records } from './invariants.ts'
import type { AcceptedPayout } from './payouts.ts'

const MAX_ATTEMPTS = 50

export const isPayoutEffective = ({ state }: AcceptedPayout) =>
  state.kind === 'delivered' || state.kind === 'pending'

/** Derives the invariants from the provider's data, not from the orders. */
export function checkDeliveryInvariants(
  { deliveries, transactions, attempts, refunds }: Records,
  stripe: ProviderPart<'refunds'>,
  taken: readonly AcceptedPayout[],
  isPaidOut: boolean,
  wronglyGivenUp: ReadonlySet<string>,
  context: Pick<PayoutContext, 'receipts' | 'deployment'>,
): void {
  expect([...deliveries.keys()].sort(), 'transfers that have an order').toEqual(
    isPaidOut ? [...transactions.keys()].sort() : [],
  )
  const standing = taken.filter(isPayoutEffective).map(({ transferId }) => transferId)
  expect(new Set(standing).size, 'transfers with effective payouts, each once').toBe(standing.length)
  const ours = new Set(
    stripe.refunds().flatMap(({ payment_intent: id, metadata }) => (metadata.byHand ? [] : [id])),
  )
  for (const id of standing) {
    if (!wronglyGivenUp.has(id)) expect(ours.has(id), `${id} is paid out and refunded by us`).toBe(false)
    expect(transactions.has(id), `${id} is paid out and recorded`).toBe(true)
  }
  for (const { transferId, amount, phone } of taken) {
    const promised = [...attempts.values()].find(({ paymentIntentId }) => paymentIntentId === transferId)
    expect({ amount, phone }, `the amount that ${transferId} pays out`).toEqual({
      amount: promised?.transfer.quote.converted,
      // After the legal term of a deleted account, only the masked number is left.
      phone: promised?.transfer.phone === maskPhone(phone) ? phone : promised?.transfer.phone,
    })
  }
  for (const { transferId, wallet, reference } of taken.filter(isPayoutEffective)) {
    const order = deliveries.get(transferId)
    expect(order?.wallet, `the wallet of ${transferId}, which is paid out to ${wallet}`).toBe(wallet)
    const references = Array.from({ length: MAX_ATTEMPTS }, (_, i) => buildReference(transferId, i + 1))
    expect(references, `the references of ${transferId} to ${wallet}`).toContain(reference)
  }
  for (const [id, order] of deliveries) {
    const { state, isByHand, cancelableUntil, canceledAt, sentAt } = order
    const isGivenBack = state === 'failed' || state === 'canceled' || state === 'paidBack'
    expect(refunds.get(id)?.reason === 'undelivered', `${id} (${state}) is owed back`).toBe(isGivenBack)
    const isDone = ['done', 'settled'].includes(refunds.get(id)?.status ?? '')
    if (isGivenBack) expect(isDone, `the debt of ${id} (${state}) is done`).toBe(state === 'paidBack')
    const { status, delivery, recipientLink } = parseDumpedTransaction(transactions.get(id) ?? {})
    expect(delivery, `the stage of ${id} that the user sees (${state})`).toEqual(deriveDeliverySummary(order))
    // After the legal term of a deleted account, only the masked number is left.
    if (!order.phone.includes('*'))
      expect(recipientLink, `the signed state of ${id} (${state})`).toBe(
        buildRecipientLink(context, id, order),
      )
    const ended = canceledAt === null ? 'failed' : 'canceled'
    expect(status, `the status of ${id} (${state})`).toBe(isGivenBack ? ended : 'completed')
    if (canceledAt !== null) {
      expect(['canceled', 'paidBack'], `the state of ${id}, which its sender canceled`).toContain(state)
      expect(canceledAt, `when ${id} was canceled`).toBeLessThan(cancelableUntil ?? Number.POSITIVE_INFINITY)
      const sent = taken.filter(({ transferId }) => transferId === id)
      expect(sent, `payouts of ${id}, which its sender canceled`).toEqual([])
    }
    if (sentAt !== null)
      expect(sentAt, `when ${id} was handed over`).toBeGreaterThanOrEqual(cancelableUntil ?? 0)
    if (state === 'delivered' && !isByHand)
      expect(
        taken.filter(({ transferId, state: { kind } }) => transferId === id && kind === 'delivered').length,
        `payouts of ${id} that have arrived`,
      ).toBe(1)
  }
}

/** Payouts through an API are delivered, held or refunded once no work is in progress. */
export function checkIdleDeliveryInvariants({ deliveries, refunds }: Records): void {
  for (const [id, { state, isByHand }] of deliveries) {
    const ends = isByHand ? ['due', 'claimed', 'held', 'delivered'] : ['held', 'delivered']
    const isContested = refunds.get(id)?.status === 'disputed'
    const owed = isContested ? ['failed', 'canceled'] : ['paidBack']
    expect([...ends, ...owed], `the state of ${id}`).toContain(state)
  }
}
