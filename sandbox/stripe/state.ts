import { randomBytes } from 'node:crypto'
import type { Clock } from '../standin.ts'
import type { Outcome } from './cards.ts'
import type { IdempotencyRecord } from './idempotency.ts'
import type { StripeError } from './result.ts'

// The objects that Stripe answers with. Field names are Stripe's; times are in seconds, amounts in minor units.

export interface PaymentIntent {
  id: string
  object: 'payment_intent'
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
  customer: null
  description: string | null
  last_payment_error: StripeError | null
  latest_charge: string | null
  livemode: false
  metadata: Record<string, string>
  next_action: NextAction | null
  payment_method: string | null
  payment_method_types: string[]
  processing: null
  receipt_email: string | null
  setup_future_usage: null
  shipping: null
  source: null
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'canceled' | 'succeeded'
}

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
  customer: null
  livemode: false
  metadata: Record<string, string>
}

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
  balance_transaction: null
  billing_details: BillingDetails
  captured: boolean
  created: number
  currency: string
  customer: null
  description: string | null
  disputed: false
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
  status: 'succeeded' | 'failed'
}

export interface Refund {
  id: string
  object: 'refund'
  amount: number
  balance_transaction: null
  charge: string
  created: number
  currency: string
  metadata: Record<string, string>
  payment_intent: string
  reason: string | null
  receipt_number: null
  status: 'succeeded'
}

export interface StripeEvent {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: PaymentIntent | Charge }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
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

/** Everything that the stand-in remembers. Insertion order is order of creation. */
export interface State {
  paymentIntents: Map<string, PaymentIntent>
  paymentMethods: Map<string, PaymentMethod>
  charges: Map<string, Charge>
  refunds: Map<string, Refund>
  events: Map<string, StripeEvent>
  authentications: Map<string, Authentication>
  /** By the intent's id. */
  processing: Map<string, Processing>
  idempotency: Map<string, IdempotencyRecord>
}

export const emptyState = (): State => ({
  paymentIntents: new Map(),
  paymentMethods: new Map(),
  charges: new Map(),
  refunds: new Map(),
  events: new Map(),
  authentications: new Map(),
  processing: new Map(),
  idempotency: new Map(),
})

/** One API call: who makes it, and what it may do. */
export interface Call {
  readonly state: State
  readonly clock: Clock
  /** A publishable key sees and does less than the secret one. */
  readonly publishable: boolean
  readonly publicOrigin: string
  /** While the networks are slow, a payment stays `processing` until it is finished. */
  readonly networksAreSlow: boolean
  /** Records an event and has it delivered. */
  readonly emit: (type: string, object: PaymentIntent | Charge) => void
}

export const seconds = (clock: Clock) => Math.floor(clock.now() / 1000)

export const newId = (prefix: string) => `${prefix}_${randomText(24)}`

export function randomText(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from(randomBytes(length), (byte) => letters[byte % letters.length]).join('')
}
