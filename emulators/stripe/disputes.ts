import { book } from './balanceTransactions.ts'
import { boolean, type Form, group, ignored, mergeMetadata, metadata, readForm, text } from './form.ts'
import { type List, listPage, listParameters, requireKnown } from './lists.ts'
import { impossible, missing, ok, type Result } from './result.ts'
import { closeReview } from './reviews.ts'
import { type Call, type Charge, type Dispute, newId, seconds } from './state.ts'

const DAY = 86_400

/**
 * The holder of a card turns to the bank about a charge: about all that was not given back, or about `amount` of it. Of an
 * `inquiry` the bank only asks, and takes nothing yet. A charge is disputed once.
 * Answers the dispute's id, null when there is nothing to dispute.
 */
export function openDispute(
  call: Call,
  charge: Charge,
  { isInquiry = false, amount }: { isInquiry?: boolean; amount?: number | undefined } = {},
): string | null {
  const left = charge.amount_captured - charge.amount_refunded
  if (charge.disputed || left <= 0) return null
  const created = seconds(call.clock)
  const dispute: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: Math.min(amount ?? left, left),
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    evidence: { uncategorized_text: null },
    evidence_details: {
      due_by: created + 9 * DAY,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  }
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

/** What the bank has taken of a charge, for good or until it decides; in minor units. */
export const takenByBank = ({ state }: Call, charge: Charge): number =>
  [...state.disputes.values()]
    .filter((dispute) => dispute.charge === charge.id && !dispute.is_charge_refundable)
    .reduce((sum, { amount }) => sum + amount, 0)

/** `GET /v1/disputes/:id` */
export function retrieveDispute({ state }: Call, id: string): Result<Dispute> {
  const dispute = state.disputes.get(id)
  return dispute ? ok(dispute) : missing('dispute', id, 'id')
}

/** `GET /v1/disputes` */
export function listDisputes({ state }: Call, form: Form): Result<List<Dispute>> {
  const read = readForm(form, { ...listParameters, charge: text(), payment_intent: text() })
  if (!read.ok) return read
  const { charge, payment_intent: intent } = read.value
  const known = requireKnown(
    ['payment_intent', 'payment_intent', intent, state.paymentIntents],
    ['charge', 'charge', charge, state.charges],
  )
  if (!known.ok) return known
  const matching = [...state.disputes.values()].filter(
    (one) =>
      (charge === undefined || one.charge === charge) &&
      (intent === undefined || one.payment_intent === intent),
  )
  return listPage(matching, '/v1/disputes', 'dispute', read.value)
}

/** `POST /v1/disputes/:id`. As in Stripe's test mode the text of the evidence decides: `winning_evidence`, `losing_evidence`. */
export function updateDispute(call: Call, id: string, form: Form): Result<Dispute> {
  const read = readForm(form, {
    evidence: group({ uncategorized_text: text(20_000) }),
    submit: boolean,
    metadata,
    expand: ignored,
  })
  if (!read.ok) return read
  const found = retrieveDispute(call, id)
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
  if (evidence && submit) decide(call, dispute)
  return ok(dispute)
}

/** `POST /v1/disputes/:id/close`: nothing is brought forward against it, so it is lost. */
export function closeDispute(call: Call, id: string): Result<Dispute> {
  const found = retrieveDispute(call, id)
  if (!found.ok) return found
  if (!isOpen(found.value)) return alreadyClosed(found.value)
  close(call, found.value, 'lost')
  return found
}

function decide(call: Call, dispute: Dispute): void {
  const { uncategorized_text: said } = dispute.evidence
  if (said === 'winning_evidence') close(call, dispute, isInquiry(dispute) ? 'warning_closed' : 'won')
  if (said === 'losing_evidence') close(call, dispute, 'lost')
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
