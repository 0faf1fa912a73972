import type { Subscription } from '../account/profileSchema.ts'
import { getAvailableSubscription } from '../prices/allowance.ts'
import type { MonthLedger } from '../prices/capUse.ts'
import type { CheckedTransfer, TransferContext } from './transfer.ts'

/** The user's data on this device that determine the price. They may have changed elsewhere. Plain data. */
export interface PriceFacts {
  /** The subscription as stored, before open payments are deducted. */
  readonly subscription: Subscription
  readonly ledger: MonthLedger | null
  /** A coupon that the server refused because it has ended. */
  readonly endedCoupon: string | null
}

/**
 * Returns what the form is checked and priced with at `now` (UTC ms), as far as the device knows. `own`: the
 * order of the attempt open in this form. Its slot is not deducted, because the attempt is confirmed again or
 * released first.
 */
export function getTransferContext(
  {
    subscription,
    ledger,
    endedCoupon,
    recipient,
    walletTariffs,
  }: PriceFacts & Pick<TransferContext, 'recipient' | 'walletTariffs'>,
  own: CheckedTransfer | null,
  now: number,
): TransferContext {
  return {
    subscription: getAvailableSubscription(subscription, ledger && without(ledger, own), now),
    endedCoupon,
    recipient: recipient ?? null,
    ...(walletTariffs && { walletTariffs }),
    now,
  }
}

/** Returns the facts after a transfer has released its slot. */
export function releaseTransferSlot<Facts extends PriceFacts>(facts: Facts, order: CheckedTransfer): Facts {
  return { ...facts, ledger: facts.ledger && without(facts.ledger, order) }
}

function without(ledger: MonthLedger, order: CheckedTransfer | null): MonthLedger {
  return order?.quote.usesSlot ? { ...ledger, reservedSlots: Math.max(0, ledger.reservedSlots - 1) } : ledger
}

/** Whether both transfers have the same fee and received amount. */
export function isSamePrice(
  one: Pick<CheckedTransfer, 'quote'>,
  other: Pick<CheckedTransfer, 'quote'>,
): boolean {
  return (
    one.quote.fee.minor === other.quote.fee.minor && one.quote.converted.minor === other.quote.converted.minor
  )
}
