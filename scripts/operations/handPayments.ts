import { arePaymentsClosed } from '../../netlify/server/payments/paymentsState.ts'
import { findPayoutBlocker, updateDelivery } from '../../netlify/server/payouts/deliver.ts'
import { deliveryBatches } from '../../netlify/server/payouts/orderRecords.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'

/** `calledOff`: the charge was returned, so it is refunded. `held`: by a warning, a review or a stop. */
export type ClaimResult = 'claimed' | 'calledOff' | 'held' | 'notDue'

/**
 * Claims orders for an operator: they are neither offered to others nor refunded until the operator reports
 * the outcome. Null while payments are closed.
 * @throws Stripe's or Firestore's error; calling again claims the rest.
 */
export async function claimDueOrders(
  context: PayoutContext,
  { batch, by, ids }: { readonly batch: string; readonly by: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, ClaimResult> | null> {
  if (await arePaymentsClosed(context)) return null
  await deliveryBatches(context.db).doc(batch).create({ by, claimedAt: context.now() })
  const results = new Map<string, ClaimResult>()
  for (const id of ids) {
    const update = await updateDelivery(context, id, async (order) => {
      if (!order.isByHand || order.state !== 'due') return null
      return (await findPayoutBlocker(context, id, order)) ?? { type: 'order.claim', batch }
    })
    const { state } = update?.order ?? {}
    const isThere = state === 'claimed' || state === 'held'
    results.set(id, !update?.isTaken ? 'notDue' : isThere ? state : 'calledOff')
  }
  return results
}
