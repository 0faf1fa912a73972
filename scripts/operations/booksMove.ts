import type { Amount, JournalAccount, Line } from '../../domain/journal/entry.ts'
import { bookMoved } from '../../domain/journal/movements.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { PAYOUT_PROVIDERS } from '../../netlify/server/payouts/providers/provider.ts'
import { journal, parseJournalDocument, writeJournal } from '../../netlify/server/platform/journal.ts'
import { CommandError } from './commandError.ts'
import { formatStripeAmount, getStripeDecimals } from './format.ts'

/** `recipients`: paid out for charges whose records are lost. `reversals`: taken back of payments that stand. */
const ACCOUNTS: ReadonlyMap<string, JournalAccount> = new Map([
  ['bank', 'assets:bank'],
  ['stripe', 'assets:stripe'],
  ['suppliers', 'liabilities:suppliers'],
  ['recipients', 'equity:exchange'],
  ['reversals', 'expenses:reversals'],
  ...PAYOUT_PROVIDERS.map((rail): [string, JournalAccount] => [rail, `assets:float:${rail}`]),
])
export const PLACES: readonly string[] = [...ACCOUNTS.keys()]

/**
 * Books top-ups of rails, payments to suppliers and Stripe's payouts to our bank. An error is corrected by the opposite
 * movement under another reference. @throws CommandError if nothing was booked
 */
export async function bookMovement(
  context: PayoutContext,
  reference = '',
  from = '',
  to = '',
  amount = '',
  converted?: string,
): Promise<readonly string[]> {
  const [left, arrived] = [parseAmount(amount), converted === undefined ? undefined : parseAmount(converted)]
  const [credited, debited] = [ACCOUNTS.get(from), ACCOUNTS.get(to)]
  if (!credited || !debited || from === to)
    throw new CommandError(`FROM and TO are two of ${PLACES.join(', ')}.`)
  if (arrived && (left.currency === arrived.currency || [from, to].includes('recipients')))
    throw new CommandError('ARRIVED is in another currency, between our accounts. Otherwise leave it out.')
  const entries = bookMoved(credited, debited, left, arrived)
  const described = describeMove(entries.flatMap(({ lines }) => lines))
  return context.db.runTransaction(async (tx) => {
    const before = parseJournalDocument(await tx.get(journal(context.db).doc(`${reference}_moved`)))
    if (!before) {
      writeJournal(context, tx, reference, 'moved', entries)
      return [`Booked as ${reference}: ${described}.`]
    }
    const booked = describeMove(before.entries.flatMap(({ lines }) => lines))
    if (booked === described) return [`${reference} is in the books already.`]
    throw new CommandError(`${reference} is in the books as another movement: ${booked}.`)
  })
}

/** @throws CommandError */
function parseAmount(text: string): Amount {
  const [, whole = '', cents = '', currency = ''] = /^(\d{1,12})(?:\.(\d\d))?(EUR|CAD|GNF)$/.exec(text) ?? []
  const decimals = getStripeDecimals(currency)
  const minor = Number(whole) * 10 ** decimals + Number(cents)
  if (minor === 0 || cents.length > decimals)
    throw new CommandError(`'${text}' is not an amount. Write it as 970.00EUR, 970EUR or 10282000GNF.`)
  return { minor, currency }
}

function describeMove(lines: readonly Line[]): string {
  const amounts = lines.map(({ minor, currency }) => formatStripeAmount(minor, currency))
  const [from, to] = [lines[0]?.credit, lines.at(-1)?.debit].map((account) =>
    PLACES.find((place) => ACCOUNTS.get(place) === account),
  )
  return `${amounts.join(' for ')}, from ${from} to ${to}`
}
