import type { DeliveryOrder } from '../../../domain/delivery.ts'
import { takes } from '../../../machines/delivery.ts'
import type { Chore } from '../platform/chores.ts'
import { withTimeout } from '../platform/context.ts'
import { parseDeliveryOrder } from '../platform/documents.ts'
import { traceOf } from '../platform/log.ts'
import type { PaymentContext, PayoutStanding, Payouts } from '../platform/payouts.ts'
import { deliveries } from '../platform/records.ts'
import { callOff, countUnattended, deliver, deliverDue, holdDelivery } from './deliver.ts'
import { createOrder, nextOrder, storeOrder, tellChange } from './orders.ts'
import type { PayoutContext } from './payoutContext.ts'
import { buildRecipientLink } from './recipientPage/links.ts'

/** How long the first attempt may take right after a payment before the rest is left to the sweep, in milliseconds. */
const SOON = 5_000

/** The payouts of the given providers, as the core knows them. */
export function createPayouts(system: Pick<PayoutContext, 'providers' | 'push'>): Payouts {
  const widen = (context: PaymentContext): PayoutContext => ({
    ...context,
    providers: system.providers,
    push: system.push,
  })
  return {
    onTransferRecorded(context, tx, transfer) {
      return {
        delivery: createOrder(widen(context), tx, transfer),
        recipientLink: buildRecipientLink(context, transfer.id, transfer.attempt.createdAt),
      }
    },

    async payOutSoon(context, id) {
      await withTimeout({ patience: SOON }, deliver(widen(context), id)).catch((error) =>
        context.log({ level: 'error', event: 'deliveryPostponed', paymentIntentId: id, ...traceOf(error) }),
      )
    },

    async onChargeReversed(context, intent) {
      return findStanding(await callOff(widen(context), intent))
    },

    onChargeDoubted: (context, id, doubt) => holdDelivery(widen(context), id, doubt),

    async readForRefund(context, tx, id) {
      const order = parseDeliveryOrder(await tx.get(deliveries(context.db).doc(id)))
      return (isRefunded) => {
        const event = { type: isRefunded ? 'refund.done' : 'refund.owed' } as const
        if (!order || !takes(order, event)) return () => {}
        const next = nextOrder(id, order, event, context.now()).order
        storeOrder(context, tx, id, order, next)
        return () => tellChange(widen(context), id, order, next)
      }
    },

    dueWork(context) {
      const wide = widen(context)
      const of = deliveries(context.db)
      const served = system.providers.filter(({ api }) => api !== null)
      return [
        ...served.map(
          (provider): Chore => ({
            of,
            work: (until, report) => deliverDue(wide, provider, until, report),
          }),
        ),
        { of, work: (_until, { count }) => countUnattended(wide, count) },
      ]
    },
  }
}

function findStanding(order: DeliveryOrder | undefined): PayoutStanding | null {
  if (!order) return null
  if (order.state === 'delivered') return 'delivered'
  return order.state === 'failed' || order.state === 'paidBack' ? 'calledOff' : 'underWay'
}
