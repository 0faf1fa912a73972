import { type DeliveryOrder, hasDeliveryEnded } from '../../../domain/payouts/deliveryOrder.ts'
import { acceptsDeliveryEvent } from '../../../machines/delivery.ts'
import { withTimeout } from '../platform/context.ts'
import { enqueue } from '../platform/enqueue.ts'
import { getTrace } from '../platform/log.ts'
import type { PaymentContext, PayoutProgress, Payouts } from '../platform/payouts.ts'
import {
  advanceDelivery,
  applyChargeReversal,
  createDueDeliveryChores,
  createUnattendedDeliveriesChore,
  holdDelivery,
} from './deliver.ts'
import { deliveries, parseDeliveryOrder } from './orderRecords.ts'
import { applyOrderEvent, createDeliveryOrder, notifyDevices, storeDeliveryOrder } from './orders.ts'
import type { PayoutContext } from './payoutContext.ts'
import { createScreeningChore } from './screening/cases.ts'
import { applyStop, findOpenOrderKeys } from './stops.ts'
import { countRecordedTransfer, createIdentityHoldsChore } from './velocity.ts'
import { countLookup } from './walletLookups.ts'

export function createPayouts(system: Omit<PayoutContext, keyof PaymentContext>): Payouts {
  const widen = (context: PaymentContext): PayoutContext => ({
    ...context,
    providers: system.providers,
    cancellationWindow: system.cancellationWindow,
    namesHolders: system.namesHolders,
    push: system.push,
    screening: system.screening,
  })
  return {
    async lacksWallet(context, caller, wallet, phone) {
      const ask = system.providers.find(({ pays }) => pays(wallet))?.api?.lacksWallet
      if (!ask) return false
      try {
        const { isAllowed } = await withTimeout(context, countLookup(context, caller, phone))
        return isAllowed && (await ask(phone))
      } catch (error) {
        context.log({ level: 'error', event: 'walletLookupFailed', ...getTrace(error) })
        return false
      }
    },

    async readForRecord(context, tx, transfer) {
      const causes = await countRecordedTransfer(widen(context), tx, transfer)
      return () => ({
        fields: createDeliveryOrder(widen(context), tx, transfer, causes),
        announce() {
          if (causes.length > 0)
            context.log({
              level: 'error',
              event: 'velocityLimitExceeded',
              paymentIntentId: transfer.id,
              causes,
            })
        },
      })
    },

    payOutSoon(context, { id, createdAt, delivery }) {
      const provider = system.providers.find(({ name, api }) => name === delivery?.by && api !== null)
      if (provider && delivery?.stage === 'ordered')
        enqueue(context, {
          work: 'delivery',
          id,
          service: provider.name,
          at: delivery.cancelableUntil ?? createdAt,
        })
    },

    payOut: (context, id) => advanceDelivery(widen(context), id),

    async onChargeReversed(context, intent) {
      return toPayoutProgress(await applyChargeReversal(widen(context), intent))
    },

    onChargeDoubted: (context, id, doubt) => holdDelivery(widen(context), id, doubt),

    findOpenNames: (context, uid) => findOpenOrderKeys(widen(context), uid),

    onStopChanged: (context, persons) => applyStop(widen(context), persons),

    async readForRefund(context, tx, id) {
      const order = parseDeliveryOrder(await tx.get(deliveries(context.db).doc(id)))
      return (isRefunded) => {
        const event = { type: isRefunded ? 'refund.completed' : 'refund.failed' } as const
        if (!order || !acceptsDeliveryEvent(order, event)) return () => {}
        const next = applyOrderEvent(id, order, event, context.now()).order
        storeDeliveryOrder(context, tx, id, order, next)
        return () => notifyDevices(widen(context), id, order, next)
      }
    },

    dueWork(context) {
      const wide = widen(context)
      const served = system.providers.filter(({ api }) => api !== null)
      return [
        ...served.flatMap((provider) => createDueDeliveryChores(wide, provider)),
        createUnattendedDeliveriesChore(wide),
        createScreeningChore(wide),
        createIdentityHoldsChore(wide),
      ]
    },
  }
}

function toPayoutProgress(order: DeliveryOrder | undefined): PayoutProgress | null {
  if (!order) return null
  if (order.state === 'delivered') return 'delivered'
  return hasDeliveryEnded(order) ? 'calledOff' : 'underWay'
}
