import type { DeliveryState } from '../../../domain/payouts/deliveryOrder.ts'
import { isPersonStopped } from '../payments/restrictions.ts'
import { findContainingAny } from '../platform/queryValues.ts'
import { updateDelivery } from './deliver.ts'
import { deliveries, parseDeliveryOrder } from './orderRecords.ts'
import type { PayoutContext } from './payoutContext.ts'

/** States in which no provider has the order. */
const NOT_SENT: readonly DeliveryState[] = ['due', 'waiting', 'claimed', 'held']

/**
 * Returns the keys under which a stop holds an account's open orders, including the keys of their cards and
 * recipients.
 */
export async function findOpenOrderKeys({ db }: PayoutContext, uid: string): Promise<readonly string[]> {
  const open = await deliveries(db).where('persons', 'array-contains', uid).get()
  return [...new Set(open.docs.flatMap((document) => parseDeliveryOrder(document)?.persons ?? []))]
}

/**
 * Holds a stopped person's orders that have not been sent, and releases them once the stop has ended.
 *
 * @param names the keys of the stop: any number, because a person may have sent to many recipients.
 * @throws Firestore's error; calling again is safe.
 */
export async function applyStop(context: PayoutContext, names: readonly string[]): Promise<void> {
  const found = await Promise.all(
    NOT_SENT.map((state) =>
      findContainingAny(deliveries(context.db).where('state', '==', state), 'persons', names),
    ),
  )
  const ids = new Set(found.flat().map(({ id }) => id))
  for (const id of ids)
    await updateDelivery(context, id, async (order) => {
      if (await isPersonStopped(context, order.persons)) return { type: 'order.hold', cause: 'stop' }
      return order.holds.includes('stop') ? { type: 'order.release', cause: 'stop' } : null
    })
}
