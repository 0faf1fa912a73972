import { type Amount, buildEntry, type Entry, type JournalAccount, move } from './entry.ts'

// One function for each kind of movement. Amounts are minor units.

type Entries = readonly Entry[]

export const STRIPE = 'assets:stripe'
export const PAYERS = 'liabilities:payers'
const EXCHANGE = 'equity:exchange'

/** `booked`: as Stripe states it in our balance; null if not yet known. */
export interface StripeAmount {
  readonly charged: Amount
  readonly booked: (Amount & { readonly fee: number }) | null
}

/** The payer can claim the whole charge until the money has arrived. */
export const bookCharge = ({ charged, booked }: StripeAmount): Entries => [
  ...buildEntry('cardIn', move(STRIPE, PAYERS, charged)),
  ...(booked ? [...bookConversion(charged, booked), ...bookStripeFee(booked, booked.fee)] : []),
]

export const bookPlanPaid = ({ charged, booked }: StripeAmount): Entries => [
  ...buildEntry('planPaid', move(STRIPE, 'revenues:plans', charged)),
  ...(booked ? [...bookConversion(charged, booked), ...bookStripeFee(booked, booked.fee)] : []),
]

/** The plan never took effect, so its charge is owed back. */
export const bookPlanReturned = (charged: Amount): Entries =>
  buildEntry('planReturned', move('revenues:plans', PAYERS, charged))

export const bookInvoicePaid = (charged: Amount): Entries =>
  buildEntry('invoicePaid', move(PAYERS, 'liabilities:suppliers', charged))

/** The payer has the whole charge back, and the supplier was never notified. False once the money returns. */
export const bookInvoiceReturned = (charged: Amount, isReturned: boolean): Entries =>
  isReturned
    ? buildEntry('invoiceReturned', move('liabilities:suppliers', 'expenses:reversals', charged))
    : buildEntry('invoiceOwedAgain', move('expenses:reversals', 'liabilities:suppliers', charged))

/** An invoice in francs reaches our balance in euros. Signed: negative if the money leaves our balance. */
export function bookConversion(charged: Amount, booked: Amount): Entries {
  if (charged.currency !== booked.currency)
    return buildEntry('conversion', move(EXCHANGE, STRIPE, charged), move(STRIPE, EXCHANGE, booked))
  const { currency } = charged
  return buildEntry('conversion', move(STRIPE, EXCHANGE, { minor: booked.minor - charged.minor, currency }))
}

export const bookStripeFee = ({ currency }: Amount, minor: number): Entries =>
  buildEntry('stripeFee', move('expenses:stripe', STRIPE, { minor, currency }))

export interface JournalPayout {
  /** Payout provider. */
  readonly rail: string
  readonly amount: Amount
}

export const bookPayoutSent = ({ rail, amount }: JournalPayout): Entries =>
  buildEntry('payoutSent', move(`assets:inFlight:${rail}`, `assets:float:${rail}`, amount))

/** The payout of this reference will never arrive. */
export const bookPayoutFailed = ({ rail, amount }: JournalPayout): Entries =>
  buildEntry('payoutFailed', move(`assets:float:${rail}`, `assets:inFlight:${rail}`, amount))

export const bookPayoutArrivedLate = ({ rail, amount }: JournalPayout): Entries =>
  buildEntry('payoutArrivedLate', move('expenses:latePayouts', `assets:float:${rail}`, amount))

/** `wasSent`: by `payoutSent`; operators pay by hand without it. `net`: what the payer gave for `amount`. */
export const bookPayoutConfirmed = (
  { rail, amount }: JournalPayout,
  { net, wasSent }: { readonly net: Amount; readonly wasSent: boolean },
): Entries =>
  buildEntry(
    'payoutConfirmed',
    move(PAYERS, EXCHANGE, net),
    move(EXCHANGE, wasSent ? `assets:inFlight:${rail}` : `assets:float:${rail}`, amount),
  )

/** The records of its payout are lost. `isKept`: false if the charge is refunded nevertheless. */
export const bookKept = (charged: Amount, isKept: boolean): Entries =>
  isKept
    ? buildEntry('kept', move(PAYERS, EXCHANGE, charged))
    : buildEntry('keptReversed', move(EXCHANGE, PAYERS, charged))

/** The fee is earned when the money has arrived, because an undeliverable transfer is refunded with its fee. */
export const bookFeeEarned = (fee: Amount): Entries =>
  buildEntry('feeEarned', move(PAYERS, 'revenues:fees', fee))

/** Moved by operators, outside of the product. `arrived`: in another currency than `left`, after a conversion. */
export const bookMoved = (
  from: JournalAccount,
  to: JournalAccount,
  left: Amount,
  arrived: Amount = left,
): Entries =>
  left === arrived
    ? buildEntry('moved', move(to, from, left))
    : buildEntry('moved', move(EXCHANGE, from, left), move(to, EXCHANGE, arrived))

/** Paid back from our bank, because the card can't be refunded. */
export const bookSettled = (amount: Amount): Entries =>
  buildEntry('settled', move(PAYERS, 'assets:bank', amount))
