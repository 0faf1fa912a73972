import { DAY } from '../../domain/common/duration.ts'
import { type Currency, money } from '../../domain/money/money.ts'
import {
  type CurrencyBalance,
  type Discrepancy,
  MONEY_LOCATIONS,
  type MoneyLocation,
} from '../../domain/money/reconciliation.ts'
import { findPayout } from '../../netlify/server/payouts/payouts.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { CommandError } from './commandError.ts'
import { formatAmount, formatStripeAmount } from './format.ts'
import { reconcileDay as compare } from './reconcileDay.ts'

const NAMES: Record<MoneyLocation, string> = {
  delivered: 'Delivered',
  underWay: 'In progress',
  sent: 'Recorded; payouts not set up',
  invoices: 'Invoices paid',
  plans: 'Plans paid',
  beingRecorded: 'Being recorded',
  owed: 'Owed to the card',
  refunded: 'Refunded',
  heldByBank: 'Taken by a dispute',
  settledOtherwise: 'Settled by hand',
  clawedBack: 'Delivered, then reversed: lost',
}

const REASONS: Record<Discrepancy['reason'], string> = {
  unrecorded: 'charged, but neither recorded nor owed back',
  notCharged: 'recorded, but not charged',
  otherAmount: 'recorded with a different amount than charged',
  deliveredAndOwed: 'both delivered and owed back',
  calledOffNotOwed: 'never paid out, but not owed back',
  notFullyRefunded: 'counts as refunded, but was not refunded in full',
}

/**
 * Names each payment that differs. `day`: '2026-11-20', in UTC; yesterday by default.
 * @throws CommandError for an invalid day, or one in the future
 */
export async function showReconciliation(
  context: Context,
  day?: string,
): Promise<{ readonly lines: readonly string[]; readonly isBad: boolean }> {
  const from = day === undefined ? Math.floor(context.now() / DAY) * DAY - DAY : parseDayStart(day)
  if (from > context.now()) throw buildDayError(day)
  const { balances, discrepancies, costs } = await compare(context, from, findPayout)
  const kept = [...costs].map(([currency, minor]) => formatStripeAmount(minor, currency))
  return {
    lines: [
      `Card charges of ${new Date(from).toISOString().slice(0, 10)} (UTC), and where the money is now.`,
      ...(balances.length === 0 ? ['Nothing was charged.'] : balances.flatMap(describeBalance)),
      ...(kept.length > 0 ? [`Stripe's fees: ${kept.join(' and ')}.`] : []),
      ...discrepancies.map(
        ({ id, reason, by }) => `Differs by ${amount(by.minor, by.currency)}: ${id}, ${REASONS[reason]}.`,
      ),
      discrepancies.length === 0
        ? 'Charges and records agree.'
        : `Payments that differ: ${discrepancies.length}. To find out why: npm run ops -- explain ${discrepancies[0]?.id}`,
    ],
    isBad: discrepancies.length > 0,
  }
}

const describeBalance = ({ currency, charges, charged, places }: CurrencyBalance): string[] => [
  `${charges} in ${currency}: ${amount(charged, currency)}`,
  ...MONEY_LOCATIONS.flatMap((place) => {
    const minor = places[place] ?? 0
    return minor === 0 ? [] : [`  ${NAMES[place].padEnd(WIDTH)} ${amount(minor, currency)}`]
  }),
]
const WIDTH = Math.max(...Object.values(NAMES).map(({ length }) => length))

const amount = (minor: number, currency: Currency) => formatAmount(money(minor, currency))

const buildDayError = (day = '') => new CommandError(`'${day}' is not a past day. Write it as 2026-11-20.`)

function parseDayStart(day: string): number {
  const at = Date.parse(`${day}T00:00:00Z`)
  // Date.parse accepts February 31st as March 3rd.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) throw buildDayError(day)
  return at
}
