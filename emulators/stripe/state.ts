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

/** A 3-D Secure challenge; its ID is in the URL of the bank's page. */
export interface Authentication {
  id: string
  paymentIntent: string
  paymentMethod: string
  /** The issuer's response after authentication. */
  afterwards: CardOutcome
  returnUrl: string | null
}

/** Hidden fields of a checkout session. */
export interface CheckoutSessionDetails {
  readonly price: string
  readonly subscriptionMetadata: Record<string, string>
  /** PaymentIntent ID of the first invoice; null until the customer tries to pay. */
  paymentIntent: string | null
  subscription: string | null
}

/** A stored response, byte for byte. */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/** A stored call with an idempotency key. */
export interface IdempotencyRecord {
  readonly endpoint: string
  readonly parameters: string
  readonly requestId: string
  readonly expiresAt: number
  readonly answer: StoredResponse
}

/** When the plans and settings of the account were created, in seconds. */
const ACCOUNT_MADE_AT = Date.UTC(2026, 0, 1) / 1000

/** The emulator's whole state. Objects are stored by ID in the order of their creation. */
export type StripeState = ReturnType<typeof createEmptyStripeState>

/** Creates the state of a new account with its plans and settings. */
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
  /** Checkout session ID → its hidden fields. */
  checkouts: new Map<string, CheckoutSessionDetails>(),
  /** PaymentIntent ID → the payment that the card networks still process. */
  processing: new Map<string, { paymentMethod: string; outcome: CardOutcome }>(),
  /** Charge ID → how its refunds are delayed. */
  slowRefunds: new Map<string, SlowRefundOutcome>(),
  /** Payment method ID → the issuer's answer to a later payment. */
  savedCards: new Map<string, CardOutcome>(),
  /** Test clock ID → seconds ahead of the emulator's clock. */
  aheadBy: new Map<string, number>(),
  deletedCustomers: new Map<string, { id: string; object: string; deleted: boolean }>(),
  /** Client secret → customer session. */
  customerSessions: new Map<string, CustomerSession>(),
  /** Key of a page's frame → client secret of its customer session. */
  ephemeralKeys: new Map<string, string>(),
  idempotency: new Map<string, IdempotencyRecord>(),
})

function mapById<T extends { id: string }>(objects: readonly T[]) {
  return new Map(objects.map((object) => [object.id, { ...object }]))
}

/** The state of a subscription after the last retry of a renewal fails. */
export type FailedRenewalOutcome = 'cancel' | 'unpaid'

/** One API call and the dependencies of its endpoint. */
export interface Call {
  readonly state: StripeState
  readonly clock: Clock
  /** Whether the caller has a publishable key, which permits fewer calls than the secret key. */
  readonly publishable: boolean
  /** The customer session of the caller's key; only the frame of a page has one. */
  readonly customerSession: CustomerSession | null
  readonly publicOrigin: string
  /** Webhook URL; null without an endpoint. */
  readonly webhookUrl: string | null
  /** Whether confirmed payments stay `processing` until a test finishes them. */
  readonly networksAreSlow: boolean
  /** Whether refunds wait for money on the account's balance. */
  readonly isBalanceEmpty: boolean
  readonly afterRetries: FailedRenewalOutcome
  /** Records an event and sends it to the webhook endpoint. */
  readonly emit: (type: string, object: object) => void
}

/** Returns the URL of a hosted page. As at Stripe, it has its own origin: the machine's other loopback name. */
export function buildHostedUrl({ publicOrigin }: Call, path: string): string {
  const url = new URL(`/sandbox/stripe/${path}`, publicOrigin)
  url.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  return url.href
}

export const getUnixSeconds = (clock: Clock) => Math.floor(clock.now() / 1000)
