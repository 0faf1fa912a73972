import { type Form, readForm, text } from './form.ts'
import { type List, listPage, listParameters, requireKnown } from './lists.ts'
import { missing, ok, type Result } from './result.ts'
import { type Call, type Charge, type EarlyFraudWarning, newId, seconds } from './state.ts'

/** The issuer of a card says that a charge may be fraud; nothing is taken back by that. */
export function warnOfFraud(call: Call, charge: Charge): string {
  const warning: EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: !charge.refunded && !charge.disputed,
    charge: charge.id,
    created: seconds(call.clock),
    fraud_type: 'unauthorized_use_of_card',
    livemode: false,
    payment_intent: charge.payment_intent,
  }
  call.state.fraudWarnings.set(warning.id, warning)
  call.emit('radar.early_fraud_warning.created', warning)
  return warning.id
}

/** `GET /v1/radar/early_fraud_warnings/:id` */
export function retrieveFraudWarning({ state }: Call, id: string): Result<EarlyFraudWarning> {
  const warning = state.fraudWarnings.get(id)
  return warning ? ok(warning) : missing('early_fraud_warning', id, 'id')
}

/** `GET /v1/radar/early_fraud_warnings` */
export function listFraudWarnings({ state }: Call, form: Form): Result<List<EarlyFraudWarning>> {
  const read = readForm(form, { ...listParameters, charge: text(), payment_intent: text() })
  if (!read.ok) return read
  const { charge, payment_intent: intent } = read.value
  const known = requireKnown(
    ['payment_intent', 'payment_intent', intent, state.paymentIntents],
    ['charge', 'charge', charge, state.charges],
  )
  if (!known.ok) return known
  const matching = [...state.fraudWarnings.values()].filter(
    (one) =>
      (charge === undefined || one.charge === charge) &&
      (intent === undefined || one.payment_intent === intent),
  )
  return listPage(matching, '/v1/radar/early_fraud_warnings', 'early_fraud_warning', read.value)
}
