import { findProvider } from '../numbers/wallets.ts'
import { isReturned, shouldPollDelivery } from './delivery.ts'
import {
  getStatusColor,
  normalizeStatus,
  type ReceiptStatus,
  type Status,
  type StatusColor,
} from './status.ts'
import { buildTimeline, type DeliveryTimeline, isKnownLate } from './timeline.ts'
import type { Transaction } from './transaction.ts'

/** `at`: UTC ms; null if unknown. */
export type ProgressStage = { readonly at: number | null } & (
  | {
      readonly name:
        | ('paying' | 'paid' | 'checked' | 'handingOver' | 'expected' | 'late')
        | ('delivered' | 'notDelivered' | 'canceled' | 'toRefund' | 'refunded')
    }
  | { readonly name: 'handedOver'; readonly provider: string }
)

export interface Progress {
  /** Percent of the arch behind the money. */
  readonly reached: 0 | 50 | 100
  /** `untracked`: no provider reports the delivery, so the money is never seen to move. */
  readonly state: 'moving' | 'untracked' | 'delivered' | 'failed' | 'refunded'
  /** At most three, in order of time. */
  readonly stages: readonly ProgressStage[]
}

export function computeProgress(timeline: DeliveryTimeline): Progress {
  if (timeline.stage === 'paying')
    return { reached: 0, state: 'moving', stages: [{ name: 'paying', at: timeline.begunAt }] }
  const { delivery } = timeline
  const paid = { name: 'paid', at: timeline.paidAt } as const
  switch (timeline.stage) {
    // The money turns back at the top, even if it never left us.
    case 'failed':
    case 'canceled':
    case 'paidBack': {
      const { canceledAt } = timeline.delivery
      const isRefunded = timeline.stage === 'paidBack'
      const refund = { name: isRefunded ? 'refunded' : 'toRefund', at: null } as const
      return {
        reached: 50,
        state: isRefunded ? 'refunded' : 'failed',
        stages: [paid, { name: canceledAt === null ? 'notDelivered' : 'canceled', at: canceledAt }, refund],
      }
    }
    case 'delivered':
      return {
        reached: 100,
        state: 'delivered',
        stages: [paid, ...listHandover(delivery), { name: 'delivered', at: timeline.delivery.deliveredAt }],
      }
    default: {
      const end = isKnownLate(timeline)
        ? ({ name: 'late', at: null } as const)
        : ({ name: 'expected', at: timeline.expectedBy } as const)
      return {
        reached: delivery?.stage === 'handedOver' ? 50 : 0,
        state: delivery ? 'moving' : 'untracked',
        stages: [paid, ...listHandover(delivery), end],
      }
    }
  }
}

/** A transfer delivered by hand has no handover to a provider. */
function listHandover(delivery: Transaction['delivery']): readonly ProgressStage[] {
  if (!delivery) return []
  const { stage, by, isChecked, handedOverAt } = delivery
  const provider = findProvider(by)
  if (handedOverAt !== null && provider)
    return [{ name: 'handedOver', provider: provider.name, at: handedOverAt }]
  return stage === 'ordered' ? [{ name: isChecked ? 'checked' : 'handingOver', at: null }] : []
}

/** The newest sent one at `now` (UTC ms). Without a payout provider it counts until its expected time. */
export function findUnderWay<Row extends Transaction>(
  newestFirst: readonly Row[],
  now: number,
): { readonly row: Row; readonly timeline: DeliveryTimeline } | null {
  for (const row of newestFirst) {
    const timeline = row.type === 'sent' ? buildTimeline(row, now) : null
    if (!timeline || timeline.stage === 'paying') continue
    if (timeline.delivery ? shouldPollDelivery(row, now) : timeline.stage === 'onItsWay')
      return { row, timeline }
  }
  return null
}

export type TransferState =
  | Status
  | 'received'
  | 'onItsWay'
  | 'late'
  | 'delivered'
  | 'notDelivered'
  | 'refunded'

/** At `now` (UTC ms), by the delivery, or without one by the status. Specification, section 4. */
export function getTransferState(transaction: Transaction, now: number): TransferState {
  const status = normalizeStatus(transaction.status)
  if (transaction.type === 'received') return status === 'completed' ? 'received' : status
  const timeline = buildTimeline(transaction, now)
  switch (timeline?.stage) {
    case 'delivered':
      return 'delivered'
    case 'failed':
      return 'notDelivered'
    case 'canceled':
      return 'canceled'
    case 'paidBack':
      return timeline.delivery.canceledAt === null ? 'refunded' : 'canceled'
    case 'late':
    case 'due':
      return isKnownLate(timeline) ? 'late' : status
    case 'onItsWay':
      return timeline.delivery?.stage === 'handedOver' ? 'onItsWay' : status
    default:
      return status
  }
}

/** The state that time doesn't change, because a receipt proves the payment and is kept as a file. */
export function getReceiptStatus(transaction: Transaction): ReceiptStatus {
  const state = getTransferState(transaction, transaction.createdAt)
  switch (state) {
    case 'onItsWay':
    case 'late':
    case 'delivered':
      return 'completed'
    case 'notDelivered':
      return 'refundDue'
    case 'canceled': {
      const { type, delivery } = transaction
      if (type === 'received' || !isReturned(delivery)) return 'canceled'
      return delivery.stage === 'paidBack' ? 'canceledRefunded' : 'canceledRefundDue'
    }
    default:
      return state
  }
}

export function getStateColor(state: TransferState): StatusColor | 'river' {
  switch (state) {
    case 'received':
    case 'delivered':
      return 'green'
    case 'onItsWay':
      return 'river'
    case 'late':
      return 'yellow'
    case 'notDelivered':
    case 'refunded':
      return 'red'
    default:
      return getStatusColor(state)
  }
}
