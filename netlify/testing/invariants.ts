import type { DocumentData } from 'firebase-admin/firestore'
import { expect } from 'vitest'
import type { DeliveryOrder } from '../../domain/delivery.ts'
import { DAY } from '../../domain/duration.ts'
import { paidAmountOf } from '../../domain/invoice.ts'
import { eurCents } from '../../domain/limits.ts'
import { monthOf } from '../../domain/month.ts'
import type { Transaction } from '../../domain/transaction.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Restriction } from '../server/payments/mayPay.ts'
import type {
  CapUse,
  InvoiceAttempt,
  InvoiceClaim,
  Refund,
  TransferAttempt,
} from '../server/platform/documents.ts'
import { type Ledger, subscriptionOf } from '../server/platform/records.ts'
import { parseInvoicePayment, parseTransaction } from './dumped.ts'

/** Everything the functions have written, by document id. */
export interface Records {
  /** Of transfers. */
  readonly attempts: ReadonlyMap<string, TransferAttempt>
  readonly invoiceAttempts: ReadonlyMap<string, InvoiceAttempt>
  readonly ledgers: ReadonlyMap<string, Ledger>
  readonly capUses: ReadonlyMap<string, CapUse>
  readonly refunds: ReadonlyMap<string, Refund>
  readonly transactions: ReadonlyMap<string, DocumentData>
  readonly users: ReadonlyMap<string, DocumentData>
  readonly invoices: ReadonlyMap<string, DocumentData>
  readonly invoiceClaims: ReadonlyMap<string, InvoiceClaim>
  readonly invoicePayments: ReadonlyMap<string, DocumentData>
  readonly restrictions: ReadonlyMap<string, Restriction>
  readonly deliveries: ReadonlyMap<string, DeliveryOrder>
}

/** A request to the provider that moves money. */
export interface ProviderRequest {
  readonly path: string
  readonly body: string
  readonly key: string | null
}

type Provider = Pick<
  Sandbox['stripe'],
  'paymentIntents' | 'refunds' | 'disputes' | 'customers' | 'paymentMethods'
>
/** Part of what the provider of cards has. */
export type ProviderOf<Name extends keyof Provider> = Pick<Provider, Name>
type Intent = ReturnType<Provider['paymentIntents']>[number]

export const CAP = 100_000
/** Minor units of the target for one of the source; fractions as [numerator, denominator]. */
const RATES: Readonly<Record<string, readonly [number, number]>> = {
  'EUR EUR': [1, 1],
  'EUR CAD': [162, 100],
  'EUR GNF': [106, 1],
  'CAD EUR': [6, 10],
  'CAD CAD': [1, 1],
  'CAD GNF': [6403, 100],
}
const MINOR_UNITS: Readonly<Record<string, number>> = { EUR: 100, CAD: 100, GNF: 1 }

const halfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator))
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
const minorOf = (major: number, currency: string) => Math.round(major * (MINOR_UNITS[currency] ?? 0))

/**
 * What must hold at every step, whatever failed.
 */
export function checkAlways(records: Records, stripe: Provider, requests: readonly ProviderRequest[]): void {
  const intents = new Map(stripe.paymentIntents().map((intent) => [intent.id, intent]))
  checkTransactions(records, intents)
  checkInvoices(records, intents)
  for (const [id, amount] of backAmounts(stripe))
    expect(amount, `what went back of ${id}`).toBeLessThanOrEqual(intents.get(id)?.amount_received ?? 0)
  for (const { payment_intent: id, status, metadata } of stripe.refunds()) {
    if (metadata.byHand) continue
    expect(records.refunds.has(id), `${id} is refunded without being owed`).toBe(true)
    expect(isRecorded(records, id), `${id} is refunded and recorded`).toBe(false)
    if (status === 'pending')
      expect(records.refunds.get(id)?.status, `the debt of ${id}, whose refund is pending`).toBe('due')
  }
  const attemptKeys = ownIntents(stripe).map(({ metadata }) => metadata.attemptKey)
  expect(new Set(attemptKeys).size, 'one PaymentIntent for an attempt').toBe(attemptKeys.length)
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
    expect(subscriptionOf(profile).transactionsLeft ?? 0).toBeGreaterThanOrEqual(0)
  checkKeys(requests)
}

/** What must hold besides once nothing is under way any more. */
export function checkQuiet(records: Records, stripe: Provider): void {
  const intents = ownIntents(stripe)
  const back = backAmounts(stripe)
  const attempts = [...records.attempts.values(), ...records.invoiceAttempts.values()]
  const open = attempts.filter(({ status }) => status === 'reserved')
  expect(open, 'attempts still open').toEqual([])
  // Of one that is not written down nobody has the secret.
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
    const mine = intents.filter((intent) => intent.currency === currency)
    // What is taken back by hand or by the bank after it was recorded is a loss, and no refund of the product's.
    const ends = mine.map(({ id, amount_received: received }) => {
      if (isRecorded(records, id)) return recordedAmount(records, id)
      // Of a part that came back to us, as a refund by hand that failed, nobody decides before the bank has.
      return contested.has(id) ? received : (back.get(id) ?? 0)
    })
    expect(total(mine.map((intent) => intent.amount_received)), `received in ${currency}`).toBe(total(ends))
  }
  for (const [id, { status }] of records.refunds)
    expect(status, `the debt of ${id}`).toBe(status === 'disputed' && contested.has(id) ? 'disputed' : 'done')
  for (const { status } of stripe.refunds()) expect(status, 'a refund at the provider').not.toBe('pending')
}

function checkTransactions({ transactions, attempts, refunds }: Records, intents: Map<string, Intent>) {
  for (const [id, stored] of transactions) {
    const transaction = parseTransaction(stored)
    const intent = intents.get(id)
    const promised = attempts.get(intent?.metadata.attemptKey ?? '')
    expect(intent?.status, `status of the recorded payment ${id}`).toBe('succeeded')
    expect(grossOf(transaction), `gross of ${id}`).toBe(intent?.amount_received)
    expect(refunds.has(id), `${id} is owed, as its status says`).toBe(transaction.status === 'failed')
    if (promised) {
      const { transfer, uid } = promised
      expect(transaction.senderId, `sender of ${id}`).toBe(uid)
      expect(grossOf(transaction), `gross of ${id} as quoted`).toBe(transfer.quote.gross.minor)
      expect(minorOf(transaction.fees, transaction.sourceCurrency), `fee of ${id} as quoted`).toBe(
        transfer.quote.fee.minor,
      )
    }
    const { sourceCurrency: source, destinationCurrency: target } = transaction
    checkAmounts({
      gross: grossOf(transaction),
      fee: minorOf(transaction.fees, source),
      net: minorOf(transaction.amount, source),
      converted: minorOf(transaction.convertedAmount, target),
      source,
      target,
    })
  }
}

/** Nobody pays with a card that is kept for somebody else, nor as a customer that is somebody else's. */
function checkCards(stripe: Provider) {
  const owners = new Map(stripe.customers().map(({ id, metadata }) => [id, metadata.uid]))
  const keptFor = new Map(stripe.paymentMethods().map(({ id, customer }) => [id, customer]))
  for (const { id, customer, metadata, payment_method: card } of ownIntents(stripe)) {
    if (customer !== null) expect(owners.get(customer), `whose customer pays ${id}`).toBe(metadata.uid)
    const holder = keptFor.get(card ?? '') ?? null
    if (holder !== null) expect(holder, `for whom the card of ${id} is kept`).toBe(customer)
  }
}

/** Whose payments are paused begins none. */
function checkPauses({ restrictions, attempts, invoiceAttempts }: Records) {
  for (const { uid, since } of restrictions.values())
    for (const attempt of [...attempts.values(), ...invoiceAttempts.values()])
      if (attempt.uid === uid && attempt.status === 'reserved' && since !== null)
        expect(attempt.createdAt, `a payment of ${uid}, who may not pay`).toBeLessThanOrEqual(since)
}

/** An invoice is paid once, by one attempt, with what was due, whatever its supplier writes and when. */
function checkInvoices(records: Records, intents: Map<string, Intent>) {
  const paid = new Map<string, string[]>()
  for (const [id, stored] of records.invoicePayments) {
    const payment = parseInvoicePayment(stored)
    const { minor, currency } = paidAmountOf(payment)
    const intent = intents.get(id)
    expect([intent?.status, intent?.amount_received, intent?.currency], `the payment ${id}`).toEqual([
      'succeeded',
      minor,
      currency.toLowerCase(),
    ])
    const promised = records.invoiceAttempts.get(intent?.metadata.attemptKey ?? '')
    if (promised) expect(minor, `what was due when ${id} was started`).toBe(promised.invoice.amount.minor)
    expect(records.refunds.has(id), `${id} is recorded and owed`).toBe(false)
    const name = `${payment.supplier}_${payment.reference}`
    paid.set(name, [...(paid.get(name) ?? []), payment.dueDate])
  }
  // A client that begins to pay what was paid could be charged for it.
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

/** Counted from the provider alone: what was taken in a month and kept, or may still be, is within the cap. */
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
    expect(cents, `EUR cents taken or promised for ${month}`).toBeLessThanOrEqual(CAP)
}

function checkLedgers({ attempts, ledgers, transactions }: Records) {
  const recorded = [...transactions.values()]
    .map(parseTransaction)
    .filter(({ status }) => status !== 'failed')
  for (const { uid, month, ...ledger } of ledgers.values()) {
    const mine = [...attempts.values()].filter((attempt) => attempt.uid === uid && attempt.month === month)
    const held = mine.filter(({ status }) => status === 'reserved')
    const inMonth = recorded.filter(
      ({ senderId, createdAt }) => senderId === uid && monthOf(createdAt) === month,
    )
    const recordedCents = total(
      inMonth.map((transaction) =>
        eurCents({ minor: grossOf(transaction), currency: transaction.sourceCurrency }),
      ),
    )
    const reservedCents = total(held.map(({ transfer }) => eurCents(transfer.gross)))
    const reservedSlots = held.filter(({ slotPeriod }) => slotPeriod !== null).length
    const inWords = (one: Omit<Ledger, 'uid' | 'month'>) =>
      `${one.recordedCents} recorded, ${one.reservedCents} and ${one.reservedSlots} of the plan reserved`
    expect(inWords(ledger), `the ledger of ${uid} for ${month}`).toBe(
      inWords({ recordedCents, reservedCents, reservedSlots }),
    )
    expect(ledger.recordedCents + ledger.reservedCents, `the cap of ${uid} in ${month}`).toBeLessThanOrEqual(
      CAP,
    )
  }
}

/** Written from the specification and not from the code that computes them. */
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

/** The same request has the same key, whichever process sends it, and no other request has it. */
function checkKeys(requests: readonly ProviderRequest[]) {
  const keys = new Map<string, string | null>()
  for (const { path, body, key } of requests) {
    const request = `${path} ${body}`
    expect(keys.get(request) ?? key, `the idempotency key of ${request}`).toBe(key)
    expect(key, `the idempotency key of ${request}`).not.toMatch(/^stripe-node-retry/)
    keys.set(request, key)
  }
  expect(new Set(keys.values()).size, 'idempotency keys of different requests').toBe(keys.size)
}

/** Those that an attempt began. The first payment of a plan has one of the provider's own. */
const ownIntents = (stripe: Provider) =>
  stripe.paymentIntents().filter(({ metadata }) => metadata.kind !== undefined)

/**
 * What has gone back, is on its way, or is at the bank because of a dispute that is not won; a refund that failed gave nothing
 * back.
 */
function backAmounts(stripe: Provider): Map<string, number> {
  const amounts = new Map<string, number>()
  const parts = [
    ...stripe.refunds().filter(({ status }) => status !== 'failed'),
    ...stripe.disputes().filter(({ is_charge_refundable: isOurs }) => !isOurs),
  ]
  for (const { payment_intent: id, amount } of parts) amounts.set(id, (amounts.get(id) ?? 0) + amount)
  return amounts
}

/** Of a transfer that could not be paid out the record stays, and says so. */
const isRecorded = ({ transactions, invoicePayments }: Records, id: string) =>
  (transactions.has(id) && transactions.get(id)?.status !== 'failed') || invoicePayments.has(id)

/** What a record says that was paid, in minor units; nothing without a record. */
function recordedAmount({ transactions, invoicePayments }: Records, id: string): number {
  const transfer = transactions.get(id)
  if (transfer) return grossOf(parseTransaction(transfer))
  const payment = invoicePayments.get(id)
  return payment ? paidAmountOf(parseInvoicePayment(payment)).minor : 0
}

const grossOf = ({ amount, fees, sourceCurrency }: Transaction) =>
  minorOf(amount, sourceCurrency) + minorOf(fees, sourceCurrency)
