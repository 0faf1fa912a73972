import type { DeliveryOrder } from '../../../../domain/payouts/deliveryOrder.ts'
import { isScreeningCause, SCREENING_CAUSES } from '../../../../domain/payouts/screening.ts'
import type { Chore } from '../../platform/chores.ts'
import { type DueDocument, iterateDuePages } from '../../platform/duePages.ts'
import { updateDelivery } from '../deliver.ts'
import { deliveries, parseDeliveryOrder } from '../orderRecords.ts'
import type { PayoutContext } from '../payoutContext.ts'
import { checkList, findScreeningHold } from './hold.ts'

export interface ScreeningCase {
  readonly id: string
  readonly order: DeliveryOrder
}

const queryCases = ({ db }: PayoutContext) =>
  deliveries(db).where('holds', 'array-contains-any', [...SCREENING_CAUSES])

/** Sorts by the time at which the sender gets an answer at the latest. */
export async function findCases(context: PayoutContext): Promise<readonly ScreeningCase[]> {
  const held = (await queryCases(context).get()).docs.flatMap((document) => {
    const order = parseDeliveryOrder(document)
    return order ? [{ id: document.id, order }] : []
  })
  return held.toSorted((one, other) => getAnswerTime(one.order) - getAnswerTime(other.order))
}

const getAnswerTime = ({ screening }: DeliveryOrder) => screening?.answerBy ?? 0

/**
 * `release`: the persons are not those on the list. `refuse`: refunds the whole charge. @throws Stripe's or
 * Firestore's error; calling again is safe.
 */
export async function decideCase(
  context: PayoutContext,
  id: string,
  decision: 'release' | 'refuse',
): Promise<{ readonly isTaken: boolean; readonly order: DeliveryOrder } | null> {
  return updateDelivery(context, id, ({ state, holds }) => {
    if (state !== 'held') return null
    if (decision === 'refuse')
      return holds.some(isScreeningCause)
        ? { type: 'order.markFailed', failure: 'canceled', at: context.now() }
        : null
    return holds.includes('screening') ? { type: 'order.release', cause: 'screening' } : null
  })
}

/** Repeats the search for orders that an unusable list holds, and reports overdue answers. */
export function createScreeningChore(context: PayoutContext): Chore<DueDocument> {
  const { screening, now, log } = context
  let isUsable = false
  return {
    name: 'screening',
    provider: 'google',
    async *due() {
      if (!screening) return
      isUsable = await checkList(context, screening)
      yield* iterateDuePages(queryCases(context))
    },
    async handle({ id, document }) {
      const order = isUsable ? await repeatSearch(context, id) : parseDeliveryOrder(document)
      if (!order) return null
      if (!order.holds.some(isScreeningCause)) return 'screened'
      if (getAnswerTime(order) <= now())
        log({ level: 'error', event: 'screeningOverdue', paymentIntentId: id })
      return 'screeningHeld'
    },
  }
}

async function repeatSearch(context: PayoutContext, id: string): Promise<DeliveryOrder | null> {
  const searched = await updateDelivery(context, id, async (order) => {
    if (!order.holds.includes('screeningList')) return null
    const release = { type: 'order.release', cause: 'screeningList' } as const
    const hold = order.holds.includes('screening') ? null : await findScreeningHold(context, order)
    if (hold === null) return release
    return hold.cause === 'screening' ? [hold, release] : null
  })
  return searched?.order ?? null
}
