import { MINUTE } from './duration.ts'
import type { Money, SourceCurrency } from './money.ts'
import { wasSent } from './recipient.ts'
import { amountsOf, type Transaction } from './transaction.ts'
import type { CheckedTransfer } from './transfer.ts'

/** How long a transfer may look like the same one begun twice, in milliseconds. */
export const RECENT_FOR = 10 * MINUTE

/** What somebody sent a short while ago, or has begun to pay elsewhere and may still pay. Plain data. */
export interface RecentTransfer {
  /** Of the transaction, or of the attempt. */
  readonly id: string
  readonly phone: string
  readonly gross: Money<SourceCurrency>
  /** When it was paid, or begun as long as it is not; UTC milliseconds. */
  readonly at: number
  /** False while it is an attempt that may still come to nothing. */
  readonly isPaid: boolean
}

/** An attempt that is open; `begunAt` in UTC milliseconds. */
interface BegunAttempt {
  readonly id: string
  readonly transfer: Pick<CheckedTransfer, 'phone' | 'gross'>
  readonly begunAt: number
}

/** What transfers and open attempts say about what was sent. */
export function recentTransfers(
  transactions: readonly Transaction[],
  attempts: readonly BegunAttempt[],
): readonly RecentTransfer[] {
  return [
    ...transactions
      .filter(({ type, status }) => type !== 'received' && wasSent(status))
      .map((row) => ({
        id: row.id,
        phone: row.recipientPhone,
        gross: amountsOf(row).gross,
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
 * The newest of what was paid within `RECENT_FOR` of `now` (UTC ms), or is open however long, to the same number with the same
 * amount; null when there is none. The same form in two tabs would be two transfers. A device's clock may differ from the
 * server's.
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
      (!one.isPaid || Math.abs(now - one.at) <= RECENT_FOR),
  )
  return duplicates.sort((one, other) => other.at - one.at)[0] ?? null
}
