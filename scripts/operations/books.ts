import * as v from 'valibot'
import { buildCsv, type CsvCell } from '../../domain/common/csv.ts'
import { day } from '../../domain/common/schema.ts'
import { type Balances, getBalance, listEntries, sumEntries } from '../../domain/journal/balances.ts'
import type { EntryKind, JournalAccount, JournalDocument, Line } from '../../domain/journal/entry.ts'
import { formatHledger, toDecimal } from '../../domain/journal/hledger.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { iteratePages } from '../../netlify/server/platform/duePages.ts'
import { journal, parseJournalDocument } from '../../netlify/server/platform/journal.ts'
import { CommandError } from './commandError.ts'
import { createExportFile } from './exportFile.ts'
import { formatStripeAmount, formatTime, getStripeDecimals } from './format.ts'
import { fetchRailBalances, type RailBalance } from './railBalances.ts'

/** Passerelle keeps this money for its clients, and must keep it apart from its own. */
const KEPT_FOR_CLIENTS: readonly JournalAccount[] = ['liabilities:payers']

const NAMES: Readonly<Record<string, string>> = {
  'assets:bank': 'Our bank accounts, as far as operators book them',
  'assets:stripe': 'Our balance at Stripe',
  'assets:disputes': 'Taken by banks that have not decided',
  'liabilities:payers': 'Owed to payers, until their money has arrived',
  'liabilities:suppliers': 'Owed to suppliers for paid invoices',
  'revenues:fees': 'Fees earned',
  'revenues:plans': 'Plans sold',
  'expenses:stripe': "Stripe's fees",
  'expenses:reversals': 'Taken back although the payment stands: lost',
  'expenses:latePayouts': 'Arrived after they were given up and refunded: lost',
  'equity:exchange': 'Conversions and rounding',
}

function describeAccount(account: JournalAccount): string {
  const [, kind, rail] = account.split(':')
  if (kind === 'float') return `Our account at ${rail}`
  if (kind === 'inFlight') return `Perhaps paid out by ${rail}`
  return NAMES[account] ?? account
}

/**
 * The trial balance, with debits as positive amounts. `until`: an instant or a day in UTC, which counts as its end;
 * now by default, with the balances at the rails. @throws CommandError for an invalid instant
 */
export async function showTrialBalance(context: PayoutContext, until?: string): Promise<readonly string[]> {
  const at = until === undefined ? context.now() : parseInstant(until)
  let balances: Balances = new Map()
  for await (const page of iterateJournal(context, at)) balances = sumEntries(listEntries(page), balances)
  return [
    `The books at ${formatTime(at)}.`,
    ...(balances.size === 0 ? ['No money has moved.'] : [...balances].flatMap(describeCurrency)),
    // A provider only knows its balance of now.
    ...(until === undefined ? await fetchRailBalances(context.providers) : []).map((rail) =>
      describeRail(balances, rail),
    ),
  ]
}

function describeRail(balances: Balances, { name, balance }: RailBalance): string {
  if (!balance) return `${name} does not return the balance of our account.`
  const { minor, currency } = balance
  const format = (amount: number) => formatStripeAmount(amount, currency)
  const booked = getBalance(balances, currency, `assets:float:${name}`)
  const inFlight = getBalance(balances, currency, `assets:inFlight:${name}`)
  const said = `Our account at ${name} has ${format(minor)}`
  if (minor === booked) return `${said}, as the books say.`
  const both = `${said}, and the books say ${format(booked)}.`
  return minor > booked && minor <= booked + inFlight
    ? `${both} Payouts in progress of ${format(inFlight)} may not have left it yet.`
    : `${both} They differ by ${format(minor - booked)}: book what was paid in or taken out (books move).`
}

export const describeCurrency = ([currency, sums]: readonly [
  string,
  ReadonlyMap<JournalAccount, number>,
]) => {
  const format = (minor: number) => formatStripeAmount(minor, currency)
  const total = [...sums.values()].reduce((sum, minor) => sum + minor, 0)
  const kept = -KEPT_FOR_CLIENTS.reduce((sum, account) => sum + (sums.get(account) ?? 0), 0)
  const rows = [...sums].sort(([one], [other]) => one.localeCompare(other))
  const width = Math.max(...rows.map(([account]) => account.length))
  return [
    `${currency}:`,
    ...rows.map(
      ([account, minor]) => `  ${account.padEnd(width)}  ${format(minor)}  ${describeAccount(account)}`,
    ),
    `  Sum: ${format(total)}. Kept for clients (safeguarding): ${format(kept)}.`,
  ]
}

const SENTENCES: Readonly<Record<EntryKind, string>> = {
  cardIn: 'The card paid %s to our balance at Stripe, and the payer can claim it.',
  stripeFee: 'Stripe took %s as its fee.',
  conversion: 'Stripe converted: %s.',
  feeEarned: 'We earned %s as the fee.',
  invoicePaid: 'We owe %s to the supplier instead of the payer.',
  invoiceReturned: 'We owe the supplier %s no more: it was never notified, and the payer has the money.',
  invoiceOwedAgain: 'We owe %s to the supplier again, because the money has returned.',
  planPaid: 'The card paid %s for a plan.',
  planReturned: 'The plan never took effect, so the payer can claim %s.',
  payoutSent: 'A payout of %s may have left our account.',
  payoutConfirmed: 'The money arrived: %s.',
  payoutFailed: 'The payout of %s failed for good.',
  payoutArrivedLate: 'The payout of %s arrived although it was given up and refunded.',
  kept: 'An operator kept %s of a payment that is missing in the database, because its transfer was delivered.',
  keptReversed: 'An operator decided otherwise: the payer can claim %s again.',
  moved: '%s was moved between our accounts.',
  refund: '%s went back to the card.',
  refundFailed: 'The refund of %s failed, and the money is in our balance again.',
  settled: '%s went back to the payer from our bank.',
  disputeOpened: 'The bank took %s for a dispute.',
  disputeLost: 'The dispute of %s is lost: the cardholder has the money.',
  disputeReopened: 'The bank decides again about %s.',
  disputeWon: 'The dispute is won: the bank returned %s.',
  disputeReturned: 'The bank returned %s although the dispute was lost.',
  reversalOwed: 'The payment stands no more, so the %s taken back settle what we owe the payer.',
}

const formatLine = ({ minor, currency }: Line) => formatStripeAmount(minor, currency)

/** In plain words: what moved when, and who owes whom since when. */
export function describeStatement(id: string, documents: readonly JournalDocument[]): readonly string[] {
  if (documents.length === 0) return [`The books don't contain ${id}.`]
  return [
    ...documents.flatMap(({ at, entries }) =>
      entries.map(
        ({ kind, lines }) =>
          `${formatTime(at)}: ${SENTENCES[kind].replace('%s', lines.map(formatLine).join(' for '))}`,
      ),
    ),
    ...describeDebts(documents),
  ]
}

/** @throws Firestore's error */
export const showStatement = async (context: Context, id: string): Promise<readonly string[]> =>
  describeStatement(id, await fetchStatement(context, id))

/** Says who owes whom after these entries, and since when. */
function describeDebts(documents: readonly JournalDocument[]): readonly string[] {
  const sums = sumEntries(listEntries(documents))
  const since = (account: JournalAccount) => {
    const of = documents.findLast(({ entries }) =>
      entries.some(({ lines }) => lines.some(({ debit, credit }) => debit === account || credit === account)),
    )
    return of ? formatTime(of.at) : ''
  }
  const lines = [...sums].flatMap(([currency, accounts]) =>
    [...accounts].flatMap(([account, minor]) => {
      const amount = formatStripeAmount(Math.abs(minor), currency)
      if (account === 'liabilities:payers')
        return minor < 0
          ? [`Passerelle owes the payer ${amount} since ${since(account)}.`]
          : [`The payer owes Passerelle ${amount} since ${since(account)}.`]
      if (account === 'liabilities:suppliers')
        return [`Passerelle owes the supplier ${amount} since ${since(account)}.`]
      if (account === 'assets:disputes')
        return [`The bank holds ${amount} since ${since(account)}, until it decides.`]
      if (account.startsWith('assets:inFlight:'))
        return [`A payout of ${amount} is in progress since ${since(account)}.`]
      return minor > 0 && (account === 'expenses:reversals' || account === 'expenses:latePayouts')
        ? [`Passerelle has lost ${amount} since ${since(account)}.`]
        : []
    }),
  )
  return lines.length > 0 ? lines : ['Nothing is owed.']
}

/** The whole journal as CSV, or in hledger's format if the file's name ends with '.journal'. @throws CommandError */
export async function exportBooks(
  context: Context,
  { path, language = 'fr' }: { readonly path: string; readonly language?: string | undefined },
): Promise<readonly string[]> {
  if (language !== 'fr' && language !== 'en') throw new CommandError('--language must be fr or en.')
  const isCsv = path.endsWith('.csv')
  if (!isCsv && !path.endsWith('.journal'))
    throw new CommandError('Name a file that ends with .csv, or with .journal for hledger.')
  const write = createExportFile(path)
  const until = context.now()
  let changes = 0
  if (isCsv) write(buildCsv([HEADINGS], language))
  for await (const page of iterateJournal(context, until)) {
    // Only the head has a byte order mark.
    write(isCsv ? buildCsv(listRows(page), language).slice(1) : formatHledger(page, getStripeDecimals))
    changes += page.length
  }
  return [`${path} has the journal until ${formatTime(until)}: ${changes} changes.`]
}

const HEADINGS = ['Time (UTC)', 'Payment', 'Movement', 'Debit', 'Credit', 'Amount', 'Currency']

const listRows = (documents: readonly JournalDocument[]): readonly (readonly CsvCell[])[] =>
  documents.flatMap(({ about, at, entries }) =>
    entries.flatMap(({ kind, lines }) =>
      lines.map(({ debit, credit, minor, currency }): readonly CsvCell[] => [
        { value: new Date(at).toISOString().slice(0, 19).replace('T', ' ') },
        about,
        kind,
        debit,
        credit,
        { value: toDecimal(minor, getStripeDecimals(currency)) },
        currency,
      ]),
    ),
  )

/** In pages, oldest first. `until`: UTC ms, included. */
async function* iterateJournal({ db }: Context, until: number): AsyncGenerator<readonly JournalDocument[]> {
  for await (const page of iteratePages(journal(db).where('at', '<=', until).orderBy('at')))
    yield page.flatMap((document) => parseJournalDocument(document) ?? [])
}

/** Oldest first. */
export async function fetchStatement({ db }: Context, id: string): Promise<readonly JournalDocument[]> {
  const { docs } = await journal(db).where('about', '==', id).get()
  return docs
    .flatMap((document) => parseJournalDocument(document) ?? [])
    .toSorted((one, other) => one.at - other.at)
}

function parseInstant(text: string): number {
  const [date, time = '23:59:59.999Z'] = text.split('T')
  const at = Date.parse(`${date}T${time}`)
  // Without a zone, it would be an instant in the zone of the operator's machine.
  if (!v.is(day, date) || !time.endsWith('Z') || Number.isNaN(at))
    throw new CommandError(`'${text}' is not an instant. Write it as 2026-11-20 or 2026-11-20T12:00:00Z.`)
  return at
}
