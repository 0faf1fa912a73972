import type { Subscription } from '../account/profileSchema.ts'
import { getAvailableSubscription } from '../prices/allowance.ts'
import type { MonthLedger } from '../prices/capUse.ts'
import type { CheckedTransfer } from './shapes/orderSchema.ts'
import type { TransferContext } from './transfer.ts'

/** As this device knows them; they may have changed elsewhere. */
export interface PriceFacts {
  /** As stored, before open payments are deducted. */
  readonly subscription: Subscription
  readonly ledger: MonthLedger | null
  /** The server refused it because it has ended. */
  readonly endedCoupon: string | null
}

/** `own`: the order of the attempt open in this form, whose slot is not deducted. `now` in UTC ms. */
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

export function releaseTransferSlot<Facts extends PriceFacts>(facts: Facts, order: CheckedTransfer): Facts {
  return { ...facts, ledger: facts.ledger && without(facts.ledger, order) }
}

function without(ledger: MonthLedger, order: CheckedTransfer | null): MonthLedger {
  return order?.quote.usesSlot ? { ...ledger, reservedSlots: Math.max(0, ledger.reservedSlots - 1) } : ledger
}

export function isSamePrice(
  one: Pick<CheckedTransfer, 'quote'>,
  other: Pick<CheckedTransfer, 'quote'>,
): boolean {
  return (
    one.quote.fee.minor === other.quote.fee.minor && one.quote.converted.minor === other.quote.converted.minor
  )
}
