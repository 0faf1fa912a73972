import { book } from './balanceTransactions.ts'
import { closeReview, takenByBank } from './disputes.ts'
import {
  type Form,
  ignored,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  readForm,
  required,
  text,
} from './form.ts'
import { type Charge, newRefund, type Refund } from './objects.ts'
import { impossible, missingReference, ok, type Result } from './result.ts'
import { type Call, seconds } from './state.ts'

/** How long the issuer of a card with slow refunds takes, in seconds. Stripe says 'some time later'. */
const DECIDED_AFTER = 60

/** `POST /v1/refunds`: gives back all that is left of a charge, or a part of it. */
export function createRefund(call: Call, form: Form): Result<Refund> {
  const read = readForm(form, {
    payment_intent: required(text()),
    amount: integer(1),
    reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
    metadata,
    expand: ignored,
  })
  if (!read.ok) return read
  const found = findCharge(call, read.value.payment_intent)
  if (!found.ok) return found
  const charge = found.value
  const unrefunded = charge.amount_captured - charge.amount_refunded
  const left = unrefunded - takenByBank(call, charge)
  if (unrefunded === 0)
    return impossible({
      code: 'charge_already_refunded',
      message: `Charge ${charge.id} has already been refunded.`,
    })
  if (left <= 0)
    return impossible({
      code: 'charge_disputed',
      message: `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    })
  const { amount = left, reason } = read.value
  if (amount > left)
    return impossible({
      message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      param: 'amount',
    })
  const isPending = call.state.slowRefunds.get(charge.id) === 'wait'
  const refund = newRefund(seconds(call.clock), charge, amount, isPending)
  refund.metadata = mergeMetadata({}, read.value.metadata)
  refund.reason = reason ?? null
  if (!isPending) bookRefund(call, refund)
  call.state.refunds.set(refund.id, refund)
  call.emit('refund.created', refund)
  countRefund(charge, amount)
  if (charge.refunded) closeReview(call, charge, reason === 'fraudulent' ? 'refunded_as_fraud' : 'refunded')
  call.emit('charge.refunded', charge)
  return ok(refund)
}

function bookRefund(call: Call, refund: Refund) {
  refund.balance_transaction = book(call, 'refund', { ...refund, amount: -refund.amount }).id
}

/** Adds to what is refunded of a charge. What is pending counts too, so that nothing goes back twice. */
function countRefund(charge: Charge, amount: number) {
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount_captured
}

/**
 * Does what the passing of time does to refunds of cards that are slow about them. Of a charge one refund fails: Stripe does
 * not say what becomes of the next one, and if that failed too nobody could see how such a debt ends.
 */
export function decideRefunds(call: Call): void {
  const { refunds, charges, slowRefunds } = call.state
  for (const refund of refunds.values()) {
    const slow = slowRefunds.get(refund.charge)
    const charge = charges.get(refund.charge)
    if (!slow || !charge || refund.created + DECIDED_AFTER > seconds(call.clock)) continue
    if (refund.status === 'pending') {
      refund.status = 'succeeded'
      delete refund.pending_reason
      bookRefund(call, refund)
      call.emit('refund.updated', refund)
    } else if (slow === 'fail') {
      slowRefunds.delete(refund.charge)
      refund.status = 'failed'
      refund.failure_reason = 'expired_or_canceled_card'
      book(call, 'refund_failure', refund)
      countRefund(charge, -refund.amount)
      call.emit('refund.failed', refund)
    }
  }
}

function findCharge({ state }: Call, intentId: string): Result<Charge> {
  const intent = state.paymentIntents.get(intentId)
  if (!intent) return missingReference('payment_intent', intentId, 'payment_intent')
  const charge = state.charges.get(intent.latest_charge ?? '')
  if (!charge?.paid)
    return impossible({
      message: `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
      param: 'payment_intent',
    })
  return ok(charge)
}
