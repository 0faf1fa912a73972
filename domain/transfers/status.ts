export type Status = 'completed' | 'pending' | 'failed' | 'canceled' | 'unknown'
/** `refundDue`: the money can't arrive, and the refund is not complete. `canceled…`: by the sender. */
export type ReceiptStatus =
  | Status
  | ('received' | 'refunded' | 'refundDue')
  | ('canceledRefunded' | 'canceledRefundDue')
export type StatusColor = 'green' | 'yellow' | 'red' | 'grey'

/** Specification, section 4. */
export const RAW_STATUSES: Record<Exclude<Status, 'unknown'>, readonly string[]> = {
  completed: ['succeeded', 'success', 'accepted', 'paid', 'complete', 'completed'],
  pending: ['pending', 'processing', 'in_progress'],
  failed: ['failed', 'declined', 'error'],
  canceled: ['canceled', 'cancelled'],
}

const STATUSES = new Map(
  Object.entries(RAW_STATUSES).flatMap(([status, raws]) => raws.map((raw) => [raw, status as Status])),
)

const COLORS: Record<ReceiptStatus, StatusColor> = {
  completed: 'green',
  pending: 'yellow',
  failed: 'red',
  canceled: 'red',
  unknown: 'grey',
  received: 'green',
  refunded: 'grey',
  refundDue: 'yellow',
  canceledRefunded: 'grey',
  canceledRefundDue: 'yellow',
}

/** Specification, section 4. */
export function normalizeStatus(raw: unknown): Status {
  return (typeof raw === 'string' && STATUSES.get(raw)) || 'unknown'
}

/** Specification, section 4. */
export function getStatusColor(status: ReceiptStatus): StatusColor {
  return COLORS[status]
}
