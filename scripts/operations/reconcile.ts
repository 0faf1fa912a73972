import { type Books, type Difference, PLACES, type Place } from '../../domain/books.ts'
import { type Currency, formatMoney, money } from '../../domain/money.ts'
import { reconcile as compare } from '../../netlify/server/operations/reconcile.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { Usage } from './chosenSettings.ts'
import { stripeAmount } from './explain.ts'

const HELP = `Which day (UTC)? Say one as 2026-11-20; yesterday's is taken when none is named.`
const DAY = 24 * 3_600_000

const SAID: Record<Place, string> = {
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
 * What cards paid on a day and where that money is, in sentences; it ends at zero or names what differs.
 *
 * @param day '2026-11-20', in UTC; yesterday without one.
 * @throws Usage for what is no day that is over or has begun; Stripe's or Firestore's error.
 */
export async function reconcile(
  context: Context,
  day?: string,
): Promise<{ readonly lines: readonly string[]; readonly isEven: boolean }> {
  const from = day === undefined ? Math.floor(context.now() / DAY) * DAY - DAY : beginningOf(day)
  if (from > context.now()) throw new Usage(HELP)
  const { books, differences, costs } = await compare(context, from)
  const kept = [...costs].map(([currency, minor]) => stripeAmount(minor, currency))
  return {
    lines: [
      `What cards paid on ${new Date(from).toISOString().slice(0, 10)} (UTC), and where it is now.`,
      ...(books.length === 0 ? ['Nothing was paid.'] : books.flatMap(linesOf)),
      ...(kept.length > 0 ? [`Stripe has kept ${kept.join(' and ')} for it.`] : []),
      ...differences.map(
        ({ id, reason, by }) => `Differs by ${amount(by.minor, by.currency)}: ${id}, ${REASONS[reason]}.`,
      ),
      differences.length === 0
        ? 'It adds up.'
        : `${differences.length} of them ${differences.length === 1 ? 'does' : 'do'} not add up: npm run explain -- ${differences[0]?.id}`,
    ],
    isEven: differences.length === 0,
  }
}

const linesOf = ({ currency, charges, charged, places }: Books): string[] => [
  `${charges} in ${currency}: ${amount(charged, currency)}`,
  ...PLACES.flatMap((place) => {
    const minor = places[place] ?? 0
    return minor === 0 ? [] : [`  ${SAID[place].padEnd(WIDTH)} ${amount(minor, currency)}`]
  }),
]
const WIDTH = Math.max(...Object.values(SAID).map(({ length }) => length))

const amount = (minor: number, currency: Currency) => formatMoney(money(minor, currency), 'en')

function beginningOf(day: string): number {
  const at = Date.parse(`${day}T00:00:00Z`)
  // Some engines take the 31st of February for the 3rd of March.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) throw new Usage(HELP)
  return at
}
