import type Stripe from 'stripe'
import { err, ok, type Result } from '../../src/domain/result.ts'
import type { Context } from './context.ts'
import { type Problem, problem } from './problems.ts'
import { type Attempt, attempts, chargeOf, type Reservation } from './records.ts'

/**
 * The provider may forget an idempotency key after 24 hours; a create call could then make a second PaymentIntent
 * for the same attempt. Past this age, in milliseconds, none is made any more.
 */
const KEY_LIFETIME = 23 * 3_600_000

export interface PaymentStarted {
  readonly clientSecret: string
  readonly paymentIntentId: string
  /** The provider's status of the PaymentIntent: an attempt that is repeated may be paid already. */
  readonly status: string
}

/** A PaymentIntent that the functions made for an attempt. Nobody else writes metadata. */
export type AttemptIntent = Stripe.PaymentIntent & {
  readonly metadata: {
    readonly kind: Attempt['kind']
    readonly attemptKey: string
    readonly uid: string
  }
}

export function isAttemptIntent(intent: Stripe.PaymentIntent): intent is AttemptIntent {
  const { kind, attemptKey, uid } = intent.metadata
  return (kind === 'transfer' || kind === 'invoice') && Boolean(attemptKey) && Boolean(uid)
}

/**
 * What the browser needs to pay for a reservation: its PaymentIntent, made or found again. Refuses when the attempt is over.
 *
 * @throws Stripe's or Firestore's error. Calling again is safe.
 */
export async function startPayment(
  context: Context,
  reservation: Reservation,
): Promise<Result<PaymentStarted, Problem>> {
  const intent = await intentOf(context, reservation)
  if (!intent) return err(problem('attemptEnded'))
  const attempt = await linkIntent(context, reservation.key, intent.id)
  if (attempt.status === 'released') return err(problem('attemptEnded'))
  if (attempt.paymentIntentId !== intent.id || !intent.client_secret)
    throw new Error('The attempt has another PaymentIntent')
  const { id: paymentIntentId, status, client_secret: clientSecret } = intent
  context.log({ level: 'info', event: 'paymentStarted', attempt: reservation.key, paymentIntentId, status })
  return ok({ clientSecret, paymentIntentId, status })
}

/**
 * The PaymentIntent of an attempt: the one written down, or else the one that the attempt's idempotency key
 * stands for. Null when none is written down and it is too late to make one.
 *
 * @throws Stripe's error when the provider refuses or does not answer. Calling again is safe.
 */
export async function intentOf(
  { stripe, now }: Context,
  { key, attempt }: Reservation,
): Promise<Stripe.PaymentIntent | null> {
  const { uid, kind, paymentIntentId, createdAt } = attempt
  if (paymentIntentId !== null) return stripe.paymentIntents.retrieve(paymentIntentId)
  if (now() - createdAt > KEY_LIFETIME) return null
  const { amount, description } = chargeOf(attempt)
  return stripe.paymentIntents.create(
    {
      amount: amount.minor,
      currency: amount.currency.toLowerCase(),
      automatic_payment_methods: { enabled: true },
      description,
      metadata: { kind, attemptKey: key, uid },
    },
    { idempotencyKey: `intent:${key}` },
  )
}

/**
 * Writes down which PaymentIntent an attempt has, before anybody learns its client secret: one that is not
 * written down can't have been paid. Answers the attempt as it is then.
 */
async function linkIntent({ db }: Context, key: string, paymentIntentId: string): Promise<Attempt> {
  const ref = attempts(db).doc(key)
  return db.runTransaction(async (tx) => {
    const attempt = (await tx.get(ref)).data() as Attempt
    if (attempt.paymentIntentId !== null) return attempt
    tx.update(ref, { paymentIntentId })
    return { ...attempt, paymentIntentId }
  })
}
