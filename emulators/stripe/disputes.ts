import { recordBalanceChange } from './balanceTransactions.ts'
import * as p from './form.ts'
import {
  buildDispute,
  buildFraudWarning,
  buildReview,
  type Charge,
  type ClosedReason,
  type Dispute,
  type Review,
} from './objects.ts'
import { failInvalidState, findObject } from './refusals.ts'
import { type Call, getUnixSeconds } from './state.ts'

// Disputes, early fraud warnings and reviews.

/**
 * `amount`: the part that was not refunded by default. In an inquiry, the bank takes no money yet. A charge
 * can be disputed once. Null if it can't be disputed.
 */
export function openDispute(
  call: Call,
  charge: Charge,
  { isInquiry = false, amount }: { isInquiry?: boolean; amount?: number | undefined } = {},
): string | null {
  const left = charge.amount_captured - charge.amount_refunded
  if (charge.disputed || left <= 0) return null
  const dispute = buildDispute(getUnixSeconds(call.clock), charge, Math.min(amount ?? left, left), isInquiry)
  call.state.disputes.set(dispute.id, dispute)
  charge.disputed = true
  closeReview(call, charge, 'disputed')
  call.emit('charge.dispute.created', dispute)
  if (isInquiry) return dispute.id
  dispute.balance_transactions.push(
    recordBalanceChange(call, 'adjustment', { ...dispute, amount: -dispute.amount }, 'dispute'),
  )
  call.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute.id
}

/** In minor units of the charge; exact for full movements only, if our balance has another currency. */
export const sumWithdrawnFunds = ({ state }: Call, charge: Charge): number =>
  [...state.disputes.values()]
    .filter((dispute) => dispute.charge === charge.id)
    .reduce((sum, dispute) => sum + getWithdrawnAmount(dispute), 0)

function getWithdrawnAmount({ amount, balance_transactions: movements }: Dispute): number {
  const [taken] = movements
  if (!taken) return 0
  const kept = movements.reduce((sum, movement) => sum + movement.amount, 0)
  return Math.round((amount * kept) / taken.amount)
}

/** As in Stripe's test mode, the evidence text decides: `winning_evidence` or `losing_evidence`. */
export function updateDispute(call: Call, form: p.Form, id: string): Dispute {
  const params = p.parseParameters(form, {
    evidence: p.group({ uncategorized_text: p.text(20_000) }),
    submit: p.boolean,
  })
  const dispute = findObject(call.state.disputes, 'dispute', id)
  const { evidence, submit = true } = params
  if (evidence && !isOpen(dispute)) return failClosed(dispute)
  if (evidence?.uncategorized_text !== undefined) {
    dispute.evidence.uncategorized_text = evidence.uncategorized_text || null
  }
  if (evidence && submit) {
    dispute.status = isInquiry(dispute) ? 'warning_under_review' : 'under_review'
  }
  call.emit('charge.dispute.updated', dispute)
  const { uncategorized_text: said } = dispute.evidence
  if (evidence && submit && said === 'winning_evidence')
    close(call, dispute, isInquiry(dispute) ? 'warning_closed' : 'won')
  if (evidence && submit && said === 'losing_evidence') close(call, dispute, 'lost')
  return dispute
}

/** The account accepts the dispute and loses it. */
export function closeDispute(call: Call, id: string): Dispute {
  const dispute = findObject(call.state.disputes, 'dispute', id)
  if (!isOpen(dispute)) return failClosed(dispute)
  close(call, dispute, 'lost')
  return dispute
}

function close(call: Call, dispute: Dispute, status: 'won' | 'lost' | 'warning_closed'): void {
  dispute.status = status
  dispute.is_charge_refundable = status !== 'lost'
  call.emit('charge.dispute.closed', dispute)
  if (status === 'won') reinstate(call, dispute, getWithdrawnAmount(dispute))
}

function reinstate(call: Call, dispute: Dispute, amount: number): void {
  dispute.balance_transactions.push(
    recordBalanceChange(call, 'adjustment', { ...dispute, amount }, 'dispute_reversal'),
  )
  call.emit('charge.dispute.funds_reinstated', dispute)
}

/** Without `amount`, all money returns, and the dispute is won after all. */
export function returnDisputedFunds(call: Call, dispute: Dispute, amount?: number): void {
  if (dispute.status !== 'lost') return
  if (amount === undefined) close(call, dispute, 'won')
  else reinstate(call, dispute, Math.min(amount, getWithdrawnAmount(dispute)))
}

const isInquiry = ({ status }: Dispute) => status.startsWith('warning_')

const isOpen = ({ status }: Dispute) => status !== 'won' && status !== 'lost' && status !== 'warning_closed'

const failClosed = ({ id }: Dispute): never =>
  failInvalidState({ message: `The dispute ${id} is already closed` })

/** No money moves. Returns the warning's ID. */
export function createFraudWarning(call: Call, charge: Charge): string {
  const warning = buildFraudWarning(getUnixSeconds(call.clock), charge)
  call.state.fraudWarnings.set(warning.id, warning)
  call.emit('radar.early_fraud_warning.created', warning)
  return warning.id
}

export function openReview(call: Call, charge: Charge): void {
  const review = buildReview(getUnixSeconds(call.clock), charge)
  call.state.reviews.set(review.id, review)
  charge.review = review.id
  const intent = call.state.paymentIntents.get(charge.payment_intent)
  if (intent) intent.review = review.id
  call.emit('review.opened', review)
}

export function closeReview(call: Call, charge: Charge, why: ClosedReason): void {
  const review = call.state.reviews.get(charge.review ?? '')
  if (!review?.open) return
  review.open = false
  review.closed_reason = why
  review.reason = why
  call.emit('review.closed', review)
}

export function approveReview(call: Call, id: string): Review {
  const review = findObject(call.state.reviews, 'review', id)
  const charge = call.state.charges.get(review.charge)
  if (!review.open || !charge)
    return failInvalidState({ message: `The review ${id} is closed and can't be approved.` })
  closeReview(call, charge, 'approved')
  return review
}
