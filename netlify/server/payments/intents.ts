import type Stripe from 'stripe'
import type { PaymentStarted } from '../../../domain/api.ts'
import { HOUR } from '../../../domain/duration.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import type { Context } from '../platform/context.ts'
import { type Attempt, type KeyedAttempt, parseAttempt } from '../platform/documents.ts'
import { traceOf } from '../platform/log.ts'
import { personsOf } from '../platform/metadata.ts'
import { isPermanentError } from '../platform/permanentError.ts'
import { attempts, chargeOf } from '../platform/records.ts'
import { type Refusal, refusal } from '../platform/refusals.ts'
import { freeReservation } from './reservations.ts'
import { openSavedCards } from './savedCards.ts'

/**
 * The provider may forget an idempotency key after 24 hours; a create call could then make a second PaymentIntent
 * for the same attempt. Past this age, in milliseconds, none is made any more.
 */
const KEY_LIFETIME = 23 * HOUR

/**
 * What the browser needs to pay for a reservation: its PaymentIntent, made or found again. Refuses when the attempt is over,
 * and ends it when the provider makes no PaymentIntent for it: the person begins another one.
 *
 * @throws Stripe's or Firestore's error; the reservation then stays, and calling again is safe.
 */
export async function startPayment(
  context: Context,
  reservation: KeyedAttempt,
): Promise<Result<PaymentStarted, Refusal<'attemptEnded'>>> {
  const intent = await findOrCreateIntent(context, reservation)
  if (!intent) {
    await freeUnlinked(context, reservation.key)
    return err(refusal('attemptEnded'))
  }
  const attempt = await linkIntent(context, reservation.key, intent.id)
  if (attempt.status === 'released') return err(refusal('attemptEnded'))
  if (attempt.paymentIntentId !== intent.id || !intent.client_secret)
    throw new Error('The attempt has another PaymentIntent')
  const { id: paymentIntentId, status, client_secret: clientSecret } = intent
  context.log({ level: 'info', event: 'paymentStarted', attempt: reservation.key, paymentIntentId, status })
  const customerSession = await openSavedCards(context, attempt.uid, intent)
  return ok({ clientSecret, paymentIntentId, status, customerSession })
}

/**
 * The PaymentIntent of an attempt: the one written down, or else the one that the attempt's idempotency key
 * stands for. Null when none is written down and there will be none: the attempt is over, it is too late to make one, or
 * the provider refuses to. A failure of the provider's own may have left one behind all the same; nobody learns its secret.
 *
 * @throws Stripe's error when it is not known what became of the call. Calling again is safe.
 */
export async function findOrCreateIntent(
  context: Context,
  { key, attempt }: KeyedAttempt,
): Promise<Stripe.PaymentIntent | null> {
  const { deployment, stripe, now, log } = context
  const { uid, kind, status, paymentIntentId, createdAt } = attempt
  if (paymentIntentId !== null) return stripe.paymentIntents.retrieve(paymentIntentId)
  if (status !== 'reserved') return null
  if (now() - createdAt > KEY_LIFETIME) return null
  const { amount, description } = chargeOf(attempt)
  try {
    return await stripe.paymentIntents.create(
      {
        amount: amount.minor,
        currency: amount.currency.toLowerCase(),
        // Whatever else is switched on at the provider: another method could take days to say whether it was paid.
        allowed_payment_method_types: ['card'],
        description,
        metadata: {
          deployment,
          kind,
          attemptKey: key,
          uid,
          ...personsOf(attempt),
        },
      },
      { idempotencyKey: `intent:${key}` },
    )
  } catch (error) {
    if (!isPermanentError(error)) throw error
    log({ level: 'error', event: 'paymentRefused', attempt: key, ...traceOf(error) })
    return null
  }
}

/**
 * Gives back what an attempt without a PaymentIntent holds.
 *
 * @throws when another call has found one meanwhile: somebody may be paying it.
 */
export async function freeUnlinked(context: Context, key: string): Promise<void> {
  const attempt = await freeReservation(context, key, null)
  if (attempt?.status !== 'released') throw new Error('The attempt has a PaymentIntent by now')
}

/**
 * Writes down which PaymentIntent an attempt has, before anybody learns its client secret: one that is not
 * written down can't have been paid. An attempt that has ended meanwhile gets none. Answers the attempt as it is then.
 */
async function linkIntent({ db }: Context, key: string, paymentIntentId: string): Promise<Attempt> {
  const ref = attempts(db).doc(key)
  return db.runTransaction(async (tx) => {
    const attempt = parseAttempt(await tx.get(ref))
    if (!attempt) throw new Error('The attempt is gone')
    if (attempt.paymentIntentId !== null || attempt.status !== 'reserved') return attempt
    tx.update(ref, { paymentIntentId })
    return { ...attempt, paymentIntentId }
  })
}
