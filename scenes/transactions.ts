import { DAY, HOUR, MINUTE, SECOND } from '../domain/common/duration.ts'
import type { DeliverySummary } from '../domain/transfers/deliverySchema.ts'
import { HANDED_OVER_DELIVERY, SENT_TRANSFER } from '../domain/transfers/transaction.samples.ts'
import type { Transaction } from '../domain/transfers/transaction.ts'
import { AWA } from './fixtures.ts'
import { SCENE_TIME } from './scene.ts'

export function buildPaidTransfer(
  hours: number,
  change: Partial<Transaction> & { readonly id: string },
): Transaction {
  const paidAt = SCENE_TIME - hours * HOUR
  return {
    ...SENT_TRANSFER,
    senderId: AWA.uid,
    senderName: 'Awa Diallo',
    createdAt: paidAt,
    settledAt: paidAt,
    estimatedArrival: paidAt + HOUR,
    ...change,
  }
}

export const HISTORY = [
  buildPaidTransfer(0, { id: 'pi_3Nkindia0001' }),
  buildPaidTransfer(26, {
    id: 'pi_3Nkindia0002',
    recipientPhone: '+224664112233',
    status: 'pending',
    amount: 48.5,
    fees: 1.5,
    convertedAmount: 514_100,
  }),
  buildPaidTransfer(75, {
    id: 'pi_3Nkindia0003',
    recipientPhone: '+33612345678',
    status: 'failed',
    amount: 97,
    fees: 3,
    exchangeRate: 1,
    convertedAmount: 97,
    destinationCurrency: 'EUR',
    destination: { code: 'FR', name: 'France', currency: 'EUR', flag: '🇫🇷' },
    receivingMethod: 'wero',
  }),
  buildPaidTransfer(40 * 24, {
    id: 'pi_3Nkindia0004',
    recipientPhone: '+15145550123',
    status: 'canceled',
    amount: 242.5,
    fees: 7.5,
    exchangeRate: 1.47,
    convertedAmount: 356.47,
    destinationCurrency: 'CAD',
    destination: { code: 'CA', name: 'Canada', currency: 'CAD', flag: '🇨🇦' },
    receivingMethod: 'interac',
  }),
] as const satisfies readonly Transaction[]

function sentWithDelivery(
  index: number,
  change: Partial<DeliverySummary>,
  hours = 0.25 + index / 100,
): Transaction {
  const paid = buildPaidTransfer(hours, { id: `pi_3Nkindia001${index}` })
  const { stage = HANDED_OVER_DELIVERY.stage, canceledAt = null } = change
  const ended = canceledAt === null ? 'failed' : 'canceled'
  return {
    ...paid,
    recipientPhone: `+22466000045${index}`,
    receivingMethod: 'mtn_money',
    recipientLink: `/t/pi_3Nkindia001${index}`,
    status: ['failed', 'canceled', 'paidBack'].includes(stage) ? ended : 'completed',
    delivery: { ...HANDED_OVER_DELIVERY, handedOverAt: paid.createdAt + 5 * SECOND, ...change },
  }
}

export const DELIVERIES = {
  handedOver: sentWithDelivery(0, {}),
  delivered: sentWithDelivery(1, {
    stage: 'delivered',
    deliveredAt: SCENE_TIME - 12 * MINUTE,
    proof: '363440463',
  }),
  late: sentWithDelivery(2, { stage: 'ordered', isLate: true, handedOverAt: null }),
  screened: sentWithDelivery(9, {
    ...{ stage: 'ordered', isLate: true, isChecked: true, handedOverAt: null },
    answerBy: SCENE_TIME + 3 * DAY - 14 * MINUTE,
  }),
  failed: sentWithDelivery(3, { stage: 'failed', failure: 'recipientUnknown' }),
  paidBack: sentWithDelivery(4, { stage: 'paidBack', failure: 'recipientUnknown' }),
} as const satisfies Readonly<Record<string, Transaction>>

const CANCELABLE = { stage: 'ordered', handedOverAt: null, isCancelable: true } as const
const CANCELED = { handedOverAt: null, canceledAt: SCENE_TIME - 10 * SECOND } as const

export const CANCELLATIONS = {
  timed: sentWithDelivery(5, { ...CANCELABLE, cancelableUntil: SCENE_TIME + 42 * SECOND }, 0.005),
  byHand: { ...sentWithDelivery(6, { ...CANCELABLE, by: 'byHand' }), receivingMethod: 'orange_money' },
  canceled: sentWithDelivery(7, { ...CANCELED, stage: 'canceled' }, 0.006),
  refunded: sentWithDelivery(8, { ...CANCELED, stage: 'paidBack' }, 0.006),
} as const satisfies Readonly<Record<string, Transaction>>
