import { type Form, readForm, text } from './form.ts'
import { type List, listPage, listParameters, requireKnown } from './lists.ts'
import { missing, ok, type Result } from './result.ts'
import type { Call, Charge } from './state.ts'

/** `GET /v1/charges/:id` */
export function retrieveCharge({ state }: Call, id: string): Result<Charge> {
  const charge = state.charges.get(id)
  return charge ? ok(charge) : missing('charge', id, 'id')
}

/** `GET /v1/charges` */
export function listCharges({ state }: Call, form: Form): Result<List<Charge>> {
  const read = readForm(form, { ...listParameters, payment_intent: text() })
  if (!read.ok) return read
  const { payment_intent: intent } = read.value
  const known = requireKnown(['payment_intent', 'payment_intent', intent, state.paymentIntents])
  if (!known.ok) return known
  const matching = [...state.charges.values()].filter(
    (charge) => intent === undefined || charge.payment_intent === intent,
  )
  return listPage(matching, '/v1/charges', 'charge', read.value)
}
