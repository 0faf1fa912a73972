import { type Currency, type Money, money } from './money.ts'

// Double entry: Stripe's charges on one side, our records on the other. A charge known to one side only
// appears as a difference.

/** `clawedBack` is negative: the money was sent, but the card or its bank took it back. It is our loss. */
export const MONEY_LOCATIONS = [
  ...(['delivered', 'underWay', 'sent', 'invoices', 'plans', 'beingRecorded'] as const),
  ...(['owed', 'refunded', 'heldByBank', 'settledOtherwise', 'clawedBack'] as const),
] as const
export type MoneyLocation = (typeof MONEY_LOCATIONS)[number]

/** `refundedByHand`: by an operator at the provider. */
export type Reversal = 'disputed' | 'refundedByHand'

/** Numbers are minor units of the card's currency. */
export interface ReconciledCharge {
  /** PaymentIntent ID. */
  readonly id: string
  readonly kind: 'transfer' | 'invoice' | 'plan'
  /** Null if Stripe has no successful charge. */
  readonly charged: Money | null
  /** Includes pending refunds. */
  readonly refunded: number
  /** Withdrawn by banks for disputes and not returned. */
  readonly heldByBank: number
  /** The paid amount of the transfer or invoice; null without a record. For a plan, the charge. */
  readonly recorded: Money | null
  /** `settled`: by an operator in another way. `checked`: done, but the due-work job still verifies it. */
  readonly debt: 'due' | 'disputed' | 'checked' | 'done' | 'settled' | null
  /** Null without a delivery order. */
  readonly payout: 'underWay' | 'delivered' | 'calledOff' | null
  /** Charged so recently that the record may still follow. */
  readonly isNew: boolean
}

export type DiscrepancyReason =
  /** The card paid, but the charge is neither recorded nor owed back. */
  | 'unrecorded'
  | 'notCharged'
  | 'otherAmount'
  | 'deliveredAndOwed'
  /** Will never be paid out, but is not owed back. */
  | 'calledOffNotOwed'
  /** Marked as refunded, but only part of it was. */
  | 'notFullyRefunded'

export interface Discrepancy {
  readonly id: string
  readonly reason: DiscrepancyReason
  /** Missing in the records; negative if they have too much. */
  readonly by: Money
}

interface Entry {
  readonly places: ReadonlyMap<MoneyLocation, number>
  readonly reason: DiscrepancyReason | null
}

/** Minor units. The places add up to the charge unless there is a `reason`. */
export function buildChargeEntry(charge: ReconciledCharge): Entry {
  const { charged, recorded, debt, payout, refunded, heldByBank } = charge
  const back = ([place, minor]: readonly [MoneyLocation, number]): readonly (readonly [
    MoneyLocation,
    number,
  ])[] => (minor === 0 ? [] : [[place, minor]])
  const entry = (
    reason: DiscrepancyReason | null,
    ...places: readonly (readonly [MoneyLocation, number])[]
  ): Entry => ({
    places: new Map(
      [...places, ['refunded', refunded] as const, ['heldByBank', heldByBank] as const].flatMap(back),
    ),
    reason,
  })

  if (charged === null) return entry('notCharged', [getRecordPlace(charge), recorded?.minor ?? 0])
  const rest = charged.minor - refunded - heldByBank
  if (debt !== null) {
    if (payout === 'delivered') return entry('deliveredAndOwed', ['delivered', charged.minor])
    if (debt === 'settled') return entry(null, ['settledOtherwise', rest])
    return debt === 'done' && rest !== 0 ? entry('notFullyRefunded') : entry(null, ['owed', rest])
  }
  if (payout === 'calledOff') return entry('calledOffNotOwed')
  if (recorded === null) return charge.isNew ? entry(null, ['beingRecorded', rest]) : entry('unrecorded')
  const isSame = recorded.minor === charged.minor && recorded.currency === charged.currency
  const reason = isSame ? null : 'otherAmount'
  const place = getRecordPlace(charge)
  const taken = refunded + heldByBank
  if (!PAID_OUT_LOCATIONS.includes(place)) return entry(reason, [place, recorded.minor - taken])
  return entry(reason, [place, recorded.minor], ['clawedBack', -taken])
}

/** Money has left us, so a reversal of the charge is our loss. */
const PAID_OUT_LOCATIONS: readonly MoneyLocation[] = ['delivered', 'sent', 'invoices']

function getRecordPlace({ kind, payout }: ReconciledCharge): MoneyLocation {
  if (kind === 'invoice') return 'invoices'
  if (kind === 'plan') return 'plans'
  return payout === 'delivered' ? 'delivered' : payout === null ? 'sent' : 'underWay'
}

export interface CurrencyBalance {
  readonly currency: Currency
  readonly charges: number
  /** Minor units. */
  readonly charged: number
  readonly places: Readonly<Partial<Record<MoneyLocation, number>>>
}

/** Without discrepancies, the places add up to the charges. */
export function balanceCharges(charges: readonly ReconciledCharge[]): {
  readonly balances: readonly CurrencyBalance[]
  readonly discrepancies: readonly Discrepancy[]
} {
  const byCurrency = Map.groupBy(charges, ({ charged, recorded }) => (charged ?? recorded)?.currency)
  const balances: CurrencyBalance[] = []
  const discrepancies: Discrepancy[] = []
  for (const [currency, group] of byCurrency) {
    if (!currency) continue
    const places: Partial<Record<MoneyLocation, number>> = {}
    for (const charge of group) {
      const entry = buildChargeEntry(charge)
      for (const [place, minor] of entry.places) places[place] = (places[place] ?? 0) + minor
      if (entry.reason === null) continue
      const missing = (charge.charged?.minor ?? 0) - total([...entry.places.values()])
      discrepancies.push({ id: charge.id, reason: entry.reason, by: money(missing, currency) })
    }
    const charged = total(group.map((charge) => charge.charged?.minor ?? 0))
    balances.push({ currency, charges: group.length, charged, places })
  }
  return { balances, discrepancies }
}

const total = (amounts: readonly number[]) => amounts.reduce((sum, minor) => sum + minor, 0)
