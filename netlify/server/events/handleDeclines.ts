import type Stripe from 'stripe'
import { type Decline, listDeclines, recordDeclines } from '../payments/declines.ts'
import { releaseAttempt } from '../payments/release.ts'
import { findCustomerOwner } from '../platform/customers.ts'
import { parseAttempt } from '../platform/documents.ts'
import { type AttemptIntent, parsePersonKeys } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { fetchPersonKeys, getCardKeys } from '../platform/persons.ts'
import { attempts } from '../platform/records.ts'
import { endOpenPayments } from './pauses.ts'

/** How many declined charges end an attempt. A user who mistypes has chosen another card by then. */
const MAX_DECLINES_PER_ATTEMPT = 5

/**
 * Handles the declined charges of a payment. Five end the attempt; the user may begin another one. Ten within
 * a day for a person or a card end all open payments of the person, who then can't begin another.
 *
 * @throws a hosted service's error; calling again is safe.
 */
export async function handleDeclines(context: PaymentContext, intent: AttemptIntent): Promise<void> {
  const { attemptKey: key, uid } = intent.metadata
  const declined = await listDeclines(context, intent.id)
  if (await countOrEnd(context, uid, declined, parsePersonKeys(intent))) return
  if (declined.length < MAX_DECLINES_PER_ATTEMPT) return
  const promised = parseAttempt(await attempts(context.db).doc(key).get())
  if (promised?.status === 'reserved') await releaseAttempt(context, { key, attempt: promised })
}

/**
 * Handles the declined charges of a plan, at its checkout or later. They count like those of a payment.
 *
 * @throws a hosted service's error; calling again is safe.
 */
export async function handlePlanDeclines(
  context: PaymentContext,
  { id, customer }: Stripe.PaymentIntent,
): Promise<void> {
  const uid = await findCustomerOwner(context, customer)
  if (uid !== null) await countOrEnd(context, uid, await listDeclines(context, id))
}

/**
 * Handles a declined check of a card that was to be saved for a plan. Counts it under the event's ID, because
 * a check has no charge.
 *
 * @throws a hosted service's error; calling again is safe.
 */
export async function handleDeclinedCardCheck(
  context: PaymentContext,
  { id, created, data }: Stripe.SetupIntentSetupFailedEvent,
): Promise<void> {
  const { customer, last_setup_error: error } = data.object
  const uid = await findCustomerOwner(context, customer)
  const cards = getCardKeys(context, { payment_method_details: error?.payment_method ?? null })
  if (uid !== null) await countOrEnd(context, uid, [{ id, at: created * 1000, cards }])
}

/** Counts a person's declines. If there are too many, ends everything that is open and returns true. */
async function countOrEnd(
  context: PaymentContext,
  uid: string,
  declined: readonly Decline[],
  known: readonly string[] = [],
): Promise<boolean> {
  const names = await fetchPersonKeys(context, uid, known)
  const isPaused = await recordDeclines(context, declined, names)
  if (isPaused) await endOpenPayments(context, uid, names)
  return isPaused
}
