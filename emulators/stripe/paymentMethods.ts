import { cardOf, cardOfPaymentMethod, hasValidCheckDigit, LIVE_CARD, type Outcome } from './cards.ts'
import { group, ignored, integer, mergeMetadata, metadata, notHere, oneOf, required, text } from './form.ts'
import { documented, fail, missingReference, ok, type Result } from './result.ts'
import { type BillingDetails, type Call, newId, type PaymentMethod, seconds } from './state.ts'

const address = group({
  city: text(),
  country: text(),
  line1: text(),
  line2: text(),
  postal_code: text(),
  state: text(),
})

/** Ways to pay that Stripe has and this emulator has not; those that people of these countries might meet. */
const OTHER_METHODS = [
  'acss_debit',
  'bancontact',
  'ideal',
  'klarna',
  'link',
  'paypal',
  'revolut_pay',
  'sepa_debit',
  'sofort',
]

/** `payment_method_data`: what the card frame sends. */
export const paymentMethodData = group({
  type: required(notHere(oneOf('card'), (type) => OTHER_METHODS.includes(type))),
  card: required(
    group({
      number: required(text()),
      exp_month: required(integer(0)),
      exp_year: required(integer(0)),
      cvc: text(),
    }),
  ),
  billing_details: group({ name: text(), email: text(), phone: text(), address }),
  allow_redisplay: ignored,
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
  const { billing_details: billing } = data
  const paymentMethod = newPaymentMethod(call, {
    card: {
      brand: card?.brand ?? 'unknown',
      country: card?.country ?? null,
      exp_month: month,
      exp_year: year,
      funding: card?.funding ?? 'unknown',
      last4: number.slice(-4),
      checks: { cvc_check: cvc ? 'pass' : null },
    },
    billing_details: {
      name: billing?.name ?? null,
      email: billing?.email ?? null,
      phone: billing?.phone ?? null,
      address: { ...noAddress, ...definedOnly(billing?.address) },
    },
    metadata: mergeMetadata({}, data.metadata),
  })
  return ok({ paymentMethod, outcome: card?.outcome ?? LIVE_CARD })
}

/** One of the published `pm_card_…` ids. Each use makes a payment method of its own. */
export function fromTestId(call: Call, id: string): Result<Presented> {
  const card = cardOfPaymentMethod(id)
  if (!card) return missingReference('PaymentMethod', id, 'payment_method')
  const paymentMethod = newPaymentMethod(call, {
    card: {
      brand: card.brand,
      country: card.country,
      exp_month: 12,
      exp_year: new Date(call.clock.now()).getUTCFullYear() + 3,
      funding: card.funding,
      last4: card.number.slice(-4),
      checks: { cvc_check: 'pass' },
    },
    billing_details: { name: null, email: null, phone: null, address: noAddress },
    metadata: {},
  })
  return ok({ paymentMethod, outcome: card.outcome })
}

function newPaymentMethod(
  call: Call,
  fields: { card: PaymentMethod['card']; billing_details: BillingDetails; metadata: Record<string, string> },
): PaymentMethod {
  return {
    id: newId('pm'),
    object: 'payment_method',
    type: 'card',
    created: seconds(call.clock),
    customer: null,
    livemode: false,
    ...fields,
  }
}

const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }

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
