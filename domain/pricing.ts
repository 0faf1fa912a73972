import { allowanceFor } from './allowance.ts'
import type { MonthLedger } from './capUse.ts'
import type { Subscription } from './schemas/profile.ts'
import type { CheckedTransfer, TransferContext } from './transfer.ts'

/** What the device knows of a person that decides about the price. It may have changed elsewhere meanwhile. Plain data. */
export interface PriceFacts {
  /** As it is stored. */
  readonly subscription: Subscription
  readonly ledger: MonthLedger | null
  /** A coupon that the server refused, because it is good no more. */
  readonly endedCoupon: string | null
}

/**
 * What a transfer costs at `now` (UTC ms), as far as the device knows. `own` is the order of the attempt that is open here: it is
 * confirmed once more, or given up first, so what it holds is not taken from itself.
 */
export function pricingOf(
  { subscription, ledger, endedCoupon }: PriceFacts,
  own: CheckedTransfer | null,
  now: number,
): TransferContext {
  return { subscription: allowanceFor(subscription, ledger && without(ledger, own), now), endedCoupon, now }
}

/** What is known once the transfer holds nothing any more. */
export function freed<Facts extends PriceFacts>(facts: Facts, order: CheckedTransfer): Facts {
  return { ...facts, ledger: facts.ledger && without(facts.ledger, order) }
}

function without(ledger: MonthLedger, order: CheckedTransfer | null): MonthLedger {
  return order?.quote.usesSlot ? { ...ledger, reservedSlots: Math.max(0, ledger.reservedSlots - 1) } : ledger
}

/** Whether the person pays the same for the transfer, and the same arrives. */
export function isSamePrice(
  one: Pick<CheckedTransfer, 'quote'>,
  other: Pick<CheckedTransfer, 'quote'>,
): boolean {
  return (
    one.quote.fee.minor === other.quote.fee.minor && one.quote.converted.minor === other.quote.converted.minor
  )
}
