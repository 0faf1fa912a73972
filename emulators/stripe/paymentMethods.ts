import { cardOf, cardOfPaymentMethod, hasValidCheckDigit, LIVE_CARD, type Outcome } from './cards.ts'
import {
  type Form,
  group,
  ignored,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  readForm,
  required,
  text,
} from './form.ts'
import { newPaymentMethod, type PaymentIntent, type PaymentMethod } from './objects.ts'
import {
  documented,
  fail,
  find,
  impossible,
  invalid,
  missing,
  missingReference,
  ok,
  type Result,
} from './result.ts'
import { type Call, seconds } from './state.ts'

const address = group({
  city: text(),
  country: text(),
  line1: text(),
  line2: text(),
  postal_code: text(),
  state: text(),
})

export const allowRedisplay = oneOf('always', 'limited', 'unspecified')

/** `payment_method_data`: what the card frame sends. */
export const paymentMethodData = group({
  type: required(oneOf('card')),
  card: required(
    group({
      number: required(text()),
      exp_month: required(integer(0)),
      exp_year: required(integer(0)),
      cvc: text(),
    }),
  ),
  billing_details: group({ name: text(), email: text(), phone: text(), address }),
  allow_redisplay: allowRedisplay,
  metadata,
})

type Data = NonNullable<Extract<ReturnType<typeof paymentMethodData>, { ok: true }>['value']>

/** A payment method, and what the issuer says to a payment with it. */
export interface Presented {
  readonly paymentMethod: PaymentMethod
  readonly outcome: Outcome
}

/** Makes a payment method of typed card details, refusing those that can't be a card at all. */
export function fromCardDetails(call: Call, data: Data): Result<Presented> {
  const { number: typed, exp_month: month, exp_year: shortYear, cvc = '' } = data.card
  const number = typed.replace(/[\s-]/g, '')
  const year = shortYear < 100 ? 2000 + shortYear : shortYear
  const now = new Date(call.clock.now())
  if (!hasValidCheckDigit(number))
    return refuseCard('incorrect_number', 'number', 'Your card number is incorrect.')
  if (month < 1 || month > 12)
    return refuseCard('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.")
  if (year < now.getUTCFullYear() || year > now.getUTCFullYear() + 50)
    return refuseCard('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.")
  if (year === now.getUTCFullYear() && month < now.getUTCMonth() + 1)
    return refuseCard('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.")
  if (cvc !== '' && !/^\d{3,4}$/.test(cvc))
    return refuseCard('invalid_cvc', 'cvc', "Your card's security code is invalid.")

  const card = cardOf(number)
  const paymentMethod = newPaymentMethod(seconds(call.clock), {
    brand: card?.brand ?? 'unknown',
    country: card?.country ?? null,
    exp_month: month,
    exp_year: year,
    funding: card?.funding ?? 'unknown',
    last4: number.slice(-4),
    checks: { cvc_check: cvc ? 'pass' : null },
  })
  const { name, email, phone, address } = data.billing_details ?? {}
  const details = paymentMethod.billing_details
  Object.assign(details, definedOnly({ name, email, phone }))
  Object.assign(details.address, definedOnly(address))
  paymentMethod.metadata = mergeMetadata({}, data.metadata)
  paymentMethod.allow_redisplay = data.allow_redisplay ?? 'unspecified'
  return ok({ paymentMethod, outcome: card?.outcome ?? LIVE_CARD })
}

/** One of the published `pm_card_…` ids. Each use makes a payment method of its own. */
function fromTestId(call: Call, id: string): Result<Presented> {
  const card = cardOfPaymentMethod(id)
  if (!card) return missingReference('PaymentMethod', id, 'payment_method')
  const paymentMethod = newPaymentMethod(seconds(call.clock), {
    brand: card.brand,
    country: card.country,
    exp_month: 12,
    exp_year: new Date(call.clock.now()).getUTCFullYear() + 3,
    funding: card.funding,
    last4: card.number.slice(-4),
    checks: { cvc_check: 'pass' },
  })
  return ok({ paymentMethod, outcome: card.outcome })
}

/** What was used or saved before, by its id: only for a payment of the customer it belongs to. A published id is made a method of its own. */
export function fromId(call: Call, id: string, intent: PaymentIntent): Result<Presented> {
  const paymentMethod = call.state.paymentMethods.get(id)
  if (!paymentMethod) return fromTestId(call, id)
  const outcome = call.state.savedCards.get(id)
  if (paymentMethod.customer === null || !outcome)
    return impossible({
      message:
        'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    })
  if (paymentMethod.customer !== intent.customer)
    return impossible({
      message:
        'The payment method you provided is attached to a customer so for security purposes you must provide the customer in the request.',
    })
  return ok({ paymentMethod, outcome })
}

export const methodsOf = ({ state }: Call, customer: string) =>
  [...state.paymentMethods.values()].filter((method) => method.customer === customer)

/** `POST /v1/payment_methods/:id` */
export function updatePaymentMethod(call: Call, form: Form, id: string): Result<PaymentMethod> {
  const read = readForm(form, { allow_redisplay: allowRedisplay, metadata, expand: ignored })
  if (!read.ok) return read
  const found = find(call.state.paymentMethods, 'PaymentMethod', id)
  if (!found.ok) return found
  const method = found.value
  if (method.customer === null)
    return impossible({ message: 'You must save this PaymentMethod to a customer before you can update it.' })
  method.allow_redisplay = read.value.allow_redisplay ?? method.allow_redisplay
  method.metadata = mergeMetadata(method.metadata, read.value.metadata)
  call.emit('payment_method.updated', method)
  return ok(method)
}

/** `POST /v1/payment_methods/:id/attach`: saves one of the published test cards for a customer. */
export function attachPaymentMethod(call: Call, form: Form, id: string): Result<PaymentMethod> {
  const read = readForm(form, { customer: required(text()), expand: ignored })
  if (!read.ok) return read
  const { customer } = read.value
  if (!call.state.customers.has(customer)) return missingReference('customer', customer, 'customer')
  const presented = fromTestId(call, id)
  if (!presented.ok) return presented
  saveFor(call, customer, presented.value)
  return ok(presented.value.paymentMethod)
}

/** From now on its customer can pay with it again. `outcome`: what its issuer will say to that. */
export function saveFor(call: Call, customer: string, { paymentMethod, outcome }: Presented): void {
  paymentMethod.customer = customer
  call.state.paymentMethods.set(paymentMethod.id, paymentMethod)
  call.state.savedCards.set(paymentMethod.id, outcome)
  call.emit('payment_method.attached', paymentMethod)
}

/** `POST /v1/payment_methods/:id/detach`, from a server or from the frame of a page that may remove what is saved. It never comes back. */
export function detachPaymentMethod(call: Call, form: Form, id: string): Result<PaymentMethod> {
  const read = readForm(form, { expand: ignored })
  if (!read.ok) return read
  const found = find(call.state.paymentMethods, 'PaymentMethod', id)
  if (!found.ok) return found
  const method = found.value
  const session = call.customerSession
  const mayRemove = session?.components.payment_element.features?.payment_method_remove === 'enabled'
  if (session && (!mayRemove || method.customer !== session.customer)) return missing('PaymentMethod', id)
  if (method.customer === null)
    return invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    )
  method.customer = null
  call.state.savedCards.delete(id)
  call.emit('payment_method.detached', method)
  return ok(method)
}

const definedOnly = (fields: Record<string, string | undefined> = {}) =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

const refuseCard = (code: string, param: string, message: string) =>
  fail({
    kind: 'refused',
    status: 402,
    began: true,
    error: documented({ type: 'card_error', code, param, message }),
  })
