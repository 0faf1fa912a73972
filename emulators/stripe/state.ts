import { randomBytes } from 'node:crypto'
import type { Clock } from '../emulator.ts'
import type { Outcome, SlowRefunds } from './cards.ts'
import type { StripeError } from './result.ts'

// The objects that Stripe answers with. Field names are Stripe's; times are in seconds, amounts in minor units.

export interface PaymentIntent {
  id: string
  object: 'payment_intent'
  allowed_payment_method_types: string[] | null
  amount: number
  amount_capturable: number
  amount_received: number
  automatic_payment_methods: { enabled: boolean; allow_redirects: 'always' | 'never' } | null
  canceled_at: number | null
  cancellation_reason: string | null
  capture_method: string
  client_secret: string
  confirmation_method: 'automatic'
  created: number
  currency: string
  customer: string | null
  description: string | null
  last_payment_error: StripeError | null
  latest_charge: string | null
  livemode: false
  metadata: Record<string, string>
  next_action: NextAction | null
  payment_method: string | null
  /** Only what was asked for. */
  payment_method_options: { card: { require_cvc_recollection: boolean } } | null
  payment_method_types: string[]
  processing: null
  receipt_email: string | null
  /** That of its charge, open or closed. */
  review: string | null
  /** With which the card is saved for the customer once it has paid. */
  setup_future_usage: FutureUsage | null
  shipping: null
  source: null
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'canceled' | 'succeeded'
}

export type FutureUsage = 'on_session' | 'off_session'

export type NextAction =
  | { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string | null } }
  | {
      type: 'use_stripe_sdk'
      use_stripe_sdk: { type: 'three_d_secure_redirect'; source: string; stripe_js: string }
    }

export interface PaymentMethod {
  id: string
  object: 'payment_method'
  type: 'card'
  /** Whether its customer may be shown it again; of one from an older dump nothing is said. */
  allow_redisplay: AllowRedisplay
  billing_details: BillingDetails
  card: {
    brand: string
    country: string | null
    exp_month: number
    exp_year: number
    funding: string
    last4: string
    checks: { cvc_check: string | null }
  }
  created: number
  customer: string | null
  livemode: false
  metadata: Record<string, string>
}

export type AllowRedisplay = 'always' | 'limited' | 'unspecified'

export interface BillingDetails {
  name: string | null
  email: string | null
  phone: string | null
  address: Record<'city' | 'country' | 'line1' | 'line2' | 'postal_code' | 'state', string | null>
}

export interface Charge {
  id: string
  object: 'charge'
  amount: number
  amount_captured: number
  amount_refunded: number
  /** Null of one that failed. */
  balance_transaction: string | null
  billing_details: BillingDetails
  captured: boolean
  created: number
  currency: string
  customer: null
  description: string | null
  disputed: boolean
  failure_code: string | null
  failure_message: string | null
  livemode: false
  metadata: Record<string, string>
  outcome: { network_status: string; type: string; reason: string | null; seller_message: string }
  paid: boolean
  payment_intent: string
  payment_method: string
  payment_method_details: { type: 'card'; card: Omit<PaymentMethod['card'], 'checks'> }
  receipt_email: string | null
  refunded: boolean
  review: string | null
  status: 'succeeded' | 'failed'
}

export interface BalanceTransaction {
  id: string
  object: 'balance_transaction'
  amount: number
  available_on: number
  created: number
  currency: string
  description: null
  exchange_rate: number | null
  fee: number
  fee_details: {
    amount: number
    application: null
    currency: string
    description: string
    type: 'stripe_fee'
  }[]
  net: number
  reporting_category: string
  source: string
  status: 'pending'
  type: 'charge' | 'refund' | 'refund_failure' | 'adjustment'
}

export interface Refund {
  id: string
  object: 'refund'
  amount: number
  /** Null while it is pending. */
  balance_transaction: string | null
  charge: string
  created: number
  currency: string
  /** Only there once it has failed. */
  failure_reason?: string
  metadata: Record<string, string>
  payment_intent: string
  /** Only there while it is pending. */
  pending_reason?: string
  reason: string | null
  receipt_number: null
  status: 'pending' | 'succeeded' | 'failed'
}

export interface Dispute {
  id: string
  object: 'dispute'
  amount: number
  balance_transactions: BalanceTransaction[]
  charge: string
  created: number
  currency: string
  evidence: { uncategorized_text: string | null }
  evidence_details: { due_by: number; has_evidence: boolean; past_due: false; submission_count: number }
  is_charge_refundable: boolean
  livemode: false
  metadata: Record<string, string>
  payment_intent: string
  reason: 'fraudulent'
  status:
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
}

export interface EarlyFraudWarning {
  id: string
  object: 'radar.early_fraud_warning'
  actionable: boolean
  charge: string
  created: number
  fraud_type: 'unauthorized_use_of_card'
  livemode: false
  payment_intent: string
}

export interface Review {
  id: string
  object: 'review'
  billing_zip: null
  charge: string
  closed_reason: 'approved' | 'refunded' | 'refunded_as_fraud' | 'disputed' | null
  created: number
  ip_address: null
  ip_address_location: null
  livemode: false
  open: boolean
  opened_reason: 'rule'
  payment_intent: string
  reason: 'rule' | 'approved' | 'refunded' | 'refunded_as_fraud' | 'disputed'
  session: null
}

export interface Customer {
  id: string
  object: 'customer'
  created: number
  email: string | null
  livemode: false
  metadata: Record<string, string>
  name: string | null
  /** Every customer of the emulator has one, so that a test can move the time of each person by itself. */
  test_clock: string
}

export interface TestClock {
  id: string
  object: 'test_helpers.test_clock'
  created: number
  deletes_after: number
  frozen_time: number
  livemode: false
  name: string | null
  status: 'ready'
}

export interface Product {
  id: string
  object: 'product'
  active: boolean
  created: number
  description: string | null
  livemode: false
  metadata: Record<string, string>
  name: string
}

export interface Price {
  id: string
  object: 'price'
  active: boolean
  billing_scheme: 'per_unit'
  created: number
  currency: string
  livemode: false
  lookup_key: string | null
  metadata: Record<string, string>
  nickname: null
  product: string
  recurring: { interval: 'month'; interval_count: number; meter: null; usage_type: 'licensed' }
  tax_behavior: 'unspecified'
  type: 'recurring'
  unit_amount: number
  unit_amount_decimal: string
}

/** What a customer's card is saved with, for charges that come later. */
export interface SetupIntent {
  id: string
  object: 'setup_intent'
  client_secret: string
  created: number
  customer: string
  last_setup_error: StripeError | null
  livemode: false
  metadata: Record<string, string>
  payment_method: string | null
  payment_method_types: ['card']
  status: 'requires_payment_method' | 'succeeded' | 'canceled'
  usage: 'off_session'
}

/** `setup` saves a card and charges nothing: such a session has no amounts. */
export interface CheckoutSession {
  id: string
  object: 'checkout.session'
  amount_subtotal: number | null
  amount_total: number | null
  cancel_url: string | null
  client_reference_id: string | null
  created: number
  currency: string
  customer: string
  expires_at: number
  invoice: string | null
  livemode: false
  locale: string | null
  metadata: Record<string, string>
  mode: 'subscription' | 'setup'
  payment_intent: null
  payment_method_types: ['card']
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  setup_intent: string | null
  status: 'open' | 'complete' | 'expired'
  subscription: string | null
  success_url: string
  url: string | null
}

export interface SubscriptionItem {
  id: string
  object: 'subscription_item'
  created: number
  current_period_end: number
  current_period_start: number
  metadata: Record<string, string>
  price: Price
  quantity: 1
  subscription: string
}

export interface Subscription {
  id: string
  object: 'subscription'
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: {
    comment: null
    feedback: null
    reason: 'cancellation_requested' | 'payment_failed' | null
  }
  collection_method: 'charge_automatically'
  created: number
  currency: string
  customer: string
  default_payment_method: string | null
  ended_at: number | null
  items: { object: 'list'; data: [SubscriptionItem]; has_more: false; url: string }
  latest_invoice: string | null
  livemode: false
  metadata: Record<string, string>
  start_date: number
  /** Nothing here has a trial, so that none is ever `trialing` or `paused`. */
  status: 'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'unpaid' | 'canceled'
  test_clock: string
}

export interface Invoice {
  id: string
  object: 'invoice'
  amount_due: number
  amount_paid: number
  amount_remaining: number
  attempt_count: number
  attempted: boolean
  billing_reason: 'subscription_create' | 'subscription_cycle'
  collection_method: 'charge_automatically'
  created: number
  currency: string
  customer: string
  livemode: false
  metadata: Record<string, string>
  next_payment_attempt: number | null
  parent: {
    quote_details: null
    subscription_details: { metadata: Record<string, string>; subscription: string }
    type: 'subscription_details'
  }
  period_end: number
  period_start: number
  status: 'open' | 'paid' | 'void' | 'uncollectible'
  total: number
}

export interface InvoicePayment {
  id: string
  object: 'invoice_payment'
  amount_paid: number | null
  amount_requested: number
  created: number
  currency: string
  invoice: string
  is_default: true
  livemode: false
  payment: { type: 'payment_intent'; payment_intent: string }
  status: 'open' | 'paid'
  status_transitions: { canceled_at: null; paid_at: number | null }
}

/** What a checkout session for a plan holds besides what its object shows. */
export interface CheckoutSecrets {
  readonly price: string
  readonly subscriptionMetadata: Record<string, string>
  /** The payment of its first invoice; null until somebody tries to pay. */
  paymentIntent: string | null
  /** Begun with that payment. */
  subscription: string | null
}

export type EventObject =
  | PaymentIntent
  | PaymentMethod
  | Charge
  | Refund
  | Dispute
  | EarlyFraudWarning
  | Review
  | Customer
  | CheckoutSession
  | SetupIntent
  | Subscription
  | Invoice

export interface StripeEvent {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: EventObject }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

/** Where events go. Its address is that of the functions, which is known only while they run. */
export interface WebhookEndpoint {
  id: string
  object: 'webhook_endpoint'
  api_version: string | null
  created: number
  enabled_events: string[]
  livemode: false
  status: 'enabled' | 'disabled'
}

export type Preference = 'on' | 'off'

interface OfferedMethod {
  available: boolean
  display_preference: { preference: Preference; value: Preference }
}

/** Which ways to pay are offered; the emulator knows a few of Stripe's. */
export interface PaymentMethodConfiguration {
  id: string
  object: 'payment_method_configuration'
  active: boolean
  apple_pay: OfferedMethod
  card: OfferedMethod
  created: number
  google_pay: OfferedMethod
  is_default: boolean
  link: OfferedMethod
  livemode: false
  name: string
  sepa_debit: OfferedMethod
}

/** What a page may do for the customer of a session, and for how long. It is known by its secret: it has no id. */
export interface CustomerSession {
  object: 'customer_session'
  client_secret: string
  components: {
    buy_button: { enabled: false }
    payment_element: { enabled: boolean; features: PaymentElementFeatures | null }
    pricing_table: { enabled: false }
  }
  created: number
  customer: string
  customer_account: null
  expires_at: number
  livemode: false
}

export type Feature = 'enabled' | 'disabled'

export interface PaymentElementFeatures {
  payment_method_allow_redisplay_filters: AllowRedisplay[]
  payment_method_redisplay: Feature
  payment_method_redisplay_limit: number
  payment_method_remove: Feature
  payment_method_save: Feature
  payment_method_save_usage: FutureUsage | null
}

/** A card's security code that was typed again, for one payment. */
export interface Token {
  id: string
  object: 'token'
  created: number
  livemode: false
  type: 'cvc_update'
  used: boolean
}

type WalletStatus = { status: 'active' | 'inactive' }

/** A domain on which Elements may show wallets. */
export interface PaymentMethodDomain {
  id: string
  object: 'payment_method_domain'
  amazon_pay: WalletStatus
  apple_pay: WalletStatus
  created: number
  domain_name: string
  enabled: boolean
  google_pay: WalletStatus
  klarna: WalletStatus
  link: WalletStatus
  livemode: false
  paypal: WalletStatus
}

/** A 3-D Secure challenge; its id is what the bank's page is addressed with. */
export interface Authentication {
  id: string
  paymentIntent: string
  paymentMethod: string
  /** What the issuer answers once the cardholder is known. */
  afterwards: Outcome
  returnUrl: string | null
}

/** A payment that the card networks still work on. */
export interface Processing {
  paymentMethod: string
  outcome: Outcome
}

/** An answer to keep: what was sent, byte for byte. */
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

/** Everything that the emulator remembers. Insertion order is order of creation. */
export interface State {
  paymentIntents: Map<string, PaymentIntent>
  paymentMethods: Map<string, PaymentMethod>
  charges: Map<string, Charge>
  refunds: Map<string, Refund>
  balanceTransactions: Map<string, BalanceTransaction>
  disputes: Map<string, Dispute>
  fraudWarnings: Map<string, EarlyFraudWarning>
  reviews: Map<string, Review>
  /** By the charge's id: the charges whose refunds are not decided at once. */
  slowRefunds: Map<string, SlowRefunds>
  events: Map<string, StripeEvent>
  authentications: Map<string, Authentication>
  /** By the intent's id. */
  processing: Map<string, Processing>
  idempotency: Map<string, IdempotencyRecord>
  customers: Map<string, Customer>
  testClocks: Map<string, TestClock>
  /** By the clock's id: how many seconds it is ahead of the sandbox's own. */
  aheadBy: Map<string, number>
  products: Map<string, Product>
  prices: Map<string, Price>
  sessions: Map<string, CheckoutSession>
  /** By the session's id. */
  checkouts: Map<string, CheckoutSecrets>
  setupIntents: Map<string, SetupIntent>
  subscriptions: Map<string, Subscription>
  invoices: Map<string, Invoice>
  invoicePayments: Map<string, InvoicePayment>
  webhookEndpoints: Map<string, WebhookEndpoint>
  paymentMethodConfigurations: Map<string, PaymentMethodConfiguration>
  paymentMethodDomains: Map<string, PaymentMethodDomain>
  /** By their secret. */
  customerSessions: Map<string, CustomerSession>
  /** By the key that the frame of a page has got for a customer session: the session's secret. */
  ephemeralKeys: Map<string, string>
  tokens: Map<string, Token>
  /** By the payment method's id: what its issuer says to a later payment. */
  savedCards: Map<string, Outcome>
}

/** What a subscription becomes when its renewal was refused for the last time. */
export type AfterRetries = 'cancel' | 'unpaid'

/** One API call: who makes it, and what it may do. */
export interface Call {
  readonly state: State
  readonly clock: Clock
  /** A publishable key sees and does less than the secret one. */
  readonly publishable: boolean
  /** The customer session whose key the caller has; only the frame of a page has one. */
  readonly customerSession: CustomerSession | null
  readonly publicOrigin: string
  /** Null as long as there is nobody to deliver events to. */
  readonly webhookUrl: string | null
  /** While the networks are slow, a payment stays `processing` until it is finished. */
  readonly networksAreSlow: boolean
  readonly afterRetries: AfterRetries
  /** Records an event and has it delivered. */
  readonly emit: (type: string, object: EventObject) => void
}

export const seconds = (clock: Clock) => Math.floor(clock.now() / 1000)

export const newId = (prefix: string) => `${prefix}_${randomText(24)}`

export function randomText(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')
}
