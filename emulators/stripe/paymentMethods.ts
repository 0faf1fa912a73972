import { createHash } from 'node:crypto'
import {
  type CardOutcome,
  findCardByPaymentMethod,
  findTestCard,
  hasValidCheckDigit,
  LIVE_CARD_DECLINE,
} from './cards.ts'
import * as p from './form.ts'
import { buildPaymentMethod, type PaymentIntent, type PaymentMethod } from './objects.ts'
import {
  failCard,
  failInvalidParameter,
  failInvalidState,
  failMissingReference,
  failNotFound,
  findObject,
} from './refusals.ts'
import { type Call, getUnixSeconds } from './state.ts'

const allowRedisplay = p.enumValue('always', 'limited', 'unspecified')

export const paymentMethodData = p.group({
  type: p.required(p.enumValue('card')),
  card: p.required(
    p.group({
      number: p.required(p.text()),
      exp_month: p.required(p.integer(0)),
      exp_year: p.required(p.integer(0)),
      cvc: p.text(),
    }),
  ),
  allow_redisplay: allowRedisplay,
})

type Data = NonNullable<ReturnType<typeof paymentMethodData>>

export interface PresentedPaymentMethod {
  readonly paymentMethod: PaymentMethod
  readonly outcome: CardOutcome
}

/** All payment methods with the same card number share its fingerprint. */
const buildCardMethod = (
  call: Call,
  number: string,
  [exp_month, exp_year]: readonly [month: number, year: number],
  hasCode: boolean,
): PaymentMethod => {
  const { brand = 'unknown', country = null, funding = 'unknown' } = findTestCard(number) ?? {}
  const fingerprint = createHash('sha256').update(number).digest('hex').slice(0, 16)
  const checks = { cvc_check: hasCode ? 'pass' : null }
  const card = { brand, country, exp_month, exp_year, fingerprint, funding, last4: number.slice(-4), checks }
  return buildPaymentMethod(getUnixSeconds(call.clock), card)
}

export function createCardPaymentMethod(call: Call, data: Data): PresentedPaymentMethod {
  const { number: typed, exp_month: month, exp_year: shortYear, cvc = '' } = data.card
  const number = typed.replace(/[\s-]/g, '')
  const year = shortYear < 100 ? 2000 + shortYear : shortYear
  const now = new Date(call.clock.now())
  if (!hasValidCheckDigit(number))
    return failCard({ code: 'incorrect_number', param: 'number', message: 'Your card number is incorrect.' })
  const isPast = year === now.getUTCFullYear() && month < now.getUTCMonth() + 1
  if (month < 1 || month > 12 || isPast)
    return failCard({
      code: 'invalid_expiry_month',
      param: 'exp_month',
      message: "Your card's expiration month is invalid.",
    })
  if (year < now.getUTCFullYear() || year > now.getUTCFullYear() + 50)
    return failCard({
      code: 'invalid_expiry_year',
      param: 'exp_year',
      message: "Your card's expiration year is invalid.",
    })
  if (cvc !== '' && !/^\d{3,4}$/.test(cvc))
    return failCard({ code: 'invalid_cvc', param: 'cvc', message: "Your card's security code is invalid." })

  const paymentMethod = buildCardMethod(call, number, [month, year], cvc !== '')
  paymentMethod.allow_redisplay = data.allow_redisplay ?? 'unspecified'
  return { paymentMethod, outcome: findTestCard(number)?.outcome ?? LIVE_CARD_DECLINE }
}

/** Creates a new one for each use. */
function createTestPaymentMethod(call: Call, id: string): PresentedPaymentMethod {
  const card = findCardByPaymentMethod(id)
  if (!card) return failMissingReference('PaymentMethod', id, 'payment_method')
  const expiry = [12, new Date(call.clock.now()).getUTCFullYear() + 3] as const
  return { paymentMethod: buildCardMethod(call, card.number, expiry, true), outcome: card.outcome }
}

/** A saved payment method is for its customer only; one that was used and not saved is refused. */
export function resolvePaymentMethod(call: Call, id: string, intent: PaymentIntent): PresentedPaymentMethod {
  const paymentMethod = call.state.paymentMethods.get(id)
  if (!paymentMethod) return createTestPaymentMethod(call, id)
  const outcome = call.state.savedCards.get(id)
  if (paymentMethod.customer === null || !outcome)
    return failInvalidState({
      message:
        'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    })
  if (paymentMethod.customer !== intent.customer)
    return failInvalidState({
      message:
        'The payment method you provided is attached to a customer so for security purposes you must provide the customer in the request.',
    })
  return { paymentMethod, outcome }
}

export const listPaymentMethods = ({ state }: Call, customer: string) =>
  [...state.paymentMethods.values()].filter((method) => method.customer === customer)

export function updatePaymentMethod(call: Call, form: p.Form, id: string): PaymentMethod {
  const params = p.parseParameters(form, { allow_redisplay: allowRedisplay })
  const method = findObject(call.state.paymentMethods, 'PaymentMethod', id)
  if (method.customer === null)
    return failInvalidState({
      message: 'You must save this PaymentMethod to a customer before you can update it.',
    })
  method.allow_redisplay = params.allow_redisplay ?? method.allow_redisplay
  call.emit('payment_method.updated', method)
  return method
}

/** Saves a published test card. */
export function attachPaymentMethod(call: Call, form: p.Form, id: string): PaymentMethod {
  const params = p.parseParameters(form, { customer: p.required(p.text()) })
  const { customer } = params
  if (!call.state.customers.has(customer)) return failMissingReference('customer', customer, 'customer')
  const presented = createTestPaymentMethod(call, id)
  savePaymentMethod(call, customer, presented)
  return presented.paymentMethod
}

/** `outcome`: the issuer's response to later payments. */
export function savePaymentMethod(
  call: Call,
  customer: string,
  { paymentMethod, outcome }: PresentedPaymentMethod,
): void {
  paymentMethod.customer = customer
  call.state.paymentMethods.set(paymentMethod.id, paymentMethod)
  call.state.savedCards.set(paymentMethod.id, outcome)
  call.emit('payment_method.attached', paymentMethod)
}

/** Called by a server or by a frame that may remove saved cards. Irreversible. */
export function detachPaymentMethod(call: Call, id: string): PaymentMethod {
  const method = findObject(call.state.paymentMethods, 'PaymentMethod', id)
  const session = call.customerSession
  const mayRemove = session?.components.payment_element.features.payment_method_remove === 'enabled'
  if (session && (!mayRemove || method.customer !== session.customer))
    return failNotFound('PaymentMethod', id)
  if (method.customer === null)
    return failInvalidParameter(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    )
  method.customer = null
  call.state.savedCards.delete(id)
  call.emit('payment_method.detached', method)
  return method
}
