import type { DocumentData } from 'firebase-admin/firestore'
import { Hono } from 'hono'
import { expect } from 'vitest'
import { visitorOf } from '../sandbox/functions.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { serve } from '../sandbox/serve.ts'
import { paidAmountOf } from '../src/domain/invoice.ts'
import { eurCents } from '../src/domain/limits.ts'
import { monthOf } from '../src/domain/month.ts'
import type { Subscription } from '../src/domain/plans.ts'
import { respond as cancelPaymentIntent } from './functions/cancel-payment-intent.ts'
import { respond as cancelSubscription } from './functions/cancel-subscription.ts'
import { respond as checkPhoneUser } from './functions/check-phone-user.ts'
import { respond as createPaymentIntent } from './functions/create-payment-intent.ts'
import { respond as createSubscription } from './functions/create-subscription.ts'
import { respond as deleteAccount } from './functions/delete-account.ts'
import { respond as lookUpInvoice } from './functions/lookup-invoice.ts'
import { respond as payInvoice } from './functions/pay-invoice.ts'
import { respond as recordTransfer } from './functions/record-transfer.ts'
import { respond as signOutEverywhere } from './functions/sign-out-everywhere.ts'
import { respond as stripeWebhook } from './functions/stripe-webhook.ts'
import { respond as sweep } from './functions/sweep.ts'
import { respond as verifySubscription } from './functions/verify-subscription.ts'
import { type Context, createContext } from './server/context.ts'
import type { PaymentRequest } from './server/createPaymentIntent.ts'
import type { LogEntry } from './server/log.ts'
import {
  type Attempt,
  type InvoiceAttempt,
  type Ledger,
  type Refund,
  readInvoicePayment,
  readTransaction,
  subscriptionOf,
  type TransferAttempt,
} from './server/records.ts'
import { readSettings } from './server/settings.ts'

export const START = Date.UTC(2026, 10, 20, 12)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

const FUNCTIONS = {
  'check-phone-user': checkPhoneUser,
  'create-payment-intent': createPaymentIntent,
  'lookup-invoice': lookUpInvoice,
  'pay-invoice': payInvoice,
  'record-transfer': recordTransfer,
  'cancel-payment-intent': cancelPaymentIntent,
  'delete-account': deleteAccount,
  'sign-out-everywhere': signOutEverywhere,
  'stripe-webhook': stripeWebhook,
  'create-subscription': createSubscription,
  'verify-subscription': verifySubscription,
  'cancel-subscription': cancelSubscription,
  sweep,
}

export type FunctionName = keyof typeof FUNCTIONS

export interface Called {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** The functions, run by the official SDKs against a sandbox of their own, with a clock that a test moves. */
export async function createWorld() {
  let time = START
  let webhooks = false
  let origin = ''
  let people = 0
  let address: string | null = null
  const clock = { now: () => time }
  const sandbox = createSandbox({
    origin: () => origin,
    functionsOrigin: () => (webhooks ? origin : null),
    clock,
  })
  const requests: string[] = []
  const app = new Hono()
  app.use((c, next) => {
    requests.push(`${c.req.method} ${c.req.path}`)
    return next()
  })
  for (const [name, respond] of Object.entries(FUNCTIONS))
    app.all(`/.netlify/functions/${name}`, (c) =>
      respond(c.req.raw, () => context, address === null ? visitorOf(c) : { ip: address }),
    )
  app.route('/', sandbox.app)
  const server = await serve(app.fetch)
  origin = server.origin

  const logged: LogEntry[] = []
  const context: Context = createContext(readSettings(sandbox.functionSettings()), {
    now: clock.now,
    log: (entry) => logged.push(entry),
  })
  const { db, stripe } = context

  const world = {
    context,
    sandbox,
    logged,
    /** Method and path of every request to the functions and to the hosted services. */
    requests,
    origin,
    now: clock.now,
    /** Moves the clock on, or back. */
    pass(ms: number) {
      time += ms
    },
    setTime(ms: number) {
      time = ms
    },
    /** Lets calls come from another address than that of their connection. */
    comeFrom(ip: string) {
      address = ip
    },
    deliverWebhooks(on: boolean) {
      webhooks = on
    },

    async ask(name: FunctionName, query: Record<string, string>, token?: string): Promise<Called> {
      const address = `${origin}/.netlify/functions/${name}?${new URLSearchParams(query)}`
      const headers = token ? { authorization: `Bearer ${token}` } : {}
      const response = await fetch(address, { headers })
      expect(response.headers.get('cache-control')).toBe('no-store')
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },

    async call(name: FunctionName, body: unknown, token?: string): Promise<Called> {
      const response = await fetch(`${origin}/.netlify/functions/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      expect(response.headers.get('cache-control')).toBe('no-store')
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },

    /** A profile as it is after sign-up, without an account: for tests that call the handlers directly. */
    async person(subscription: Partial<Subscription> = {}): Promise<string> {
      people += 1
      const uid = `person-${people}`
      const empty = { tier: null, status: null, transactionsLeft: null, startDate: null, lastReset: null }
      const dates = Object.fromEntries(
        (['startDate', 'lastReset', 'cancelAt'] as const).flatMap((field) => {
          const at = subscription[field]
          return typeof at === 'number' ? [[field, new Date(at)]] : []
        }),
      )
      await db.doc(`users/${uid}`).set({
        email: `${uid}@example.com`,
        name: 'Ada',
        phone: null,
        createdAt: new Date(time),
        subscription: { ...empty, stripeSubscriptionId: null, cancelAt: null, ...subscription, ...dates },
      })
      return uid
    },

    /** What the browser does with the client secret: pays with one of the published test cards. */
    pay: (paymentIntentId: string, card = 'pm_card_visa') =>
      stripe.paymentIntents
        .confirm(paymentIntentId, { payment_method: card, return_url: `${origin}/payment-complete` })
        .catch((error: { code?: string }) => error.code),

    /**
     * What a person does on the provider's checkout page. Answers where it leads: back to the app with the session, to
     * the bank, or nowhere when the card is refused.
     */
    async payCheckout(url: string, number = '4242424242424242'): Promise<string | null> {
      const card = new URLSearchParams({ number, expiry: '12 / 30', cvc: '123' })
      const response = await fetch(url, { method: 'POST', body: card, redirect: 'manual' })
      return response.headers.get('location')
    },

    /** Sends an event of the provider's list to the webhook, signed at `signedAt`. */
    async deliver(event: object, { signedAt = time, secret = context.webhookSecret } = {}): Promise<Called> {
      const payload = JSON.stringify(event)
      const timestamp = Math.floor(signedAt / 1000)
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
      return world.deliverRaw(payload, signature)
    },
    async deliverRaw(payload: string, signature?: string): Promise<Called> {
      const response = await fetch(`${origin}/.netlify/functions/stripe-webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
        body: payload,
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },

    /** Everything the functions have written. */
    async records() {
      const read = async (name: string) =>
        new Map((await db.collection(name).get()).docs.map((document) => [document.id, document.data()]))
      const [all, ledgers, refunds, ...others] = await Promise.all(
        ['attempts', 'ledgers', 'refunds', 'transactions', 'users', 'invoices', 'invoicePayments'].map(read),
      )
      const [transactions, users, invoices, invoicePayments] = others
      const ofKind = (kind: Attempt['kind']) =>
        new Map([...(all ?? [])].filter((entry) => entry[1].kind === kind))
      return {
        attempts: ofKind('transfer'),
        invoiceAttempts: ofKind('invoice'),
        ledgers,
        refunds,
        transactions,
        users,
        invoices,
        invoicePayments,
      } as unknown as {
        attempts: Map<string, TransferAttempt>
        invoiceAttempts: Map<string, InvoiceAttempt>
        ledgers: Map<string, Ledger>
        refunds: Map<string, Refund>
        transactions: Map<string, DocumentData>
        users: Map<string, DocumentData>
        invoices: Map<string, DocumentData>
        invoicePayments: Map<string, DocumentData>
      }
    },

    /**
     * What must hold at every step; with `quiet`, also what must hold once nothing is under way any more.
     * Answers the records, for a test that wants to say more.
     */
    async checkInvariants({ quiet = false } = {}) {
      const records = await world.records()
      const intents = new Map(sandbox.stripe.paymentIntents().map((intent) => [intent.id, intent]))
      const attempts = [...records.attempts.values()]

      for (const [id, stored] of records.transactions) {
        const intent = intents.get(id)
        const { amount, fees } = readTransaction(stored)
        expect([intent?.status, intent?.amount_received]).toEqual([
          'succeeded',
          Math.round((amount + fees) * 100),
        ])
        expect(records.refunds.has(id)).toBe(false)
      }
      const paidInvoices = new Map<string, number>()
      for (const [id, stored] of records.invoicePayments) {
        const intent = intents.get(id)
        const payment = readInvoicePayment(stored)
        const { minor, currency } = paidAmountOf(payment)
        expect([intent?.status, intent?.amount_received, intent?.currency]).toEqual([
          'succeeded',
          minor,
          currency.toLowerCase(),
        ])
        expect(records.refunds.has(id)).toBe(false)
        const name = `${payment.supplier}_${payment.reference}`
        paidInvoices.set(name, (paidInvoices.get(name) ?? 0) + 1)
      }
      for (const [name, invoice] of records.invoices) {
        const times = paidInvoices.get(name) ?? 0
        expect(times).toBeLessThanOrEqual(1)
        if (times === 1) expect(invoice).toMatchObject({ status: 'paid', heldBy: null })
        if (invoice.heldBy) expect(records.invoiceAttempts.get(invoice.heldBy)?.status).toBe('reserved')
      }
      const paidBack = new Map<string | null, number>()
      for (const { payment_intent: id, amount } of sandbox.stripe.refunds())
        paidBack.set(id, (paidBack.get(id) ?? 0) + amount)
      for (const [id, amount] of paidBack) {
        expect(amount).toBe(intents.get(id ?? '')?.amount_received)
        expect(records.refunds.has(id ?? '')).toBe(true)
      }
      // The first payment of a plan has one of the provider's own.
      const own = [...intents.values()].filter(({ metadata }) => metadata.kind !== undefined)
      const ofAttempts = own.map(({ metadata }) => metadata.attemptKey)
      expect(new Set(ofAttempts).size).toBe(ofAttempts.length)

      for (const { uid, month, ...ledger } of records.ledgers.values()) {
        const mine = attempts.filter((attempt) => attempt.uid === uid && attempt.month === month)
        const sum = (status: Attempt['status']) =>
          mine
            .filter((attempt) => attempt.status === status)
            .reduce((total, { transfer }) => total + eurCents(transfer.gross), 0)
        const slots = mine.filter(({ status, slotPeriod }) => status === 'reserved' && slotPeriod !== null)
        expect(ledger).toEqual({
          recordedCents: sum('recorded'),
          reservedCents: sum('reserved'),
          reservedSlots: slots.length,
        })
        expect(ledger.recordedCents + ledger.reservedCents).toBeLessThanOrEqual(100_000)
        const recordedInMonth = [...records.transactions.values()]
          .map(readTransaction)
          .filter(({ senderId, createdAt }) => senderId === uid && monthOf(createdAt) === month)
          .reduce((total, { amount, fees, sourceCurrency }) => {
            const gross = { minor: Math.round((amount + fees) * 100), currency: sourceCurrency }
            return total + eurCents(gross)
          }, 0)
        expect(recordedInMonth).toBe(ledger.recordedCents)
      }
      for (const { transfer } of attempts) {
        const { gross, fee, net } = transfer.quote
        expect(net.minor + fee.minor).toBe(gross.minor)
      }
      for (const profile of records.users.values())
        expect(subscriptionOf(profile).transactionsLeft ?? 0).toBeGreaterThanOrEqual(0)

      if (quiet) {
        const ofInvoices = [...records.invoiceAttempts.values()]
        expect([...attempts, ...ofInvoices].filter(({ status }) => status === 'reserved')).toEqual([])
        for (const { id, status } of own) {
          expect(['succeeded', 'canceled']).toContain(status)
          const { transactions, invoicePayments } = records
          const ends = [transactions, invoicePayments, paidBack].filter((ended) => ended.has(id)).length
          expect(ends).toBe(status === 'succeeded' ? 1 : 0)
        }
        for (const { status } of records.refunds.values()) expect(status).toBe('done')
      }
      expect(sandbox.unknownCalls).toEqual([])
      return records
    },

    reset() {
      sandbox.reset()
      logged.length = 0
      requests.length = 0
      time = START
      webhooks = false
      address = null
    },
    async close() {
      await db.terminate()
      await server.close()
    },
  }
  return world
}

export type World = Awaited<ReturnType<typeof createWorld>>

/** A request that keeps every rule: 100 EUR to Guinea without a plan, for a price of 3 EUR. */
export function requestOf(senderId: string, changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    attemptId: crypto.randomUUID(),
    amount: 10_000,
    currency: 'eur',
    description: 'Transfer to +224*******00',
    senderId,
    recipientPhone: '+224 620 00 00 00',
    receivingMethod: 'orange_money',
    couponCode: null,
    expected: { fee: 300, converted: 1_028_200 },
    ...changes,
  }
}
