import { recordBalanceChange } from './balanceTransactions.ts'
import { closeReview, sumWithdrawnFunds } from './disputes.ts'
import * as p from './form.ts'
import { buildRefund, type Charge, type Refund } from './objects.ts'
import { failInvalidState, failMissingReference } from './refusals.ts'
import { type Call, getUnixSeconds } from './state.ts'

/** In seconds. Stripe's documentation only says 'some time later'. */
const DECIDED_AFTER = 60

export function createRefund(call: Call, form: p.Form): Refund {
  const params = p.parseParameters(form, {
    payment_intent: p.required(p.text()),
    amount: p.integer(1),
    reason: p.enumValue('duplicate', 'fraudulent', 'requested_by_customer'),
    metadata: p.metadata,
  })
  const charge = findCharge(call, params.payment_intent)
  const unrefunded = charge.amount_captured - charge.amount_refunded
  const left = unrefunded - sumWithdrawnFunds(call, charge)
  if (unrefunded === 0)
    return failInvalidState({
      code: 'charge_already_refunded',
      message: `Charge ${charge.id} has already been refunded.`,
    })
  if (left <= 0)
    return failInvalidState({
      code: 'charge_disputed',
      message: `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    })
  const { amount = left, reason } = params
  if (amount > left)
    return failInvalidState({
      message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      param: 'amount',
    })
  const isSlow = call.state.slowRefunds.get(charge.id) === 'wait'
  const pendingFor = call.isBalanceEmpty ? 'insufficient_funds' : isSlow ? 'processing' : null
  const refund = buildRefund(getUnixSeconds(call.clock), charge, amount, pendingFor)
  refund.metadata = p.mergeMetadata({}, params.metadata)
  refund.reason = reason ?? null
  call.state.refunds.set(refund.id, refund)
  if (pendingFor !== 'insufficient_funds') leaveBalance(call, refund)
  call.emit('refund.created', refund)
  addRefundedAmount(charge, amount)
  if (charge.refunded) closeReview(call, charge, reason === 'fraudulent' ? 'refunded_as_fraud' : 'refunded')
  call.emit('charge.refunded', charge)
  return refund
}

/** Includes pending refunds, so that nothing is refunded twice. */
function addRefundedAmount(charge: Charge, amount: number) {
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount_captured
}

/** Stripe doesn't document a second failure, and a test must be able to see the charge refunded. */
export function settleSlowRefunds(call: Call): void {
  const { refunds, charges, slowRefunds } = call.state
  for (const refund of refunds.values()) {
    if (refund.pending_reason === 'insufficient_funds') {
      if (!call.isBalanceEmpty) {
        leaveBalance(call, refund)
        succeed(call, refund)
      }
      continue
    }
    const slow = slowRefunds.get(refund.charge)
    const charge = charges.get(refund.charge)
    if (!slow || !charge || refund.created + DECIDED_AFTER > getUnixSeconds(call.clock)) continue
    if (refund.status === 'pending') {
      succeed(call, refund)
    } else if (slow === 'fail') {
      slowRefunds.delete(refund.charge)
      refund.status = 'failed'
      refund.failure_reason = 'expired_or_canceled_card'
      refund.failure_balance_transaction = recordBalanceChange(call, 'refund_failure', refund).id
      addRefundedAmount(charge, -refund.amount)
      call.emit('refund.failed', refund)
    }
  }
}

function leaveBalance(call: Call, refund: Refund): void {
  refund.balance_transaction = recordBalanceChange(call, 'refund', { ...refund, amount: -refund.amount }).id
}

function succeed(call: Call, refund: Refund): void {
  refund.status = 'succeeded'
  delete refund.pending_reason
  call.emit('refund.updated', refund)
}

function findCharge({ state }: Call, intentId: string): Charge {
  const intent = state.paymentIntents.get(intentId)
  if (!intent) return failMissingReference('payment_intent', intentId, 'payment_intent')
  const charge = state.charges.get(intent.latest_charge ?? '')
  if (!charge?.paid)
    return failInvalidState({
      message: `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
      param: 'payment_intent',
    })
  return charge
}
