import { createRandomText } from '../emulator.ts'
import type { StripeError } from './refusals.ts'

// Each type is inferred from its constructor. Times are in seconds, amounts in minor units.

export const createId = (prefix: string) => `${prefix}_${createRandomText(24)}`

const unset = <T>(): T | null => null

const widen = <T>(value: T) => value

const DAY = 86_400

type Metadata = Record<string, string>

export type FutureUsage = 'on_session' | 'off_session'
export type AllowRedisplay = 'always' | 'limited' | 'unspecified'

export type NextAction =
  | { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string | null } }
  | {
      type: 'use_stripe_sdk'
      use_stripe_sdk: { type: 'three_d_secure_redirect'; source: string; stripe_js: string }
    }

export interface CardOptions {
  require_cvc_recollection?: boolean
  request_three_d_secure?: 'any' | 'automatic' | 'challenge'
}

export type PaymentIntent = ReturnType<typeof buildPaymentIntent>
export function buildPaymentIntent(created: number, amount: number, currency: string) {
  const id = createId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: unset<string[]>(),
    amount,
    amount_received: 0,
    canceled_at: unset<number>(),
    capture_method: widen<'automatic' | 'automatic_async'>('automatic_async'),
    client_secret: `${id}_secret_${createRandomText(25)}`,
    created,
    currency,
    customer: unset<string>(),
    description: unset<string>(),
    last_payment_error: unset<StripeError>(),
    latest_charge: unset<string>(),
    metadata: {} as Metadata,
    next_action: unset<NextAction>(),
    payment_method: unset<string>(),
    payment_method_options: unset<{ card: CardOptions }>(),
    payment_method_types: ['card'],
    /** Open or closed. */
    review: unset<string>(),
    /** Applies once the payment succeeds. */
    setup_future_usage: unset<FutureUsage>(),
    status: widen<'requires_payment_method' | 'requires_action' | 'processing' | 'canceled' | 'succeeded'>(
      'requires_payment_method',
    ),
  }
}

interface Card {
  brand: string
  country: string | null
  exp_month: number
  exp_year: number
  fingerprint: string
  funding: string
  last4: string
  checks: { cvc_check: string | null }
}

export type PaymentMethod = ReturnType<typeof buildPaymentMethod>
export const buildPaymentMethod = (created: number, card: Card) => ({
  id: createId('pm'),
  object: 'payment_method',
  allow_redisplay: widen<AllowRedisplay>('unspecified'),
  card,
  created,
  customer: unset<string>(),
  metadata: {} as Metadata,
  type: 'card',
})

export type Charge = ReturnType<typeof buildCharge>
/** @param declined why the issuer refused the charge */
export function buildCharge(
  created: number,
  intent: PaymentIntent,
  method: PaymentMethod,
  declined: { code: string; declineCode: string; message: string } | null,
) {
  const { checks: _, ...card } = method.card
  return {
    id: createId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: declined ? 0 : intent.amount,
    amount_refunded: 0,
    /** Null if the charge failed. */
    balance_transaction: unset<string>(),
    created,
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    metadata: { ...intent.metadata },
    outcome: {
      type: declined ? 'issuer_declined' : 'authorized',
      reason: declined?.declineCode ?? null,
    },
    paid: !declined,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card },
    refunded: false,
    review: unset<string>(),
    status: declined ? 'failed' : 'succeeded',
  }
}

export type BalanceTransaction = ReturnType<typeof buildBalanceTransaction>
export const buildBalanceTransaction = (
  created: number,
  about: {
    amount: number
    currency: string
    exchange_rate: number | null
    fee: number
    reporting_category: string
    source: string
    type: 'charge' | 'adjustment' | 'refund' | 'refund_failure'
  },
) => ({
  id: createId('txn'),
  object: 'balance_transaction',
  created,
  description: null,
  net: about.amount - about.fee,
  status: 'pending',
  ...about,
})

export type Refund = ReturnType<typeof buildRefund>
/** `pendingFor`: null if the refund succeeds at once. */
export const buildRefund = (
  created: number,
  charge: Charge,
  amount: number,
  pendingFor: 'processing' | 'insufficient_funds' | null,
) => ({
  id: createId('re'),
  object: 'refund',
  amount,
  /** Null while our balance does not suffice. */
  balance_transaction: unset<string>(),
  charge: charge.id,
  created,
  currency: charge.currency,
  failure_balance_transaction: unset<string>(),
  metadata: {} as Metadata,
  payment_intent: charge.payment_intent,
  reason: unset<string>(),
  status: widen<'pending' | 'succeeded' | 'failed'>(pendingFor ? 'pending' : 'succeeded'),
  ...widen<{ pending_reason?: string; failure_reason?: string }>(
    pendingFor ? { pending_reason: pendingFor } : {},
  ),
})

export type Dispute = ReturnType<typeof buildDispute>
export const buildDispute = (created: number, charge: Charge, amount: number, isInquiry: boolean) => ({
  id: createId('du'),
  object: 'dispute',
  amount,
  balance_transactions: [] as BalanceTransaction[],
  charge: charge.id,
  created,
  currency: charge.currency,
  evidence: { uncategorized_text: unset<string>() },
  is_charge_refundable: isInquiry,
  metadata: {} as Metadata,
  payment_intent: charge.payment_intent,
  reason: 'fraudulent',
  status: widen<`${'' | 'warning_'}${'needs_response' | 'under_review'}` | 'warning_closed' | 'won' | 'lost'>(
    isInquiry ? 'warning_needs_response' : 'needs_response',
  ),
})

export type EarlyFraudWarning = ReturnType<typeof buildFraudWarning>
export const buildFraudWarning = (created: number, charge: Charge) => ({
  id: createId('issfr'),
  object: 'radar.early_fraud_warning',
  actionable: !charge.refunded && !charge.disputed,
  charge: charge.id,
  created,
  fraud_type: 'unauthorized_use_of_card',
  payment_intent: charge.payment_intent,
})

export type ClosedReason = 'approved' | 'refunded' | 'refunded_as_fraud' | 'disputed'

export type Review = ReturnType<typeof buildReview>
export const buildReview = (created: number, charge: Charge) => ({
  id: createId('prv'),
  object: 'review',
  charge: charge.id,
  closed_reason: unset<ClosedReason>(),
  created,
  open: true,
  payment_intent: charge.payment_intent,
  reason: widen<'rule' | ClosedReason>('rule'),
})

export type TestClock = ReturnType<typeof buildTestClock>
export const buildTestClock = (created: number) => ({
  id: createId('clock'),
  object: 'test_helpers.test_clock',
  created,
  frozen_time: created,
  name: null,
  status: 'ready',
})

export type Customer = ReturnType<typeof buildCustomer>
export const buildCustomer = (created: number, testClock: string) => ({
  id: createId('cus'),
  object: 'customer',
  created,
  email: unset<string>(),
  metadata: {} as Metadata,
  name: unset<string>(),
  /** Each customer has a clock, so that tests can advance the time of a single one. */
  test_clock: testClock,
})

/** In EUR cents a month. */
export interface PlanProduct {
  readonly id: string
  readonly name: string
  readonly lookupKey: string
  readonly cents: number
}

export type Price = ReturnType<typeof buildPrice>
export const buildPrice = (created: number, { id, lookupKey, cents }: PlanProduct) => ({
  id: `price_${id}`,
  object: 'price',
  active: true,
  created,
  currency: 'eur',
  lookup_key: widen<string | null>(lookupKey),
  metadata: {} as Metadata,
  product: `prod_${id}`,
  recurring: { interval: 'month', interval_count: 1, meter: null, usage_type: 'licensed' },
  type: 'recurring',
  unit_amount: cents,
})

export const buildProduct = (created: number, { id, name }: PlanProduct) => ({
  id: `prod_${id}`,
  object: 'product',
  active: true,
  created,
  description: null,
  metadata: {} as Metadata,
  name,
})

export type SetupIntent = ReturnType<typeof buildSetupIntent>
export const buildSetupIntent = (created: number, customer: string, metadata: Metadata) => ({
  id: createId('seti'),
  object: 'setup_intent',
  client_secret: createId('seti_secret'),
  created,
  customer,
  last_setup_error: unset<StripeError>(),
  metadata,
  payment_method: unset<string>(),
  payment_method_types: ['card'],
  status: widen<'requires_payment_method' | 'succeeded'>('requires_payment_method'),
  usage: 'off_session',
})

export type CheckoutSession = ReturnType<typeof buildCheckoutSession>
/** @param price null for a session that saves a card and charges nothing */
export const buildCheckoutSession = (
  created: number,
  customer: string,
  successUrl: string,
  currency: string,
  price: Price | null,
) => ({
  id: createId('cs_test'),
  object: 'checkout.session',
  amount_total: price?.unit_amount ?? null,
  cancel_url: unset<string>(),
  client_reference_id: unset<string>(),
  created,
  currency,
  customer,
  expires_at: created + DAY,
  invoice: unset<string>(),
  locale: unset<string>(),
  metadata: {} as Metadata,
  mode: price ? ('subscription' as const) : ('setup' as const),
  payment_intent: null,
  payment_method_types: ['card'],
  payment_status: widen<'unpaid' | 'paid' | 'no_payment_required'>(price ? 'unpaid' : 'no_payment_required'),
  setup_intent: unset<string>(),
  status: widen<'open' | 'complete' | 'expired'>('open'),
  subscription: unset<string>(),
  success_url: successUrl,
  url: unset<string>(),
})

export type CancellationReason = 'cancellation_requested' | 'payment_failed'

export type PauseBehavior = 'keep_as_draft' | 'mark_uncollectible' | 'void'

export type Subscription = ReturnType<typeof buildSubscription>
export function buildSubscription(
  created: number,
  firstPeriodEnd: number,
  { id: customer, test_clock }: Pick<Customer, 'id' | 'test_clock'>,
  price: Price,
  metadata: Metadata,
) {
  const id = createId('sub')
  const item = {
    id: createId('si'),
    object: 'subscription_item',
    created,
    current_period_end: firstPeriodEnd,
    current_period_start: created,
    metadata: {} as Metadata,
    price: structuredClone(price),
    quantity: 1,
    subscription: id,
  }
  return {
    id,
    object: 'subscription',
    billing_cycle_anchor: created,
    cancel_at: unset<number>(),
    cancel_at_period_end: false,
    canceled_at: unset<number>(),
    cancellation_details: { comment: null, feedback: null, reason: unset<CancellationReason>() },
    created,
    currency: price.currency,
    customer,
    default_payment_method: unset<string>(),
    ended_at: unset<number>(),
    items: {
      object: 'list',
      data: widen<[typeof item]>([item]),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: unset<string>(),
    metadata,
    pause_collection: unset<{ behavior: PauseBehavior; resumes_at: number | null }>(),
    start_date: created,
    /** `trialing` does not occur; only tests create a `paused` subscription. */
    status: widen<
      'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'unpaid' | 'canceled' | 'paused'
    >('incomplete'),
    test_clock,
  }
}

export type BillingReason = 'subscription_create' | 'subscription_cycle'

export type Invoice = ReturnType<typeof buildInvoice>
/** @param hostedUrl URL of the page on which the customer can pay; the invoice's ID is appended */
export function buildInvoice(subscription: Subscription, reason: BillingReason, hostedUrl: string) {
  const [{ price, current_period_start: created }] = subscription.items.data
  const id = createId('in')
  return {
    id,
    object: 'invoice',
    amount_due: price.unit_amount,
    amount_paid: 0,
    amount_remaining: price.unit_amount,
    attempt_count: 0,
    /** Whether Stripe charges the invoice automatically. */
    auto_advance: true,
    billing_reason: reason,
    created,
    currency: subscription.currency,
    customer: subscription.customer,
    hosted_invoice_url: `${hostedUrl}${id}`,
    metadata: {} as Metadata,
    next_payment_attempt: unset<number>(),
    parent: {
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    status: widen<'draft' | 'open' | 'paid' | 'void' | 'uncollectible'>('open'),
    total: price.unit_amount,
  }
}

export type InvoicePayment = ReturnType<typeof buildInvoicePayment>
export const buildInvoicePayment = (created: number, invoice: Invoice, paymentIntent: string) => ({
  id: createId('inpay'),
  object: 'invoice_payment',
  amount_paid: unset<number>(),
  created,
  currency: invoice.currency,
  invoice: invoice.id,
  is_default: true,
  payment: { type: 'payment_intent', payment_intent: paymentIntent },
  status: widen<'open' | 'paid'>('open'),
})

type Switch = 'enabled' | 'disabled'

interface PaymentElementFeatures {
  payment_method_redisplay: Switch
  payment_method_remove: Switch
  payment_method_save: Switch
  payment_method_save_usage: FutureUsage | undefined
}

export type CustomerSession = ReturnType<typeof buildCustomerSession>
/** Valid for 30 minutes. */
export const buildCustomerSession = (
  created: number,
  customer: string,
  features: PaymentElementFeatures,
) => ({
  object: 'customer_session',
  client_secret: `cuss_secret_${createRandomText(32)}`,
  components: {
    payment_element: { enabled: true, features },
  },
  created,
  customer,
  expires_at: created + DAY / 48,
})

/** For one payment. */
export const buildToken = (created: number) => ({
  id: createId('cvctok'),
  object: 'token',
  created,
  type: 'cvc_update',
  used: false,
})

export interface StripeEvent {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: object }
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}
