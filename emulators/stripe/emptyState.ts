import { PAYMENT_METHODS } from './paymentMethodConfigurations.ts'
import { type Plan, priceOf, productOf } from './prices.ts'
import type { State } from './state.ts'
import { WEBHOOK_ENDPOINT } from './webhookEndpoints.ts'

/** A new account, with the plans and the settings that its owner made. */
export const emptyState = (plans: readonly Plan[]): State => ({
  paymentIntents: new Map(),
  paymentMethods: new Map(),
  charges: new Map(),
  refunds: new Map(),
  balanceTransactions: new Map(),
  disputes: new Map(),
  fraudWarnings: new Map(),
  reviews: new Map(),
  slowRefunds: new Map(),
  events: new Map(),
  authentications: new Map(),
  processing: new Map(),
  idempotency: new Map(),
  customers: new Map(),
  testClocks: new Map(),
  aheadBy: new Map(),
  products: new Map(plans.map(productOf).map((product) => [product.id, product])),
  prices: new Map(plans.map(priceOf).map((price) => [price.id, price])),
  sessions: new Map(),
  checkouts: new Map(),
  setupIntents: new Map(),
  subscriptions: new Map(),
  invoices: new Map(),
  invoicePayments: new Map(),
  webhookEndpoints: new Map([[WEBHOOK_ENDPOINT.id, { ...WEBHOOK_ENDPOINT }]]),
  paymentMethodConfigurations: new Map([[PAYMENT_METHODS.id, { ...PAYMENT_METHODS }]]),
  paymentMethodDomains: new Map(),
  customerSessions: new Map(),
  ephemeralKeys: new Map(),
  tokens: new Map(),
  savedCards: new Map(),
})
