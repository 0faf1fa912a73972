import type { DeliveryState } from '../../../domain/payouts/deliveryOrder.ts'
import { isPersonStopped } from '../payments/restrictions.ts'
import { findContainingAny } from '../platform/queryValues.ts'
import { updateDelivery } from './deliver.ts'
import { deliveries, parseDeliveryOrder } from './orderRecords.ts'
import type { PayoutContext } from './payoutContext.ts'

const NOT_SENT: readonly DeliveryState[] = ['due', 'waiting', 'claimed', 'held']

export async function findOpenOrderKeys({ db }: PayoutContext, uid: string): Promise<readonly string[]> {
  const open = await deliveries(db).where('persons', 'array-contains', uid).get()
  return [...new Set(open.docs.flatMap((document) => parseDeliveryOrder(document)?.persons ?? []))]
}

/** Holds a person's unsent orders, or releases them. @throws Firestore's error; calling again is safe. */
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
