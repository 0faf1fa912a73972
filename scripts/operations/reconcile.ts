import { type Books, type Difference, PLACES, type Place } from '../../domain/books.ts'
import { type Currency, money } from '../../domain/money.ts'
import { reconcile as compare } from '../../netlify/server/operations/reconcile.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { CommandError } from './commandError.ts'
import { formatAmount, formatStripeAmount } from './format.ts'

const DAY = 24 * 3_600_000

const NAMES: Record<Place, string> = {
  delivered: 'Delivered',
  underWay: 'Under way',
  sent: 'Sent, and nobody pays out here',
  invoices: 'Invoices paid',
  plans: 'Plans paid',
  beingRecorded: 'Being recorded',
  owed: 'Owed back',
  givenBack: 'Given back',
  withBank: 'Taken by a bank',
  settledOtherwise: 'Settled by hand',
  takenBack: 'Sent, and taken back: lost',
}

const REASONS: Record<Difference['reason'], string> = {
  unrecorded: 'charged, and neither recorded nor owed back',
  notCharged: 'recorded, and not charged',
  otherAmount: 'recorded with another amount than was charged',
  paidOutAndBack: 'delivered, and owed back too',
  calledOffUnowed: 'never paid out, and not owed back',
  notGivenBack: 'counts as given back, and not all of it was',
}

/**
 * Compares the charges of a day with the records. Names each payment that differs.
 *
 * @param day '2026-11-20', in UTC; yesterday by default.
 * @throws CommandError for a day that has not begun.
 */
export async function reconcile(
  context: Context,
  day?: string,
): Promise<{ readonly lines: readonly string[]; readonly isBad: boolean }> {
  const from = day === undefined ? Math.floor(context.now() / DAY) * DAY - DAY : beginningOf(day)
  if (from > context.now()) throw notADay(day)
  const { books, differences, costs } = await compare(context, from)
  const kept = [...costs].map(([currency, minor]) => formatStripeAmount(minor, currency))
  return {
    lines: [
      `What cards paid on ${new Date(from).toISOString().slice(0, 10)} (UTC), and where it is now.`,
      ...(books.length === 0 ? ['Nothing was paid.'] : books.flatMap(describeBooks)),
      ...(kept.length > 0 ? [`Stripe has kept ${kept.join(' and ')} for it.`] : []),
      ...differences.map(
        ({ id, reason, by }) => `Differs by ${amount(by.minor, by.currency)}: ${id}, ${REASONS[reason]}.`,
      ),
      differences.length === 0
        ? 'It adds up.'
        : `${differences.length} of them ${differences.length === 1 ? 'does' : 'do'} not add up: npm run ops -- explain ${differences[0]?.id}`,
    ],
    isBad: differences.length > 0,
  }
}

const describeBooks = ({ currency, charges, charged, places }: Books): string[] => [
  `${charges} in ${currency}: ${amount(charged, currency)}`,
  ...PLACES.flatMap((place) => {
    const minor = places[place] ?? 0
    return minor === 0 ? [] : [`  ${NAMES[place].padEnd(WIDTH)} ${amount(minor, currency)}`]
  }),
]
const WIDTH = Math.max(...Object.values(NAMES).map(({ length }) => length))

const amount = (minor: number, currency: Currency) => formatAmount(money(minor, currency))

const notADay = (day = '') => new CommandError(`${day} is not a day that has begun, such as 2026-11-20.`)

function beginningOf(day: string): number {
  const at = Date.parse(`${day}T00:00:00Z`)
  // Date.parse accepts February 31st as March 3rd.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) throw notADay(day)
  return at
}
