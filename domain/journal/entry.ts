import * as v from 'valibot'
import { finiteNumber, integer, type Output } from '../common/schema.ts'

// An entry is never changed; a later entry reverses it.

const ACCOUNTS = [
  ...(['assets:bank', 'assets:stripe', 'assets:disputes', 'liabilities:payers'] as const),
  ...(['liabilities:suppliers', 'revenues:fees', 'revenues:plans', 'expenses:stripe'] as const),
  ...(['expenses:reversals', 'expenses:latePayouts', 'equity:exchange'] as const),
] as const

const RAIL_ACCOUNT = /^assets:(float|inFlight):\w+$/

/**
 * The first word is the account's type, as in hledger. The rail is the ID of a payout provider. `assets:bank`: as far
 * as operators book it. `assets:inFlight`: payouts whose outcome is unknown. `assets:disputes`: taken by banks that
 * have not decided. `liabilities:payers`: claims of payers, until their money has arrived or is returned.
 * `expenses:reversals`: taken back although the payment stands, or its debt is settled. `expenses:latePayouts`:
 * arrived after they were given up and refunded. `equity:exchange`: conversions and their rounding.
 */
export type JournalAccount = (typeof ACCOUNTS)[number] | `assets:${'float' | 'inFlight'}:${string}`

const accountSchema = v.custom<JournalAccount>(
  (value) => typeof value === 'string' && (ACCOUNTS.some((one) => one === value) || RAIL_ACCOUNT.test(value)),
)

export const ENTRY_KINDS = [
  ...(['cardIn', 'stripeFee', 'conversion', 'feeEarned', 'invoicePaid', 'planPaid', 'planReturned'] as const),
  ...([
    'payoutSent',
    'payoutConfirmed',
    'payoutFailed',
    'payoutArrivedLate',
    'refund',
    'refundFailed',
    'settled',
  ] as const),
  ...(['disputeOpened', 'disputeLost', 'disputeReopened', 'disputeWon', 'disputeReturned'] as const),
  ...(['reversalOwed', 'moved', 'kept', 'keptReversed', 'invoiceReturned', 'invoiceOwedAgain'] as const),
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/**
 * Debits one account and credits another with the same amount, so an unbalanced entry can't be written down.
 * `minor`: whole minor units, positive. `currency`: ISO 4217.
 */
const lineSchema = v.object({
  debit: accountSchema,
  credit: accountSchema,
  minor: v.pipe(integer, v.minValue(1)),
  currency: v.string(),
})
export type Line = Output<typeof lineSchema>

const entrySchema = v.object({
  kind: v.picklist(ENTRY_KINDS),
  lines: v.pipe(v.array(lineSchema), v.minLength(1)),
})
export type Entry = Output<typeof entrySchema>

/** The entries of one change of a payment's state. */
export const journalSchema = v.object({
  /** PaymentIntent ID, or the bank's reference of a movement that an operator booked. */
  about: v.string(),
  /** UTC ms. */
  at: finiteNumber,
  entries: v.array(entrySchema),
})
export type JournalDocument = Output<typeof journalSchema>

export interface Amount {
  readonly minor: number
  readonly currency: string
}

/** A negative amount moves the other way; zero moves nothing. */
export const move = (
  debit: JournalAccount,
  credit: JournalAccount,
  { minor, currency }: Amount,
): readonly Line[] => {
  if (minor === 0) return []
  return [
    minor > 0
      ? { debit, credit, minor, currency }
      : { debit: credit, credit: debit, minor: -minor, currency },
  ]
}

/** None if nothing moves. */
export const buildEntry = (kind: EntryKind, ...lines: readonly (readonly Line[])[]): readonly Entry[] => {
  const moved = lines.flat()
  return moved.length === 0 ? [] : [{ kind, lines: moved }]
}
