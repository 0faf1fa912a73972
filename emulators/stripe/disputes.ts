import { book } from './balanceTransactions.ts'
import { boolean, type Form, group, ignored, mergeMetadata, metadata, readForm, text } from './form.ts'
import {
  type Charge,
  type ClosedReason,
  type Dispute,
  newDispute,
  newFraudWarning,
  newReview,
  type Review,
} from './objects.ts'
import { find, impossible, ok, type Result } from './result.ts'
import { type Call, seconds } from './state.ts'

// Doubts about a charge: disputes, early fraud warnings and reviews.

/**
 * The cardholder disputes a charge: all that was not refunded, or `amount` of it. For an `inquiry` the bank only asks
 * and takes nothing yet. A charge is disputed once. Returns the dispute's id, or null when nothing can be disputed.
 */
export function openDispute(
  call: Call,
  charge: Charge,
  { isInquiry = false, amount }: { isInquiry?: boolean; amount?: number | undefined } = {},
): string | null {
  const left = charge.amount_captured - charge.amount_refunded
  if (charge.disputed || left <= 0) return null
  const dispute = newDispute(seconds(call.clock), charge, Math.min(amount ?? left, left), isInquiry)
  call.state.disputes.set(dispute.id, dispute)
  charge.disputed = true
  closeReview(call, charge, 'disputed')
  call.emit('charge.dispute.created', dispute)
  if (isInquiry) return dispute.id
  dispute.balance_transactions.push(
    book(call, 'adjustment', { ...dispute, amount: -dispute.amount }, 'dispute'),
  )
  call.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute.id
}

/** The amount of a charge that the bank has taken, for good or until it decides; in minor units. */
export const takenByBank = ({ state }: Call, charge: Charge): number =>
  [...state.disputes.values()]
    .filter((dispute) => dispute.charge === charge.id && !dispute.is_charge_refundable)
    .reduce((sum, { amount }) => sum + amount, 0)

/** `POST /v1/disputes/:id`. As in Stripe's test mode the text of the evidence decides: `winning_evidence`, `losing_evidence`. */
export function updateDispute(call: Call, form: Form, id: string): Result<Dispute> {
  const read = readForm(form, {
    evidence: group({ uncategorized_text: text(20_000) }),
    submit: boolean,
    metadata,
    expand: ignored,
  })
  if (!read.ok) return read
  const found = find(call.state.disputes, 'dispute', id)
  if (!found.ok) return found
  const dispute = found.value
  const { evidence, submit = true } = read.value
  if (evidence && !isOpen(dispute)) return alreadyClosed(dispute)
  dispute.metadata = mergeMetadata(dispute.metadata, read.value.metadata)
  if (evidence?.uncategorized_text !== undefined) {
    dispute.evidence.uncategorized_text = evidence.uncategorized_text || null
    dispute.evidence_details.has_evidence = true
  }
  if (evidence && submit) {
    dispute.evidence_details.submission_count += 1
    dispute.status = isInquiry(dispute) ? 'warning_under_review' : 'under_review'
  }
  call.emit('charge.dispute.updated', dispute)
  const { uncategorized_text: said } = dispute.evidence
  if (evidence && submit && said === 'winning_evidence')
    close(call, dispute, isInquiry(dispute) ? 'warning_closed' : 'won')
  if (evidence && submit && said === 'losing_evidence') close(call, dispute, 'lost')
  return ok(dispute)
}

/** `POST /v1/disputes/:id/close`: the account accepts the dispute and loses it. */
export function closeDispute(call: Call, _: Form, id: string): Result<Dispute> {
  const found = find(call.state.disputes, 'dispute', id)
  if (!found.ok) return found
  if (!isOpen(found.value)) return alreadyClosed(found.value)
  close(call, found.value, 'lost')
  return found
}

function close(call: Call, dispute: Dispute, status: 'won' | 'lost' | 'warning_closed'): void {
  dispute.status = status
  dispute.is_charge_refundable = status !== 'lost'
  call.emit('charge.dispute.closed', dispute)
  if (status !== 'won') return
  dispute.balance_transactions.push(book(call, 'adjustment', dispute, 'dispute_reversal'))
  call.emit('charge.dispute.funds_reinstated', dispute)
}

const isInquiry = ({ status }: Dispute) => status.startsWith('warning_')

const isOpen = ({ status }: Dispute) => status !== 'won' && status !== 'lost' && status !== 'warning_closed'

const alreadyClosed = ({ id }: Dispute) => impossible({ message: `The dispute ${id} is already closed` })

/** The issuer of a card reports that a charge may be fraud; no money is taken back. Returns the warning's id. */
export function warnOfFraud(call: Call, charge: Charge): string {
  const warning = newFraudWarning(seconds(call.clock), charge)
  call.state.fraudWarnings.set(warning.id, warning)
  call.emit('radar.early_fraud_warning.created', warning)
  return warning.id
}

/** Radar asks the account to review a charge. */
export function openReview(call: Call, charge: Charge): void {
  const review = newReview(seconds(call.clock), charge)
  call.state.reviews.set(review.id, review)
  charge.review = review.id
  const intent = call.state.paymentIntents.get(charge.payment_intent)
  if (intent) intent.review = review.id
  call.emit('review.opened', review)
}

/** Ends the review of a charge, if one is open. */
export function closeReview(call: Call, charge: Charge, why: ClosedReason): void {
  const review = call.state.reviews.get(charge.review ?? '')
  if (!review?.open) return
  review.open = false
  review.closed_reason = why
  review.reason = why
  call.emit('review.closed', review)
}

/** `POST /v1/reviews/:id/approve` */
export function approveReview(call: Call, _: Form, id: string): Result<Review> {
  const found = find(call.state.reviews, 'review', id)
  if (!found.ok) return found
  const charge = call.state.charges.get(found.value.charge)
  if (!found.value.open || !charge)
    return impossible({ message: `The review ${id} is closed and can't be approved.` })
  closeReview(call, charge, 'approved')
  return found
}
