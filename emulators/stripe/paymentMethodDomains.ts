import { boolean, type Form, ignored, readForm, required, text } from './form.ts'
import { type List, listPage, listParameters } from './lists.ts'
import { invalid, missing, ok, type Result } from './result.ts'
import { type Call, newId, type PaymentMethodDomain, seconds } from './state.ts'

const active = { status: 'active' } as const

/** `POST /v1/payment_method_domains`. Nobody is asked here whether the wallets know the domain. */
export function createPaymentMethodDomain(call: Call, form: Form): Result<PaymentMethodDomain> {
  const read = readForm(form, { domain_name: required(text()), enabled: boolean, expand: ignored })
  if (!read.ok) return read
  const { domain_name: name, enabled = true } = read.value
  const known = [...call.state.paymentMethodDomains.values()].find((one) => one.domain_name === name)
  if (known) return ok(known)
  if (!/^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(name))
    return invalid(`The domain name ${name} is not valid.`, { param: 'domain_name' })
  const domain: PaymentMethodDomain = {
    id: newId('pmd'),
    object: 'payment_method_domain',
    amazon_pay: active,
    apple_pay: active,
    created: seconds(call.clock),
    domain_name: name,
    enabled,
    google_pay: active,
    klarna: active,
    link: active,
    livemode: false,
    paypal: active,
  }
  call.state.paymentMethodDomains.set(domain.id, domain)
  return ok(domain)
}

/** `GET /v1/payment_method_domains` */
export function listPaymentMethodDomains({ state }: Call, form: Form): Result<List<PaymentMethodDomain>> {
  const read = readForm(form, { ...listParameters, domain_name: text(), enabled: boolean })
  if (!read.ok) return read
  const { domain_name: name, enabled } = read.value
  const matching = [...state.paymentMethodDomains.values()].filter(
    (one) =>
      (name === undefined || one.domain_name === name) && (enabled === undefined || one.enabled === enabled),
  )
  return listPage(matching, '/v1/payment_method_domains', 'payment method domain', read.value)
}

/** `POST /v1/payment_method_domains/:id` */
export function updatePaymentMethodDomain(
  { state }: Call,
  id: string,
  form: Form,
): Result<PaymentMethodDomain> {
  const read = readForm(form, { enabled: boolean, expand: ignored })
  if (!read.ok) return read
  const domain = state.paymentMethodDomains.get(id)
  if (!domain) return missing('payment_method_domain', id, 'payment_method_domain')
  domain.enabled = read.value.enabled ?? domain.enabled
  return ok(domain)
}
