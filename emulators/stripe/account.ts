import { boolean, type Form, group, ignored, oneOf, readForm, required, text, texts } from './form.ts'
import { newId, type Price } from './objects.ts'
import { find, invalid, ok, type Result } from './result.ts'
import { type Call, type State, seconds } from './state.ts'

// The settings of an account: what its owner chooses in Stripe's dashboard.

/** The API version of the emulator's objects; the pinned SDKs ask for it. */
export const API_VERSION = '2026-10-28.endive'

type Preference = 'on' | 'off'
const METHODS = ['apple_pay', 'card', 'google_pay', 'link', 'sepa_debit'] as const

const offer = (value: Preference) => ({
  available: value === 'on',
  display_preference: { preference: value, value },
})

export type PaymentMethodConfiguration = ReturnType<typeof newConfiguration>
export const newConfiguration = (created: number) => ({
  id: 'pmc_sandbox',
  object: 'payment_method_configuration',
  active: true,
  apple_pay: offer('on'),
  card: offer('on'),
  created,
  google_pay: offer('on'),
  is_default: true,
  link: offer('off'),
  livemode: false,
  name: 'Default',
  sepa_debit: offer('off'),
})

const preference = group({ display_preference: group({ preference: oneOf('on', 'off') }) })

/** `POST /v1/payment_method_configurations/:id`. Checkouts do not look at it: they offer cards only. */
export function updateConfiguration(
  { state }: Call,
  form: Form,
  id: string,
): Result<PaymentMethodConfiguration> {
  const read = readForm(form, {
    active: boolean,
    apple_pay: preference,
    card: preference,
    google_pay: preference,
    link: preference,
    sepa_debit: preference,
  })
  if (!read.ok) return read
  const found = find(state.paymentMethodConfigurations, 'payment method configuration', id)
  if (!found.ok) return found
  found.value.active = read.value.active ?? found.value.active
  for (const name of METHODS) {
    const wanted = read.value[name]?.display_preference?.preference
    if (wanted) found.value[name] = offer(wanted)
  }
  return found
}

export type PaymentMethodDomain = ReturnType<typeof newDomain>
const newDomain = (created: number, name: string) => ({
  id: newId('pmd'),
  object: 'payment_method_domain',
  apple_pay: { status: 'active' },
  created,
  domain_name: name,
  enabled: true,
  google_pay: { status: 'active' },
  livemode: false,
})

/** `POST /v1/payment_method_domains`. The wallets are not asked whether they know the domain. */
export function createDomain(call: Call, form: Form): Result<PaymentMethodDomain> {
  const read = readForm(form, { domain_name: required(text()), expand: ignored })
  if (!read.ok) return read
  const name = read.value.domain_name
  if (!/^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(name))
    return invalid(`The domain name ${name} is not valid.`, { param: 'domain_name' })
  const domain = newDomain(seconds(call.clock), name)
  call.state.paymentMethodDomains.set(domain.id, domain)
  return ok(domain)
}

/** The URL belongs to the functions, and is known only while they run. */
export const newWebhookEndpoint = (created: number) => ({
  id: 'we_sandbox',
  object: 'webhook_endpoint',
  api_version: API_VERSION,
  created,
  enabled_events: ['*'],
  livemode: false,
  status: 'enabled',
})

/** `GET /v1/webhook_endpoints` */
export function listWebhookEndpoints({ state, webhookUrl }: Call, form: Form): Result<object> {
  const read = readForm(form, { limit: ignored })
  if (!read.ok) return read
  const all = webhookUrl === null ? [] : [...state.webhookEndpoints.values()]
  const data = all.map((endpoint) => ({ ...endpoint, url: webhookUrl }))
  return ok({ object: 'list', data, has_more: false, url: '/v1/webhook_endpoints' })
}

/** `POST /v1/webhook_endpoints/:id` */
export function updateWebhookEndpoint({ state, webhookUrl }: Call, form: Form, id: string): Result<object> {
  const read = readForm(form, { enabled_events: texts, disabled: boolean })
  if (!read.ok) return read
  const found = find(state.webhookEndpoints, 'webhook endpoint', id)
  if (!found.ok) return found
  const { enabled_events: events, disabled } = read.value
  if (events.length > 0) found.value.enabled_events = events
  if (disabled !== undefined) found.value.status = disabled ? 'disabled' : 'enabled'
  return ok({ ...found.value, url: webhookUrl })
}

/** Whether an endpoint subscribes to this type of event. */
export const isWanted = ({ webhookEndpoints }: State, type: string): boolean =>
  [...webhookEndpoints.values()].some(
    ({ status, enabled_events: events }) =>
      status === 'enabled' && (events.includes('*') || events.includes(type)),
  )

/** `POST /v1/prices/:id` */
export function updatePrice({ state }: Call, form: Form, id: string): Result<Price> {
  const read = readForm(form, { active: boolean, lookup_key: text(200), expand: ignored })
  if (!read.ok) return read
  const found = find(state.prices, 'price', id)
  if (!found.ok) return found
  const { active, lookup_key: lookupKey } = read.value
  if (active !== undefined) found.value.active = active
  if (lookupKey !== undefined) found.value.lookup_key = lookupKey || null
  return found
}
