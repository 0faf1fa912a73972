import { areClosed } from '../platform/closing.ts'
import { deliveryBatches } from '../platform/records.ts'
import { findPayoutBlocker, updateDelivery } from './deliver.ts'
import type { PayoutContext } from './payoutContext.ts'

/**
 * What came of claiming an order: it is theirs; its charge went back and so it is given back; a warning or a review holds it; or it is not
 * there to be claimed.
 */
export type Claimed = 'claimed' | 'calledOff' | 'held' | 'notDue'

/**
 * Somebody takes orders in hand to pay them: from then on nobody else is told to, and none is given back, until they say what became
 * of it. Who has which batch is written down first. Null while payments are closed.
 *
 * @throws Stripe's or Firestore's error; what was claimed before is in the batch, and calling again claims the rest.
 */
export async function claim(
  context: PayoutContext,
  { batch, by, ids }: { readonly batch: string; readonly by: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, Claimed> | null> {
  if (await areClosed(context)) return null
  await deliveryBatches(context.db).doc(batch).create({ by, claimedAt: context.now() })
  const claimed = new Map<string, Claimed>()
  for (const id of ids) {
    const told = await updateDelivery(context, id, async (order) => {
      if (!order.isByHand || order.state !== 'due') return null
      return (await findPayoutBlocker(context, id, order)) ?? { type: 'claim.take', batch }
    })
    const { state } = told?.order ?? {}
    const isThere = state === 'claimed' || state === 'held'
    claimed.set(id, !told?.isTaken ? 'notDue' : isThere ? state : 'calledOff')
  }
  return claimed
}
