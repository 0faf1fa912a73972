import type Stripe from 'stripe'
import { fetchPersonKeys, getCardKeys } from '../accounts/persons.ts'
import { findCustomerOwner } from '../payments/customers.ts'
import { type Decline, listDeclines, recordDeclines } from '../payments/declines.ts'
import { releaseAttempt } from '../payments/release.ts'
import { parseAttempt } from '../platform/documents.ts'
import { type AttemptIntent, parsePersonKeys } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { attempts } from '../platform/records.ts'
import { endOpenPayments } from './pauses.ts'

/** A user who mistypes has chosen another card by then. */
const MAX_DECLINES_PER_ATTEMPT = 5

/**
 * Five declines end the attempt. Ten within a day for a person or a card end all open payments of the person.
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

/** @throws a hosted service's error; calling again is safe. */
export async function handlePlanDeclines(
  context: PaymentContext,
  { id, customer }: Stripe.PaymentIntent,
): Promise<void> {
  const uid = await findCustomerOwner(context, customer)
  if (uid !== null) await countOrEnd(context, uid, await listDeclines(context, id))
}

/** Counts under the event's ID, because a check has no charge. @throws a service's error; safe to repeat. */
export async function handleDeclinedCardCheck(
  context: PaymentContext,
  { id, created, data }: Stripe.SetupIntentSetupFailedEvent,
): Promise<void> {
  const { customer, last_setup_error: error } = data.object
  const uid = await findCustomerOwner(context, customer)
  const cards = getCardKeys(context, { payment_method_details: error?.payment_method ?? null })
  if (uid !== null) await countOrEnd(context, uid, [{ id, at: created * 1000, cards }])
}

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
