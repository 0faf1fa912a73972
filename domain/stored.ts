import { estimatedArrival } from './arrival.ts'
import type { MonthLedger } from './capUse.ts'
import { DESTINATIONS } from './destinations.ts'
import type { InvoicePayment } from './invoice.ts'
import type { Currency, SourceCurrency } from './money.ts'
import { PLANS, type Subscription, type Tier } from './plans.ts'
import { elseNull, integer, number, object, oneOf, orNull, type Reader, text } from './read.ts'
import { INVOICE_TYPES } from './suppliers.ts'
import type { Transaction } from './transaction.ts'
import { walletsOf } from './wallets.ts'

// How the documents of the database are read, by the functions and by the app alike. Fields that older documents lack have what
// they meant then. `Instant` comes from whoever reads: each SDK has its own timestamps, and answers of functions have numbers.

/** UTC milliseconds. */
type Instant = Reader<number>

export const tier = oneOf<Tier>(...Object.values(PLANS).map(({ id }) => id))
export const currency = oneOf<Currency>('EUR', 'CAD', 'GNF')
export const sourceCurrency = oneOf<SourceCurrency>('EUR', 'CAD')
const country = oneOf(...DESTINATIONS.map(({ code }) => code))
const wallet = oneOf(...DESTINATIONS.flatMap(({ code }) => walletsOf(code).map(({ id }) => id)))

/** The subscription of an answer, whole. */
export const subscription = (instant: Instant): Reader<Subscription> => subscriptionOf(instant, orNull)

function subscriptionOf(
  instant: Instant,
  orNothing: <T>(read: Reader<T>) => Reader<T | null>,
): Reader<Subscription> {
  const fields = object<Omit<Subscription, 'renewalFailed'>>({
    tier: orNothing(tier),
    status: orNothing(oneOf('active', 'canceled')),
    transactionsLeft: orNothing(integer),
    startDate: orNothing(instant),
    lastReset: orNothing(instant),
    stripeSubscriptionId: orNothing(text),
    cancelAt: orNothing(instant),
  })
  const failed = object({ renewalFailed: elseNull(oneOf(true)) })
  return (value) => ({ ...fields(value), ...(failed(value).renewalFailed && { renewalFailed: true }) })
}

/**
 * A transfer. What its amounts are made of has to be there; what only describes it may be missing, or be unknown. Anything but
 * 'received' was sent, so that it counts.
 */
export const transaction =
  (instant: Instant): Reader<Transaction> =>
  (value) => {
    const {
      type,
      status,
      description,
      estimatedArrival: expectedBy,
      ...fields
    } = object({
      id: text,
      senderId: text,
      type: elseNull(oneOf('received')),
      recipientPhone: text,
      amount: number,
      fees: number,
      exchangeRate: number,
      convertedAmount: number,
      sourceCurrency,
      destinationCurrency: currency,
      destination: object<Transaction['destination']>({ code: country, name: text, currency, flag: text }),
      status: elseNull(text),
      createdAt: instant,
      settledAt: orNull(instant),
      estimatedArrival: orNull(instant),
      description: elseNull(text),
      couponCode: elseNull(text),
      receivingMethod: elseNull(wallet),
    })(value)
    return {
      ...fields,
      type: type ?? 'sent',
      estimatedArrival: expectedBy ?? estimatedArrival(fields.createdAt),
      status: status ?? '',
      description: description ?? '',
      paymentMethod: 'card',
    }
  }

/** An invoice that was paid; what only describes it may be missing. */
export const invoicePayment =
  (instant: Instant): Reader<InvoicePayment> =>
  (value) => {
    const { status, description, settledAt, ...fields } = object({
      id: text,
      payerId: text,
      supplier: text,
      reference: text,
      type: oneOf(...INVOICE_TYPES),
      amount: number,
      currency,
      dueDate: text,
      status: elseNull(text),
      description: elseNull(text),
      createdAt: instant,
      settledAt: orNull(instant),
    })(value)
    return {
      ...fields,
      status: status ?? '',
      description: description ?? '',
      settledAt: settledAt ?? fields.createdAt,
      paymentMethod: 'card',
    }
  }

/** What the server counted of a month. */
export const monthLedger: Reader<MonthLedger> = object({
  month: text,
  recordedCents: integer,
  reservedCents: integer,
  reservedSlots: integer,
})
