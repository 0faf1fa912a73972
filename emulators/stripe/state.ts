import type { Clock } from '../emulator.ts'
import { buildPaymentMethodConfiguration, buildWebhookEndpoint, type PaymentMethodDomain } from './account.ts'
import type { CardOutcome, SlowRefundOutcome } from './cards.ts'
import {
  type BalanceTransaction,
  buildPrice,
  buildProduct,
  type buildToken,
  type Charge,
  type CheckoutSession,
  type Customer,
  type CustomerSession,
  type Dispute,
  type EarlyFraudWarning,
  type Invoice,
  type InvoicePayment,
  type PaymentIntent,
  type PaymentMethod,
  type PlanProduct,
  type Refund,
  type Review,
  type SetupIntent,
  type StripeEvent,
  type Subscription,
  type TestClock,
} from './objects.ts'

/** The ID is in the URL of the bank's page. */
export interface Authentication {
  id: string
  paymentIntent: string
  paymentMethod: string
  afterwards: CardOutcome
  returnUrl: string | null
}

export interface CheckoutSessionDetails {
  readonly price: string
  readonly subscriptionMetadata: Record<string, string>
  /** Null until the customer tries to pay. */
  paymentIntent: string | null
  subscription: string | null
}

/** Byte for byte. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

export interface IdempotencyRecord {
  readonly endpoint: string
  readonly parameters: string
  readonly requestId: string
  readonly expiresAt: number
  readonly answer: StoredResponse
}

/** In seconds. */
const ACCOUNT_MADE_AT = Date.UTC(2026, 0, 1) / 1000

/** Objects are stored by ID in the order of their creation. */
export type StripeState = ReturnType<typeof createEmptyStripeState>

export const createEmptyStripeState = (plans: readonly PlanProduct[]) => ({
  paymentIntents: new Map<string, PaymentIntent>(),
  paymentMethods: new Map<string, PaymentMethod>(),
  charges: new Map<string, Charge>(),
  refunds: new Map<string, Refund>(),
  balanceTransactions: new Map<string, BalanceTransaction>(),
  disputes: new Map<string, Dispute>(),
  fraudWarnings: new Map<string, EarlyFraudWarning>(),
  reviews: new Map<string, Review>(),
  customers: new Map<string, Customer>(),
  testClocks: new Map<string, TestClock>(),
  products: mapById(plans.map((plan) => buildProduct(ACCOUNT_MADE_AT, plan))),
  prices: mapById(plans.map((plan) => buildPrice(ACCOUNT_MADE_AT, plan))),
  sessions: new Map<string, CheckoutSession>(),
  setupIntents: new Map<string, SetupIntent>(),
  subscriptions: new Map<string, Subscription>(),
  invoices: new Map<string, Invoice>(),
  invoicePayments: new Map<string, InvoicePayment>(),
  webhookEndpoints: mapById([buildWebhookEndpoint(ACCOUNT_MADE_AT)]),
  paymentMethodConfigurations: mapById([buildPaymentMethodConfiguration(ACCOUNT_MADE_AT)]),
  paymentMethodDomains: new Map<string, PaymentMethodDomain>(),
  tokens: new Map<string, ReturnType<typeof buildToken>>(),
  events: new Map<string, StripeEvent>(),
  authentications: new Map<string, Authentication>(),
  /** By checkout session ID. */
  checkouts: new Map<string, CheckoutSessionDetails>(),
  /** By PaymentIntent ID. */
  processing: new Map<string, { paymentMethod: string; outcome: CardOutcome }>(),
  /** By charge ID. */
  slowRefunds: new Map<string, SlowRefundOutcome>(),
  /** By payment method ID: the issuer's answer to a later payment. */
  savedCards: new Map<string, CardOutcome>(),
  /** Seconds ahead of the emulator's clock, by test clock ID. */
  aheadBy: new Map<string, number>(),
  deletedCustomers: new Map<string, { id: string; object: string; deleted: boolean }>(),
  /** By client secret. */
  customerSessions: new Map<string, CustomerSession>(),
  /** Client secret of its customer session, by the key of a page's frame. */
  ephemeralKeys: new Map<string, string>(),
  idempotency: new Map<string, IdempotencyRecord>(),
})

function mapById<T extends { id: string }>(objects: readonly T[]) {
  return new Map(objects.map((object) => [object.id, { ...object }]))
}

export type FailedRenewalOutcome = 'cancel' | 'unpaid'

export interface Call {
  readonly state: StripeState
  readonly clock: Clock
  /** A publishable key permits fewer calls than the secret key. */
  readonly publishable: boolean
  /** Only the frame of a page has one. */
  readonly customerSession: CustomerSession | null
  readonly publicOrigin: string
  readonly webhookUrl: string | null
  /** Confirmed payments stay `processing` until a test finishes them. */
  readonly networksAreSlow: boolean
  /** Refunds wait for money on the account's balance. */
  readonly isBalanceEmpty: boolean
  readonly afterRetries: FailedRenewalOutcome
  readonly emit: (type: string, object: object) => void
}

/** As at Stripe, a hosted page has its own origin: the machine's other loopback name. */
export function buildHostedUrl({ publicOrigin }: Call, path: string): string {
  const url = new URL(`/sandbox/stripe/${path}`, publicOrigin)
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return url.href
}

export const getUnixSeconds = (clock: Clock) => Math.floor(clock.now() / 1000)
