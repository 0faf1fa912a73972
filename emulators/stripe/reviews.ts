import { type Form, ignored, readForm } from './form.ts'
import { type List, listPage, listParameters } from './lists.ts'
import { impossible, missing, ok, type Result } from './result.ts'
import { type Call, type Charge, newId, type Review, seconds } from './state.ts'

/** Radar puts a charge into the queue of those that somebody has to look at. */
export function openReview(call: Call, charge: Charge): void {
  const review: Review = {
    id: newId('prv'),
    object: 'review',
    billing_zip: null,
    charge: charge.id,
    closed_reason: null,
    created: seconds(call.clock),
    ip_address: null,
    ip_address_location: null,
    livemode: false,
    open: true,
    opened_reason: 'rule',
    payment_intent: charge.payment_intent,
    reason: 'rule',
    session: null,
  }
  call.state.reviews.set(review.id, review)
  charge.review = review.id
  const intent = call.state.paymentIntents.get(charge.payment_intent)
  if (intent) intent.review = review.id
  call.emit('review.opened', review)
}

/** Ends the review of a charge, if one is open. */
export function closeReview(
  call: Call,
  charge: Charge,
  why: 'approved' | 'refunded' | 'refunded_as_fraud' | 'disputed',
): void {
  const review = call.state.reviews.get(charge.review ?? '')
  if (!review?.open) return
  review.open = false
  review.closed_reason = why
  review.reason = why
  call.emit('review.closed', review)
}

/** `GET /v1/reviews/:id` */
export function retrieveReview({ state }: Call, id: string): Result<Review> {
  const review = state.reviews.get(id)
  return review ? ok(review) : missing('review', id, 'id')
}

/** `GET /v1/reviews`: those that are open. */
export function listReviews({ state }: Call, form: Form): Result<List<Review>> {
  const read = readForm(form, listParameters)
  if (!read.ok) return read
  const open = [...state.reviews.values()].filter((review) => review.open)
  return listPage(open, '/v1/reviews', 'review', read.value)
}

/** `POST /v1/reviews/:id/approve` */
export function approveReview(call: Call, id: string, form: Form): Result<Review> {
  const read = readForm(form, { expand: ignored })
  if (!read.ok) return read
  const found = retrieveReview(call, id)
  if (!found.ok) return found
  const charge = call.state.charges.get(found.value.charge)
  if (!found.value.open || !charge)
    return impossible({ message: `The review ${id} is closed and can't be approved.` })
  closeReview(call, charge, 'approved')
  return found
}
