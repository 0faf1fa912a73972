import type { Clock } from '../emulator.ts'
import { newConfiguration, newWebhookEndpoint, type PaymentMethodDomain } from './account.ts'
import type { Outcome, SlowRefunds } from './cards.ts'
import {
  type BalanceTransaction,
  type Charge,
  type CheckoutSession,
  type Customer,
  type CustomerSession,
  type Dispute,
  type EarlyFraudWarning,
  type Invoice,
  type InvoicePayment,
  newPrice,
  newProduct,
  type newToken,
  type PaymentIntent,
  type PaymentMethod,
  type Plan,
  type Refund,
  type Review,
  type SetupIntent,
  type StripeEvent,
  type Subscription,
  type TestClock,
} from './objects.ts'

/** A 3-D Secure challenge; the address of the bank's page has its id. */
export interface Authentication {
  id: string
  paymentIntent: string
  paymentMethod: string
  /** The issuer's answer once the cardholder is known. */
  afterwards: Outcome
  returnUrl: string | null
}

/** What a checkout session for a plan holds besides its visible fields. */
export interface CheckoutSecrets {
  readonly price: string
  readonly subscriptionMetadata: Record<string, string>
  /** The payment of its first invoice; null until a customer tries to pay. */
  paymentIntent: string | null
  subscription: string | null
}

/** A response that is stored: the body byte for byte. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** A call that was made under an idempotency key. */
export interface IdempotencyRecord {
  readonly endpoint: string
  readonly parameters: string
  readonly requestId: string
  readonly expiresAt: number
  /** Null while the first request is still in flight. */
  readonly answer: Answer | null
}

/** When the plans and settings of the account were made, in seconds. */
const ACCOUNT_MADE_AT = Date.UTC(2026, 0, 1) / 1000

/** Everything that the emulator remembers. Objects are kept by id, in the order of their creation. */
export type State = ReturnType<typeof emptyState>

/** A new account, with the plans and the settings that its owner made. */
export const emptyState = (plans: readonly Plan[]) => ({
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
  products: mapById(plans.map((plan) => newProduct(ACCOUNT_MADE_AT, plan))),
  prices: mapById(plans.map((plan) => newPrice(ACCOUNT_MADE_AT, plan))),
  sessions: new Map<string, CheckoutSession>(),
  setupIntents: new Map<string, SetupIntent>(),
  subscriptions: new Map<string, Subscription>(),
  invoices: new Map<string, Invoice>(),
  invoicePayments: new Map<string, InvoicePayment>(),
  webhookEndpoints: mapById([newWebhookEndpoint(ACCOUNT_MADE_AT)]),
  paymentMethodConfigurations: mapById([newConfiguration(ACCOUNT_MADE_AT)]),
  paymentMethodDomains: new Map<string, PaymentMethodDomain>(),
  tokens: new Map<string, ReturnType<typeof newToken>>(),
  events: new Map<string, StripeEvent>(),
  authentications: new Map<string, Authentication>(),
  /** Checkout session ID → its hidden fields. */
  checkouts: new Map<string, CheckoutSecrets>(),
  /** PaymentIntent ID → the payment that the card networks still process. */
  processing: new Map<string, { paymentMethod: string; outcome: Outcome }>(),
  /** Charge ID → why its refunds are not decided at once. */
  slowRefunds: new Map<string, SlowRefunds>(),
  /** Payment method ID → the issuer's answer to a later payment. */
  savedCards: new Map<string, Outcome>(),
  /** Test clock ID → seconds ahead of the emulator's clock. */
  aheadBy: new Map<string, number>(),
  /** Client secret → customer session. */
  customerSessions: new Map<string, CustomerSession>(),
  /** Key that a page's frame received → client secret of its customer session. */
  ephemeralKeys: new Map<string, string>(),
  idempotency: new Map<string, IdempotencyRecord>(),
})

function mapById<T extends { id: string }>(objects: readonly T[]) {
  return new Map(objects.map((object) => [object.id, { ...object }]))
}

/** The state of a subscription after the last retry of a renewal failed. */
export type AfterRetries = 'cancel' | 'unpaid'

/** One API call, with everything that its endpoint may use. */
export interface Call {
  readonly state: State
  readonly clock: Clock
  /** A publishable key sees and does less than the secret one. */
  readonly publishable: boolean
  /** The customer session whose key the caller has; only the frame of a page has one. */
  readonly customerSession: CustomerSession | null
  readonly publicOrigin: string
  /** Null while there is no endpoint for events. */
  readonly webhookUrl: string | null
  /** While the networks are slow, a payment stays `processing` until it is finished. */
  readonly networksAreSlow: boolean
  readonly afterRetries: AfterRetries
  /** Records an event and sends it to the webhook endpoint. */
  readonly emit: (type: string, object: object) => void
}

export const seconds = (clock: Clock) => Math.floor(clock.now() / 1000)
