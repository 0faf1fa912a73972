import type { DeliverySummary } from './deliverySchema.ts'
import { mapSenderTexts } from './shapes/fields.ts'
import type { Transaction } from './transaction.ts'

export const SENT_TRANSFER: Transaction = {
  id: 'pi_3QxYzA1b2C3d4E5f',
  senderId: 'ana',
  type: 'sent',
  recipientPhone: '+224620000000',
  senderName: 'Aïssatou Bâ',
  ...mapSenderTexts(() => null),
  amount: 145.5,
  fees: 4.5,
  exchangeRate: 10_600,
  convertedAmount: 1_542_300,
  sourceCurrency: 'EUR',
  destinationCurrency: 'GNF',
  destination: { code: 'GN', name: 'Guinea', currency: 'GNF', flag: '🇬🇳' },
  status: 'completed',
  createdAt: Date.UTC(2026, 10, 20, 14, 5),
  settledAt: Date.UTC(2026, 10, 20, 14, 5),
  estimatedArrival: Date.UTC(2026, 10, 20, 15, 5),
  promisedMinutes: null,
  description: 'Transfer to +224*******00',
  paymentMethod: 'card',
  couponCode: null,
  receivingMethod: 'orange_money',
  delivery: null,
  recipientLink: null,
}

/** Handed over to MTN five seconds after the payment. */
export const HANDED_OVER_DELIVERY: DeliverySummary = {
  stage: 'handedOver',
  by: 'mtn',
  isLate: false,
  isChecked: false,
  answerBy: null,
  isCancelable: false,
  cancelableUntil: null,
  canceledAt: null,
  handedOverAt: Date.UTC(2026, 10, 20, 14, 5, 5),
  deliveredAt: null,
  proof: null,
  failure: null,
}

/** Arrived two minutes after the payment. */
export const ARRIVED_DELIVERY: DeliverySummary = {
  ...HANDED_OVER_DELIVERY,
  stage: 'delivered',
  deliveredAt: Date.UTC(2026, 10, 20, 14, 7),
  proof: '363440463',
}
