import { MINUTE } from '../common/duration.ts'
import type { Money, SourceCurrency } from '../money/money.ts'
import { wasSent } from './recipient.ts'
import { getAmounts, type Transaction } from './transaction.ts'
import type { CheckedTransfer } from './transfer.ts'

/** How long after a payment an equal transfer counts as a duplicate, in milliseconds. */
export const DUPLICATE_PERIOD = 10 * MINUTE

/** A transfer sent recently, or begun elsewhere and possibly still paid. Plain data. */
export interface RecentTransfer {
  /** ID of the transaction or the attempt. */
  readonly id: string
  readonly phone: string
  readonly gross: Money<SourceCurrency>
  /** When it was paid, or begun while unpaid; UTC milliseconds. */
  readonly at: number
  /** False for an attempt that may still fail. */
  readonly isPaid: boolean
}

/** An open attempt; `begunAt` in UTC milliseconds. */
interface BegunAttempt {
  readonly id: string
  readonly transfer: Pick<CheckedTransfer, 'phone' | 'gross'>
  readonly begunAt: number
}

/** Lists the transfers that a new one may duplicate, from paid transactions and open attempts. */
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
    ...attempts.map(({ id, transfer: { phone, gross }, begunAt }) => ({
      id,
      phone,
      gross,
      at: begunAt,
      isPaid: false,
    })),
  ]
}

/**
 * Finds the newest transfer with the same number and amount that was paid within `DUPLICATE_PERIOD` before or
 * after `now` (UTC ms), or is open, such as one begun in another tab. Null if there is none. An instant may
 * be later than `now`, because the device's clock may differ from the server's.
 */
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
