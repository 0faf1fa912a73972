import type Stripe from 'stripe'
import type { StartedPayment } from '../../../domain/api/api.ts'
import { HOUR } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import type { Context } from '../platform/context.ts'
import { type Attempt, type KeyedAttempt, parseAttempt } from '../platform/documents.ts'
import { getTrace } from '../platform/log.ts'
import { toPersonsMetadata } from '../platform/metadata.ts'
import { isPermanentError } from '../platform/permanentError.ts'
import { attempts, getAttemptCharge } from '../platform/records.ts'
import { buildRefusal, type Refusal } from '../platform/refusals.ts'
import type { ReservedAttempt } from './reservation.ts'
import { freeReservation } from './reservations.ts'
import { createSavedCardsSession } from './savedCards.ts'

/** Stripe may forget a key after 24 hours, and then make a second PaymentIntent for the attempt. */
const KEY_LIFETIME = 23 * HOUR

/**
 * Returns what the browser needs to pay a reservation.
 * @throws Stripe's or Firestore's error; the reservation then stays, and calling again is safe.
 */
export async function startPayment(
  context: Context,
  reservation: ReservedAttempt,
): Promise<Result<StartedPayment, Refusal<'attemptEnded'>>> {
  const intent = await findOrCreateIntent(context, reservation)
  if (!intent) {
    await freeUnlinkedReservation(context, reservation.key)
    return err(buildRefusal('attemptEnded'))
  }
  const attempt = await linkIntent(context, reservation.key, intent.id)
  if (attempt.status === 'released') return err(buildRefusal('attemptEnded'))
  if (attempt.paymentIntentId !== intent.id || !intent.client_secret)
    throw new Error('The attempt has a different PaymentIntent')
  const { id: paymentIntentId, status, client_secret: clientSecret } = intent
  context.log({ level: 'info', event: 'paymentStarted', attempt: reservation.key, paymentIntentId, status })
  const customerSession = await createSavedCardsSession(context, intent, attempt.uid, reservation.customerId)
  return ok({ clientSecret, paymentIntentId, status, customerSession })
}

/**
 * Null if none can be created: the attempt is over or too old, or Stripe refuses. If Stripe's own failure
 * left a PaymentIntent behind, its secret stays unknown, so it can't be paid.
 * @throws Stripe's error when the outcome of the call is unknown. Calling again is safe.
 */
export async function findOrCreateIntent(
  context: Context,
  { key, attempt }: KeyedAttempt,
): Promise<Stripe.PaymentIntent | null> {
  const { deployment, stripe, now, log } = context
  const { uid, kind, status, paymentIntentId, createdAt, isFirst } = attempt
  if (paymentIntentId !== null) return stripe.paymentIntents.retrieve(paymentIntentId)
  if (status !== 'reserved') return null
  if (now() - createdAt > KEY_LIFETIME) return null
  const { amount, description } = getAttemptCharge(attempt)
  try {
    return await stripe.paymentIntents.create(
      {
        amount: amount.minor,
        currency: amount.currency.toLowerCase(),
        // By default ('automatic_async'), Stripe knows its fee only up to an hour after the charge.
        capture_method: 'automatic',
        // Other methods could take days to confirm a payment.
        allowed_payment_method_types: ['card'],
        ...(isFirst && { payment_method_options: { card: { request_three_d_secure: 'any' } } }),
        description,
        metadata: {
          deployment,
          kind,
          attemptKey: key,
          uid,
          ...toPersonsMetadata(attempt),
        },
      },
      { idempotencyKey: `intent:${key}` },
    )
  } catch (error) {
    if (!isPermanentError(error)) throw error
    log({ level: 'error', event: 'paymentRefused', attempt: key, ...getTrace(error) })
    return null
  }
}

/** @throws if another call has already stored a PaymentIntent, because the user may be paying it. */
export async function freeUnlinkedReservation(context: Context, key: string): Promise<void> {
  const attempt = await freeReservation(context, key, null)
  if (attempt?.status !== 'released') throw new Error('The attempt now has a PaymentIntent')
}

/** Runs before the client secret leaves the server: only a stored PaymentIntent can have been paid. */
async function linkIntent({ db }: Context, key: string, paymentIntentId: string): Promise<Attempt> {
  const ref = attempts(db).doc(key)
  return db.runTransaction(async (tx) => {
    const attempt = parseAttempt(await tx.get(ref))
    if (!attempt) throw new Error('The attempt does not exist')
    if (attempt.paymentIntentId !== null || attempt.status !== 'reserved') return attempt
    tx.update(ref, { paymentIntentId })
    return { ...attempt, paymentIntentId }
  })
}
