import type Stripe from 'stripe'
import { transferDescription } from '../../src/domain/transaction.ts'
import type { Context } from './context.ts'
import { type Attempt, attempts, type Reservation } from './records.ts'

/**
 * The provider may forget an idempotency key after 24 hours; a create call could then make a second PaymentIntent
 * for the same attempt. Past this age, in milliseconds, none is made any more.
 */
const KEY_LIFETIME = 23 * 3_600_000

/** A PaymentIntent that the functions made for a transfer. Nobody else writes metadata. */
export type TransferIntent = Stripe.PaymentIntent & {
  readonly metadata: { readonly attemptKey: string; readonly uid: string }
}

export function isTransferIntent(intent: Stripe.PaymentIntent): intent is TransferIntent {
  const { kind, attemptKey, uid } = intent.metadata
  return kind === 'transfer' && Boolean(attemptKey) && Boolean(uid)
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
  const { uid, paymentIntentId, transfer, createdAt } = attempt
  if (paymentIntentId !== null) return stripe.paymentIntents.retrieve(paymentIntentId)
  if (now() - createdAt > KEY_LIFETIME) return null
  return stripe.paymentIntents.create(
    {
      amount: transfer.gross.minor,
      currency: transfer.gross.currency.toLowerCase(),
      automatic_payment_methods: { enabled: true },
      description: transferDescription(transfer.phone),
      metadata: { kind: 'transfer', attemptKey: key, uid },
    },
    { idempotencyKey: `intent:${key}` },
  )
}

/**
 * Writes down which PaymentIntent an attempt has, before anybody learns its client secret: one that is not
 * written down can't have been paid. Answers the attempt as it is then.
 */
export async function linkIntent({ db }: Context, key: string, paymentIntentId: string): Promise<Attempt> {
  const ref = attempts(db).doc(key)
  return db.runTransaction(async (tx) => {
    const attempt = (await tx.get(ref)).data() as Attempt
    if (attempt.paymentIntentId !== null) return attempt
    tx.update(ref, { paymentIntentId })
    return { ...attempt, paymentIntentId }
  })
}
