import { MINUTE } from '../common/duration.ts'
import type { Money, SourceCurrency } from '../money/money.ts'
import { wasSent } from './recipient.ts'
import type { CheckedTransfer } from './shapes/orderSchema.ts'
import { getAmounts, type Transaction } from './transaction.ts'

/** Milliseconds. */
export const DUPLICATE_PERIOD = 10 * MINUTE

/** Sent recently, or begun elsewhere and possibly still paid. Plain data. */
export interface RecentTransfer {
  /** ID of the transaction or the attempt. */
  readonly id: string
  readonly phone: string
  readonly gross: Money<SourceCurrency>
  /** When paid, or begun while unpaid; UTC ms. */
  readonly at: number
  /** False for an attempt that may still fail. */
  readonly isPaid: boolean
}

/** `begunAt` in UTC ms. */
interface BegunAttempt {
  readonly id: string
  readonly order: Pick<CheckedTransfer, 'phone' | 'gross'>
  readonly begunAt: number
}

export function listRecentTransfers(
  transactions: readonly Transaction[],
  attempts: readonly BegunAttempt[],
): readonly RecentTransfer[] {
  return [
    ...transactions
      .filter(({ type, status }) => type !== 'received' && wasSent(status))
      .map((row) => ({
        id: row.id,
        phone: row.recipientPhone,
        gross: getAmounts(row).gross,
        at: row.settledAt,
        isPaid: true,
      })),
    ...attempts.map(({ id, order: { phone, gross }, begunAt }) => ({
      id,
      phone,
      gross,
      at: begunAt,
      isPaid: false,
    })),
  ]
}

/** Also finds an open one. It may be later than `now` (UTC ms), because the clocks may differ. */
export function findDuplicate(
  { phone, gross }: Pick<CheckedTransfer, 'phone' | 'gross'>,
  sent: readonly RecentTransfer[],
  now: number,
): RecentTransfer | null {
  const duplicates = sent.filter(
    (one) =>
      one.phone === phone &&
      one.gross.minor === gross.minor &&
      one.gross.currency === gross.currency &&
      (!one.isPaid || Math.abs(now - one.at) <= DUPLICATE_PERIOD),
  )
  return duplicates.sort((one, other) => other.at - one.at)[0] ?? null
}
