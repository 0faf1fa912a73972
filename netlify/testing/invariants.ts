import type { DocumentData } from 'firebase-admin/firestore'
import { expect } from 'vitest'
import { DAY } from '../../domain/common/duration.ts'
import { toMonth } from '../../domain/common/month.ts'
import { getPaidAmount } from '../../domain/invoices/invoice.ts'
import { NOTHING_TAKEN } from '../../domain/journal/takenBack.ts'
import type { DeliveryOrder } from '../../domain/payouts/deliveryOrder.ts'
import { toEurCents } from '../../domain/prices/limits.ts'
import type { Transaction } from '../../domain/transfers/transaction.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Restriction } from '../server/payments/restrictions.ts'
import type { SupplierNotice } from '../server/payments/supplierNotices.ts'
import type {
  InvoiceAttempt,
  InvoiceClaim,
  PartyCapUse,
  Refund,
  TransferAttempt,
} from '../server/platform/documents.ts'
import { type Ledger, parseSubscription } from '../server/platform/records.ts'
import { parseDumpedInvoicePayment, parseDumpedTransaction } from './dumpedRecords.ts'

export interface Records {
  readonly attempts: ReadonlyMap<string, TransferAttempt>
  readonly invoiceAttempts: ReadonlyMap<string, InvoiceAttempt>
  readonly ledgers: ReadonlyMap<string, Ledger>
  readonly capUses: ReadonlyMap<string, PartyCapUse>
  readonly refunds: ReadonlyMap<string, Refund>
  readonly transactions: ReadonlyMap<string, DocumentData>
  readonly users: ReadonlyMap<string, DocumentData>
  readonly invoices: ReadonlyMap<string, DocumentData>
  readonly invoiceClaims: ReadonlyMap<string, InvoiceClaim>
  readonly invoicePayments: ReadonlyMap<string, DocumentData>
  readonly supplierNotices: ReadonlyMap<string, SupplierNotice>
  readonly restrictions: ReadonlyMap<string, Restriction>
  readonly deliveries: ReadonlyMap<string, DeliveryOrder>
  readonly journal: ReadonlyMap<string, DocumentData>
  readonly reversals: ReadonlyMap<string, NonNullable<Refund['takenBack']>>
}

export interface StripeRequest {
  readonly path: string
  readonly body: string
  readonly key: string | null
}

type Provider = Pick<
  Sandbox['stripe'],
  | ('paymentIntents' | 'charges' | 'balanceTransactions' | 'refunds' | 'disputes')
  | ('customers' | 'paymentMethods')
>
export type ProviderPart<Name extends keyof Provider> = Pick<Provider, Name>
type Intent = ReturnType<Provider['paymentIntents']>[number]

export const MONTHLY_CAP_CENTS = 100_000
/** Minor units of the target currency for one minor unit of the source, as [numerator, denominator]. */
const RATES: Readonly<Record<string, readonly [number, number]>> = {
  'EUR EUR': [1, 1],
  'EUR CAD': [162, 100],
  'EUR GNF': [106, 1],
  'CAD EUR': [6, 10],
  'CAD CAD': [1, 1],
  'CAD GNF': [6403, 100],
}
const MINOR_UNITS: Readonly<Record<string, number>> = { EUR: 100, CAD: 100, GNF: 1 }

/** Whether the transfer is refunded: it could not be delivered, or its sender canceled it. */
const isUndelivered = (transaction: { readonly status?: unknown } | undefined) =>
  transaction?.status === 'failed' || transaction?.status === 'canceled'

const halfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator))
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
const toMinor = (major: number, currency: string) => Math.round(major * (MINOR_UNITS[currency] ?? 0))

export function checkStepInvariants(
  records: Records,
  stripe: Provider,
  requests: readonly StripeRequest[],
): void {
  const intents = new Map(stripe.paymentIntents().map((intent) => [intent.id, intent]))
  checkTransactions(records, intents)
  checkInvoices(records, intents)
  for (const [id, amount] of backAmounts(stripe))
    expect(amount, `the refunded amount of ${id}`).toBeLessThanOrEqual(intents.get(id)?.amount_received ?? 0)
  for (const { payment_intent: id, status, metadata } of stripe.refunds()) {
    if (metadata.byHand) continue
    expect(records.refunds.has(id), `${id} is refunded without being owed`).toBe(true)
    expect(isRecorded(records, id), `${id} is refunded and recorded`).toBe(false)
    if (status === 'pending')
      expect(['due', 'pending'], `the debt of ${id}, whose refund is pending`).toContain(
        records.refunds.get(id)?.status,
      )
  }
  const attemptKeys = ownIntents(stripe).map(({ metadata }) => metadata.attemptKey)
  expect(new Set(attemptKeys).size, 'one PaymentIntent for an attempt').toBe(attemptKeys.length)
  const sent = [...records.attempts.values()].filter(({ status }) => status !== 'released')
  for (const [form, { length }] of Map.groupBy(sent, ({ uid, draftId }) => `${uid} ${draftId}`))
    expect(length, `attempts of the form ${form} that are not released`).toBe(1)
  checkCards(stripe)
  checkPauses(records)
  checkCap(records, intents)
  checkLedgers(records)
  for (const { transfer } of records.attempts.values())
    checkAmounts({
      gross: transfer.quote.gross.minor,
      fee: transfer.quote.fee.minor,
      net: transfer.quote.net.minor,
      converted: transfer.quote.converted.minor,
      source: transfer.quote.gross.currency,
      target: transfer.quote.converted.currency,
    })
  for (const profile of records.users.values())
    expect(parseSubscription(profile).transactionsLeft ?? 0).toBeGreaterThanOrEqual(0)
  checkKeys(requests)
}

export function checkIdleInvariants(records: Records, stripe: Provider): void {
  checkNotices(records, stripe)
  const intents = ownIntents(stripe)
  const back = backAmounts(stripe)
  const attempts = [...records.attempts.values(), ...records.invoiceAttempts.values()]
  const open = attempts.filter(({ status }) => status === 'reserved')
  expect(open, 'attempts still open').toEqual([])
  // A PaymentIntent that is not stored can't have been paid, because its secret never left the server.
  const known = new Set(attempts.map(({ paymentIntentId }) => paymentIntentId))
  for (const { id, status } of intents) {
    const ends = Number(isRecorded(records, id)) + Number(records.refunds.has(id))
    expect(ends, `${id} (${status}) is recorded or owed back`).toBe(status === 'succeeded' ? 1 : 0)
    if (known.has(id)) expect(['succeeded', 'canceled'], `status of ${id}`).toContain(status)
  }
  const contested = new Set(
    stripe.disputes().flatMap(({ payment_intent: id, status }) => (status === 'needs_response' ? id : [])),
  )
  for (const currency of new Set(intents.map((intent) => intent.currency))) {
    const inCurrency = intents.filter((intent) => intent.currency === currency)
    // A recorded payment counts with its recorded amount, even if it was later disputed or refunded by hand:
    // the functions do not refund that loss.
    const ends = inCurrency.map(({ id, amount_received: received }) => {
      if (isRecorded(records, id)) return recordedAmount(records, id)
      // While a dispute is open, the bank decides about the whole amount. A part that came back to us, as
      // after a failed refund by hand, is not refunded yet.
      return contested.has(id) ? received : (back.get(id) ?? 0)
    })
    expect(total(inCurrency.map((intent) => intent.amount_received)), `received in ${currency}`).toBe(
      total(ends),
    )
  }
  for (const [id, { status }] of records.refunds)
    expect(status, `the debt of ${id}`).toBe(status === 'disputed' && contested.has(id) ? 'disputed' : 'done')
  for (const { status } of stripe.refunds()) expect(status, 'a refund at the provider').not.toBe('pending')
}

function checkTransactions({ transactions, attempts, refunds }: Records, intents: Map<string, Intent>) {
  for (const [id, stored] of transactions) {
    const transaction = parseDumpedTransaction(stored)
    const intent = intents.get(id)
    const promised = attempts.get(intent?.metadata.attemptKey ?? '')
    expect(intent?.status, `status of the recorded payment ${id}`).toBe('succeeded')
    expect(getGrossMinor(transaction), `gross of ${id}`).toBe(intent?.amount_received)
    expect(refunds.has(id), `${id} is owed, as its status says`).toBe(isUndelivered(transaction))
    if (promised) {
      const { transfer, uid } = promised
      expect(transaction.senderId, `sender of ${id}`).toBe(uid)
      expect(getGrossMinor(transaction), `gross of ${id} as quoted`).toBe(transfer.quote.gross.minor)
      expect(toMinor(transaction.fees, transaction.sourceCurrency), `fee of ${id} as quoted`).toBe(
        transfer.quote.fee.minor,
      )
    }
    const { sourceCurrency: source, destinationCurrency: target } = transaction
    checkAmounts({
      gross: getGrossMinor(transaction),
      fee: toMinor(transaction.fees, source),
      net: toMinor(transaction.amount, source),
      converted: toMinor(transaction.convertedAmount, target),
      source,
      target,
    })
  }
}

function checkNotices({ supplierNotices, invoicePayments, reversals }: Records, stripe: Provider) {
  const back = backAmounts(stripe)
  for (const [id, { state, toldAt, isOwed }] of supplierNotices) {
    const payment = parseDumpedInvoicePayment(invoicePayments.get(id) ?? {})
    const { minor } = getPaidAmount(payment)
    const taken = back.get(id) ?? 0
    // A part does not reverse a notice before it is sent.
    const reversing = state === 'held' ? minor : 1
    expect(state === 'reversed', `${id} is reversed for its supplier`).toBe(taken >= reversing)
    const status = taken >= minor ? 'canceled' : 'completed'
    expect(payment.status, `the status of ${id}`).toBe(status)
    const { refunded, lost } = reversals.get(id) ?? NOTHING_TAKEN
    const isWhole = refunded + lost >= minor
    expect(isOwed, `the supplier of ${id} is owed`).toBe(toldAt !== null || !isWhole)
  }
}

function checkCards(stripe: Provider) {
  const owners = new Map(stripe.customers().map(({ id, metadata }) => [id, metadata.uid]))
  const keptFor = new Map(stripe.paymentMethods().map(({ id, customer }) => [id, customer]))
  for (const { id, customer, metadata, payment_method: card } of ownIntents(stripe)) {
    if (customer !== null)
      expect(owners.get(customer), `the user whose customer pays ${id}`).toBe(metadata.uid)
    const holder = keptFor.get(card ?? '') ?? null
    if (holder !== null) expect(holder, `the customer who keeps the card of ${id}`).toBe(customer)
  }
}

function checkPauses({ restrictions, attempts, invoiceAttempts }: Records) {
  for (const { uid, since } of restrictions.values())
    for (const attempt of [...attempts.values(), ...invoiceAttempts.values()])
      if (attempt.uid === uid && attempt.status === 'reserved' && since !== null)
        expect(attempt.createdAt, `a payment of ${uid}, who may not pay`).toBeLessThanOrEqual(since)
}

/** An invoice is paid once, with the amount that was due, whatever its supplier writes. */
function checkInvoices(records: Records, intents: Map<string, Intent>) {
  const paid = new Map<string, string[]>()
  for (const [id, stored] of records.invoicePayments) {
    const payment = parseDumpedInvoicePayment(stored)
    const { minor, currency } = getPaidAmount(payment)
    const intent = intents.get(id)
    expect([intent?.status, intent?.amount_received, intent?.currency], `the payment ${id}`).toEqual([
      'succeeded',
      minor,
      currency.toLowerCase(),
    ])
    const promised = records.invoiceAttempts.get(intent?.metadata.attemptKey ?? '')
    if (promised) expect(minor, `what was due when ${id} was started`).toBe(promised.invoice.amount.minor)
    expect(records.refunds.has(id), `${id} is recorded and owed`).toBe(false)
    const notice = records.supplierNotices.get(id)
    expect(notice?.amount, `the supplier's notice about ${id}`).toBe(payment.amount)
    if (notice?.state !== 'reversed') expect(payment.status, `the status of ${id}`).toBe('completed')
    const name = `${payment.supplier}_${payment.reference}`
    paid.set(name, [...(paid.get(name) ?? []), payment.dueDate])
  }
  // Beginning to pay a paid invoice could charge it twice.
  for (const [key, { status, invoice }] of records.invoiceAttempts) {
    const day = Date.parse(invoice.dueDate) / DAY
    if (status === 'reserved')
      for (const dueDate of paid.get(`${invoice.supplier}_${invoice.reference}`) ?? [])
        expect(
          Math.abs(Date.parse(dueDate) / DAY - day),
          `days from what was paid to ${key}`,
        ).toBeGreaterThanOrEqual(21)
  }
  for (const [name, dueDates] of paid) {
    const days = dueDates.map((date) => Date.parse(date) / DAY).toSorted((one, other) => one - other)
    for (const [index, day] of days.slice(1).entries())
      expect(day - (days[index] ?? 0), `days between what was paid of ${name}`).toBeGreaterThanOrEqual(21)
  }
  for (const [name, { heldBy }] of records.invoiceClaims)
    if (heldBy) expect(records.invoiceAttempts.get(heldBy)?.status, name).toBe('reserved')
}

/** Counts payments that may still be charged, but no canceled, released or refunded ones. */
function checkCap({ attempts, refunds }: Records, intents: Map<string, Intent>) {
  const taken = new Map<string, number>()
  for (const { id, status, amount, currency, metadata } of intents.values()) {
    const attempt = attempts.get(metadata.attemptKey ?? '')
    const isOver = status === 'canceled' || refunds.has(id)
    if (!attempt || isOver || attempt.status === 'released' || attempt.status === 'refunded') continue
    const month = `${attempt.uid} in ${attempt.month}`
    taken.set(month, (taken.get(month) ?? 0) + (currency === 'cad' ? halfUp(amount * 6, 10) : amount))
  }
  for (const [month, cents] of taken)
    expect(cents, `EUR cents taken or promised for ${month}`).toBeLessThanOrEqual(MONTHLY_CAP_CENTS)
}

function checkLedgers({ attempts, ledgers, transactions }: Records) {
  const recorded = [...transactions.values()]
    .map(parseDumpedTransaction)
    .filter((transaction) => !isUndelivered(transaction))
  for (const { uid, month, ...ledger } of ledgers.values()) {
    const ofMonth = [...attempts.values()].filter((attempt) => attempt.uid === uid && attempt.month === month)
    const held = ofMonth.filter(({ status }) => status === 'reserved')
    const inMonth = recorded.filter(
      ({ senderId, createdAt }) => senderId === uid && toMonth(createdAt) === month,
    )
    const recordedCents = total(
      inMonth.map((transaction) =>
        toEurCents({ minor: getGrossMinor(transaction), currency: transaction.sourceCurrency }),
      ),
    )
    const reservedCents = total(held.map(({ transfer }) => toEurCents(transfer.gross)))
    const reservedSlots = held.filter(({ slotPeriod }) => slotPeriod !== null).length
    const inWords = (one: Omit<Ledger, 'uid' | 'month'>) =>
      `${one.recordedCents} recorded, ${one.reservedCents} and ${one.reservedSlots} of the plan reserved`
    expect(inWords(ledger), `the ledger of ${uid} for ${month}`).toBe(
      inWords({ recordedCents, reservedCents, reservedSlots }),
    )
    expect(ledger.recordedCents + ledger.reservedCents, `the cap of ${uid} in ${month}`).toBeLessThanOrEqual(
      MONTHLY_CAP_CENTS,
    )
  }
}

/** Computes amounts by the rules of the specification, without the product's code. */
function checkAmounts(amounts: {
  gross: number
  fee: number
  net: number
  converted: number
  source: string
  target: string
}) {
  const { gross, fee, net, converted, source, target } = amounts
  expect(net + fee, 'net + fee').toBe(gross)
  expect([0, 100, halfUp(3 * gross, 100)], 'fee').toContain(fee)
  const [numerator, denominator] = RATES[`${source} ${target}`] ?? [Number.NaN, 1]
  expect(converted, `${net} ${source} in ${target}`).toBe(halfUp(net * numerator, denominator))
}

function checkKeys(requests: readonly StripeRequest[]) {
  const keys = new Map<string, string | null>()
  for (const { path, body, key } of requests) {
    const request = `${path} ${body}`
    expect(keys.get(request) ?? key, `the idempotency key of ${request}`).toBe(key)
    expect(key, `the idempotency key of ${request}`).not.toMatch(/^stripe-node-retry/)
    keys.set(request, key)
  }
  expect(new Set(keys.values()).size, 'idempotency keys of different requests').toBe(keys.size)
}

const ownIntents = (stripe: Provider) =>
  stripe.paymentIntents().filter(({ metadata }) => metadata.kind !== undefined)

/** Amounts by PaymentIntent that the payer has or gets back: refunds that did not fail, and lost disputes. */
function backAmounts(stripe: Provider): Map<string, number> {
  const amounts = new Map<string, number>()
  const parts = [
    ...stripe.refunds().filter(({ status }) => status !== 'failed'),
    ...stripe.disputes().map(({ payment_intent, amount, balance_transactions: [taken, ...returned] }) => ({
      payment_intent,
      // A movement in another currency is compared with the first one.
      amount: taken ? amount - (amount * total(returned.map((one) => one.amount))) / -taken.amount : 0,
    })),
  ]
  for (const { payment_intent: id, amount } of parts) amounts.set(id, (amounts.get(id) ?? 0) + amount)
  return amounts
}

const isRecorded = ({ transactions, invoicePayments }: Records, id: string) =>
  (transactions.has(id) && !isUndelivered(transactions.get(id))) || invoicePayments.has(id)

function recordedAmount({ transactions, invoicePayments }: Records, id: string): number {
  const transfer = transactions.get(id)
  if (transfer) return getGrossMinor(parseDumpedTransaction(transfer))
  const payment = invoicePayments.get(id)
  return payment ? getPaidAmount(parseDumpedInvoicePayment(payment)).minor : 0
}

const getGrossMinor = ({ amount, fees, sourceCurrency }: Transaction) =>
  toMinor(amount, sourceCurrency) + toMinor(fees, sourceCurrency)
