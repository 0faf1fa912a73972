import type { Money, SourceCurrency } from './money.ts'
import { wasSent } from './recipient.ts'
import { amountsOf, type Transaction } from './transaction.ts'
import type { CheckedTransfer } from './transfer.ts'

/** How long a transfer may look like the same one begun twice, in milliseconds. */
export const LATELY = 10 * 60_000

/** What this device sent a short while ago, or is about to send in another tab. Plain data. */
export interface SentLately {
  /** Of the transaction, or of the attempt. */
  readonly id: string
  readonly phone: string
  readonly gross: Money<SourceCurrency>
  /** UTC milliseconds. */
  readonly at: number
  /** False while it is an attempt that may still come to nothing. */
  readonly isPaid: boolean
}

/** An attempt as the device keeps it; `begunAt` in UTC milliseconds. */
interface BegunAttempt {
  readonly id: string
  readonly transfer: Pick<CheckedTransfer, 'phone' | 'gross'>
  readonly begunAt: number
}

/** What the rows on this device say about what was sent. */
export function sentLately(
  transactions: readonly Transaction[],
  attempts: readonly BegunAttempt[],
): readonly SentLately[] {
  return [
    ...transactions
      .filter(({ status }) => wasSent(status))
      .map((row) => ({
        id: row.id,
        phone: row.recipientPhone,
        gross: amountsOf(row).gross,
        at: row.createdAt,
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
 * The newest of what was sent within `LATELY` of `now` (UTC ms) to the same number with the same amount, or null: the
 * same form in two tabs is two transfers to the server. The server's clock may be ahead of the device's.
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
      Math.abs(now - one.at) <= LATELY,
  )
  return twins.sort((one, other) => other.at - one.at)[0] ?? null
}
