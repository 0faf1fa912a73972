import { maskPhone } from '../numbers/phone.ts'
import type { ReceiptFacts } from '../transfers/receiptCode.ts'
import { type DeliveryOrder, deriveDeliverySummary } from './deliveryOrder.ts'

/** The states of `deriveTrackingState`, without times that only the future knows. */
export function deriveReceiptFacts(id: string, order: DeliveryOrder, deployment: string): ReceiptFacts {
  const facts = { id, amount: order.amount, maskedPhone: maskPhone(order.phone), deployment }
  const { stage, handedOverAt, deliveredAt } = deriveDeliverySummary(order)
  switch (stage) {
    case 'ordered':
      return { ...facts, state: 'paid', at: order.createdAt }
    case 'handedOver':
      return { ...facts, state: 'handedOver', at: handedOverAt ?? order.since }
    case 'delivered':
      return { ...facts, state: 'delivered', at: deliveredAt ?? order.since }
    case 'failed':
    case 'canceled':
      return { ...facts, state: 'goingBack', at: order.since }
    case 'paidBack':
      return { ...facts, state: 'wentBack', at: order.since }
  }
}
