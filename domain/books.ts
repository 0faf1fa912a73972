import { type Currency, type Money, money } from './money.ts'

// Double entry: what cards paid on one side, where that money is on the other. Both sides come from different systems (Stripe and our
// records), so that what only one of them knows shows as a difference.

/** Where the money of a charge is. `takenBack` is negative: it was sent, and the card or its bank has it again, so it is our loss. */
export const PLACES = [
  ...(['delivered', 'underWay', 'sent', 'invoices', 'plans', 'beingRecorded'] as const),
  ...(['owed', 'givenBack', 'withBank', 'settledOtherwise', 'takenBack'] as const),
] as const
export type Place = (typeof PLACES)[number]

/** A charge, by what Stripe and the records say of it. Numbers are minor units of the currency that the card paid in. */
export interface BookedCharge {
  /** Its PaymentIntent. */
  readonly id: string
  readonly kind: 'transfer' | 'invoice' | 'plan'
  /** Null when Stripe knows of no charge that succeeded. */
  readonly charged: Money | null
  /** By refunds that were done or are under way. */
  readonly givenBack: number
  /** What a bank has taken, for good or until it decides. */
  readonly withBank: number
  /** What the record of the transfer or invoice says was paid; null without one. Of a plan it is what was charged. */
  readonly recorded: Money | null
  /** Whether it is owed back: `settled` by an operator in another way, `checked` when the sweep still asks about it. */
  readonly debt: 'due' | 'disputed' | 'checked' | 'done' | 'settled' | null
  /** Where its delivery order stands; null without one. */
  readonly payout: 'underWay' | 'delivered' | 'calledOff' | null
  /** It was charged so lately that it may still be recorded. */
  readonly isNew: boolean
}

/** Why both sides do not say the same. */
export type DifferenceReason =
  /** The card paid, and nothing was recorded, nor is it owed back. */
  | 'unrecorded'
  /** It is recorded, and no card has paid. */
  | 'notCharged'
  | 'otherAmount'
  /** It was delivered, and is owed back too. */
  | 'paidOutAndBack'
  /** It will never be paid out, and is not owed back. */
  | 'calledOffUnowed'
  /** It counts as given back, and not all of it was. */
  | 'notGivenBack'

export interface Difference {
  readonly id: string
  readonly reason: DifferenceReason
  /** What is missing on the side of the records, in minor units; negative when they have too much. */
  readonly by: Money
}

interface Entry {
  readonly places: ReadonlyMap<Place, number>
  readonly reason: DifferenceReason | null
}

/** Where the money of one charge is, in minor units. The sum is what was charged, unless there is a reason why not. */
export function entryOf(charge: BookedCharge): Entry {
  const { charged, recorded, debt, payout, givenBack, withBank } = charge
  const back = ([place, minor]: readonly [Place, number]): readonly (readonly [Place, number])[] =>
    minor === 0 ? [] : [[place, minor]]
  const entry = (
    reason: DifferenceReason | null,
    ...places: readonly (readonly [Place, number])[]
  ): Entry => ({
    places: new Map(
      [...places, ['givenBack', givenBack] as const, ['withBank', withBank] as const].flatMap(back),
    ),
    reason,
  })

  if (charged === null) return entry('notCharged', [placeOfRecord(charge), recorded?.minor ?? 0])
  const rest = charged.minor - givenBack - withBank
  if (debt !== null) {
    if (payout === 'delivered') return entry('paidOutAndBack', ['delivered', charged.minor])
    if (debt === 'settled') return entry(null, ['settledOtherwise', rest])
    return debt === 'done' && rest !== 0 ? entry('notGivenBack') : entry(null, ['owed', rest])
  }
  if (payout === 'calledOff') return entry('calledOffUnowed')
  if (recorded === null) return charge.isNew ? entry(null, ['beingRecorded', rest]) : entry('unrecorded')
  const isSame = recorded.minor === charged.minor && recorded.currency === charged.currency
  const reason = isSame ? null : 'otherAmount'
  const place = placeOfRecord(charge)
  const taken = givenBack + withBank
  if (!GONE.includes(place)) return entry(reason, [place, recorded.minor - taken])
  return entry(reason, [place, recorded.minor], ['takenBack', -taken])
}

/** What has left us: whoever takes it back takes ours. */
const GONE: readonly Place[] = ['delivered', 'sent', 'invoices']

function placeOfRecord({ kind, payout }: BookedCharge): Place {
  if (kind === 'invoice') return 'invoices'
  if (kind === 'plan') return 'plans'
  return payout === 'delivered' ? 'delivered' : payout === null ? 'sent' : 'underWay'
}

/** What was charged in one currency, and where it is. */
export interface Books {
  readonly currency: Currency
  readonly charges: number
  /** Minor units. */
  readonly charged: number
  readonly places: Readonly<Partial<Record<Place, number>>>
}

/** The books of these charges, by currency, and what does not add up. Without a difference charged and places come to the same sum. */
export function balance(charges: readonly BookedCharge[]): {
  readonly books: readonly Books[]
  readonly differences: readonly Difference[]
} {
  const byCurrency = Map.groupBy(charges, ({ charged, recorded }) => (charged ?? recorded)?.currency)
  const books: Books[] = []
  const differences: Difference[] = []
  for (const [currency, mine] of byCurrency) {
    if (!currency) continue
    const places: Partial<Record<Place, number>> = {}
    for (const charge of mine) {
      const entry = entryOf(charge)
      for (const [place, minor] of entry.places) places[place] = (places[place] ?? 0) + minor
      if (entry.reason === null) continue
      const missing = (charge.charged?.minor ?? 0) - total([...entry.places.values()])
      differences.push({ id: charge.id, reason: entry.reason, by: money(missing, currency) })
    }
    const charged = total(mine.map((charge) => charge.charged?.minor ?? 0))
    books.push({ currency, charges: mine.length, charged, places })
  }
  return { books, differences }
}

const total = (amounts: readonly number[]) => amounts.reduce((sum, minor) => sum + minor, 0)
