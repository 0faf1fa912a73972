import type { Money, SourceCurrency } from './money.ts'
import { wasSent } from './recipient.ts'
import { amountsOf, type Transaction } from './transaction.ts'
import type { CheckedTransfer } from './transfer.ts'

/** How long a transfer may look like the same one begun twice, in milliseconds. */
export const LATELY = 10 * 60_000

/** What somebody sent a short while ago, or has begun to pay elsewhere and may still pay. Plain data. */
export interface SentLately {
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
export function sentLately(
  transactions: readonly Transaction[],
  attempts: readonly BegunAttempt[],
): readonly SentLately[] {
  return [
    ...transactions
      .filter(({ type, status }) => type !== 'received' && wasSent(status))
      .map((row) => ({
        id: row.id,
        phone: row.recipientPhone,
        gross: amountsOf(row).gross,
        at: row.settledAt ?? row.createdAt,
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
 * The newest of what was paid within `LATELY` of `now` (UTC ms), or is open however long, to the same number with the same
 * amount; null when there is none. The same form in two tabs would be two transfers. A device's clock may differ from the
 * server's.
 */
export function twinOf(
  { phone, gross }: Pick<CheckedTransfer, 'phone' | 'gross'>,
  sent: readonly SentLately[],
  now: number,
): SentLately | null {
  const twins = sent.filter(
    (one) =>
      one.phone === phone &&
      one.gross.minor === gross.minor &&
      one.gross.currency === gross.currency &&
      (!one.isPaid || Math.abs(now - one.at) <= LATELY),
  )
  return twins.sort((one, other) => other.at - one.at)[0] ?? null
}
