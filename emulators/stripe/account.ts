// Account settings from Stripe's dashboard. Tests change them in a dump.

/** The pinned SDKs request this version. */
export const API_VERSION = '2026-10-28.endive'

const offer = (value: 'on' | 'off') => ({
  available: value === 'on',
  display_preference: { preference: value, value },
})

/** Checkout sessions ignore this, because they offer cards only. */
export const buildPaymentMethodConfiguration = (created: number) => ({
  id: 'pmc_sandbox',
  object: 'payment_method_configuration',
  active: true,
  apple_pay: offer('on'),
  card: offer('on'),
  created,
  google_pay: offer('on'),
  is_default: true,
  link: offer('off'),
  name: 'Default',
  sepa_debit: offer('off'),
})

export interface PaymentMethodDomain {
  readonly id: string
  readonly created: number
  readonly domain_name: string
  enabled: boolean
  apple_pay: { status: 'active' | 'inactive' }
  google_pay: { status: 'active' | 'inactive' }
}

/** The URL is known only while the receiving server runs. */
export const buildWebhookEndpoint = (created: number) => ({
  id: 'we_sandbox',
  object: 'webhook_endpoint',
  api_version: API_VERSION,
  created,
  enabled_events: ['*'],
  status: 'enabled',
})
