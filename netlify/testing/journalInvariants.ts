import * as v from 'valibot'
import { expect } from 'vitest'
import { type Balances, getBalance, listEntries, sumEntries } from '../../domain/journal/balances.ts'
import { type JournalDocument, journalSchema } from '../../domain/journal/entry.ts'
import { NOTHING_TAKEN } from '../../domain/journal/takenBack.ts'
import type { DeliveryOrder } from '../../domain/payouts/deliveryOrder.ts'
import { parseDumpedInvoicePayment } from './dumpedRecords.ts'
import type { ProviderPart, Records } from './invariants.ts'

type StripeData = ProviderPart<'paymentIntents' | 'charges' | 'balanceTransactions' | 'refunds' | 'disputes'>

const PAYERS = 'liabilities:payers'
const ENDED = ['delivered', 'failed', 'canceled', 'paidBack']

const isSent = ({ state, sentAt }: DeliveryOrder) => sentAt !== null && !ENDED.includes(state)

const parseJournal = ({ journal }: Records): readonly JournalDocument[] =>
  [...journal].map(([id, stored]) => {
    const document = v.parse(journalSchema, stored)
    expect(id.startsWith(`${document.about}_`), `${id} is about ${document.about}`).toBe(true)
    return document
  })

const total = (amounts: Iterable<number>) => [...amounts].reduce((sum, amount) => sum + amount, 0)

/** Derives the balances from records and services, not from the journal's rules. */
export function checkJournalInvariants(records: Records, stripe: StripeData): void {
  const documents = parseJournal(records)
  for (const [currency, sums] of sumEntries(listEntries(documents)))
    expect(total(sums.values()), `the sum of the journal in ${currency}`).toBe(0)
  const byPayment = Map.groupBy(documents, ({ about }) => about)
  const intents = new Map(stripe.paymentIntents().map((intent) => [intent.id, intent]))
  for (const { id, metadata } of intents.values()) {
    if (metadata.kind === undefined) continue
    const isRecorded = records.transactions.has(id) || records.invoicePayments.has(id)
    const isKnown = isRecorded || records.refunds.has(id) || records.journal.has(`${id}_kept`)
    expect(records.journal.has(`${id}_received`), `the charge ${id} is in the journal`).toBe(isKnown)
  }
  const booked = new Map(stripe.balanceTransactions().map((one) => [one.source, one]))
  for (const { id: source, payment_intent: id, paid } of stripe.charges()) {
    const received = records.journal.get(`${id}_received`)
    if (!paid || !received) continue
    const { net = 0, currency = '' } = booked.get(source) ?? {}
    const balances = sumEntries(v.parse(journalSchema, received).entries)
    const balance = getBalance(balances, currency.toUpperCase(), 'assets:stripe')
    expect(balance, `our balance at Stripe after the charge ${id}`).toBe(net)
  }
  for (const [id, own] of byPayment) {
    const balances = sumEntries(listEntries(own))
    for (const [currency, sums] of balances)
      expect(0 - (sums.get(PAYERS) ?? 0), `the claim of ${id} in ${currency}`).toBeGreaterThanOrEqual(0)
    const intent = intents.get(id)
    if (intent?.metadata.kind === undefined) continue
    const currency = intent.currency.toUpperCase()
    checkRecords(records, id, balances, { minor: intent.amount_received, currency })
  }
}

function checkRecords(
  records: Records,
  id: string,
  balances: Balances,
  { minor: gross, currency }: { readonly minor: number; readonly currency: string },
) {
  const debt = records.refunds.get(id)
  const order = records.deliveries.get(id)
  const invoicePayment = records.invoicePayments.get(id)
  const taken = debt?.takenBack ?? records.reversals.get(id) ?? NOTHING_TAKEN
  const back = taken.refunded + taken.lost
  const of = (account: Parameters<typeof getBalance>[2]) => getBalance(balances, currency, account)
  // Not `-`, which makes -0.
  const credit = (account: Parameters<typeof of>[0]) => 0 - of(account)
  const isDelivered = order?.state === 'delivered'
  const isKept = !debt && records.journal.has(`${id}_kept`)
  const isSettled = isDelivered || invoicePayment !== undefined || isKept || debt?.status === 'settled'
  const claim = isSettled ? 0 : debt?.takenBack ? gross - back : gross
  expect(credit(PAYERS), `the claim of ${id}`).toBe(claim)
  if (debt?.status === 'done') expect(claim, `the claim of ${id}, whose debt is done`).toBe(0)
  expect(of('assets:disputes'), `what banks hold of ${id}`).toBe(taken.open)
  const returned = records.supplierNotices.get(id)?.isOwed === false ? gross : 0
  // A settled debt was returned by our bank and by what was taken back before.
  const lost =
    debt?.status === 'settled'
      ? back + getSettledAmount(records, id) - gross
      : (debt?.takenBack ? 0 : back) - returned
  expect(of('expenses:reversals'), `what was taken back of ${id}`).toBe(lost)
  expect(credit('revenues:fees'), `the fee of ${id}`).toBe(isDelivered ? order.fee.minor : 0)
  const invoiced = invoicePayment ? parseDumpedInvoicePayment(invoicePayment) : null
  expect(credit('liabilities:suppliers'), `what the supplier gets of ${id}`).toBe(
    invoiced ? gross - returned : 0,
  )
  if (!order) return
  const { amount, provider, deliveredAt } = order
  const inFlight = isSent(order) ? amount.minor : 0
  expect(
    getBalance(balances, amount.currency, `assets:inFlight:${provider}`),
    `the payout of ${id} that is in flight`,
  ).toBe(inFlight)
  expect(
    0 - getBalance(balances, amount.currency, `assets:float:${provider}`),
    `what has left our account at ${provider} for ${id}`,
  ).toBe(inFlight + (deliveredAt === null ? 0 : amount.minor))
  expect(getBalance(balances, amount.currency, 'expenses:latePayouts'), `what arrived late of ${id}`).toBe(
    deliveredAt === null || isDelivered ? 0 : amount.minor,
  )
}

function getSettledAmount({ journal }: Records, id: string): number {
  const settled = journal.get(`${id}_settled`)
  return settled ? (v.parse(journalSchema, settled).entries[0]?.lines[0]?.minor ?? 0) : 0
}

/**
 * `spent`: in francs, by MTN's balance. A payout in flight may be among it, and one that was given up although MTN
 * still had it (`wronglyGivenUp`), until its arrival is known.
 */
export function checkMtnBooks(records: Records, spent: number, wronglyGivenUp: ReadonlySet<string>): void {
  const balances = sumEntries(listEntries(parseJournal(records)))
  const left = -getBalance(balances, 'GNF', 'assets:float:mtn')
  const inFlight = getBalance(balances, 'GNF', 'assets:inFlight:mtn')
  expect(spent, 'what has left our account at MTN').toBeGreaterThanOrEqual(left - inFlight)
  const unknown = [...wronglyGivenUp].flatMap((id) => records.deliveries.get(id) ?? [])
  expect(spent, 'what has left our account at MTN').toBeLessThanOrEqual(
    left + total(unknown.map(({ deliveredAt, amount }) => (deliveredAt === null ? amount.minor : 0))),
  )
}

/** Every charge in the journal agrees with Stripe's balance transactions once no work is in progress. */
export function checkStripeBooks(records: Records, stripe: StripeData): void {
  const payments = new Map(
    [...stripe.charges(), ...stripe.refunds(), ...stripe.disputes()].map((one) => [
      one.id,
      one.payment_intent,
    ]),
  )
  const booked = Map.groupBy(stripe.balanceTransactions(), ({ source }) => payments.get(source) ?? '')
  for (const [id, documents] of Map.groupBy(parseJournal(records), ({ about }) => about)) {
    const balances = sumEntries(listEntries(documents))
    const movements = Map.groupBy(booked.get(id) ?? [], ({ currency }) => currency.toUpperCase())
    for (const currency of new Set([...balances.keys(), ...movements.keys()])) {
      const own = movements.get(currency) ?? []
      expect(
        {
          balance: getBalance(balances, currency, 'assets:stripe'),
          fees: getBalance(balances, currency, 'expenses:stripe'),
        },
        `the balance at Stripe of ${id} in ${currency}`,
      ).toEqual({ balance: total(own.map(({ net }) => net)), fees: total(own.map(({ fee }) => fee)) })
    }
  }
}
