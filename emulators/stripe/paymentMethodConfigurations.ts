import { boolean, type Form, group, notHere, oneOf, readForm } from './form.ts'
import { type List, listPage, listParameters } from './lists.ts'
import { missing, ok, type Result } from './result.ts'
import type { Call, PaymentMethodConfiguration, Preference } from './state.ts'

const isOn = (value: Preference) => ({
  available: value === 'on',
  display_preference: { preference: value, value },
})

/** What whoever sets the product up leaves on in Stripe's dashboard. */
export const PAYMENT_METHODS: Readonly<PaymentMethodConfiguration> = {
  id: 'pmc_sandbox',
  object: 'payment_method_configuration',
  active: true,
  apple_pay: isOn('on'),
  card: isOn('on'),
  created: Date.UTC(2026, 0, 1) / 1000,
  google_pay: isOn('on'),
  is_default: true,
  link: isOn('off'),
  livemode: false,
  name: 'Default',
  sepa_debit: isOn('off'),
}

/** `GET /v1/payment_method_configurations` */
export function listPaymentMethodConfigurations(
  { state }: Call,
  form: Form,
): Result<List<PaymentMethodConfiguration>> {
  const read = readForm(form, listParameters)
  if (!read.ok) return read
  const all = state.paymentMethodConfigurations.values()
  return listPage(all, '/v1/payment_method_configurations', 'payment method configuration', read.value)
}

const preference = group({
  display_preference: group({ preference: notHere(oneOf('on', 'off'), (one) => one === 'none') }),
})

/** `POST /v1/payment_method_configurations/:id`. What it says changes nothing here: the sandbox has cards only. */
export function updatePaymentMethodConfiguration(
  { state }: Call,
  id: string,
  form: Form,
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
  const configuration = state.paymentMethodConfigurations.get(id)
  if (!configuration) return missing('payment method configuration', id, 'id')
  const { active, ...methods } = read.value
  if (active !== undefined) configuration.active = active
  for (const name of ['apple_pay', 'card', 'google_pay', 'link', 'sepa_debit'] as const) {
    const wanted = methods[name]?.display_preference?.preference
    if (wanted !== undefined) configuration[name] = isOn(wanted)
  }
  return ok(configuration)
}
