import Stripe from 'stripe'
import { err, ok, type Result } from '../../../domain/result.ts'
import { follow, isFollowed } from '../operations/events.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { type Refusal, refusal } from '../platform/refusals.ts'

/** How far a signature's time may lie in the past or in the future. */
const TOLERANCE_SECONDS = 300

/**
 * Takes the provider's signed events. An event only says that something happened: what is true now is asked from
 * the provider, so events may come twice, late and in any order. Those that are about no attempt to pay, no debt and no plan
 * of this deployment are ignored.
 *
 * @throws Stripe's or Firestore's error; the provider then delivers the event again.
 */
export async function receiveEvent(
  context: PaymentContext,
  request: Request,
): Promise<Result<object, Refusal<'invalidSignature'>>> {
  const event = verifiedEvent(context, await request.text(), request.headers.get('stripe-signature') ?? '')
  if (!event) return err(refusal('invalidSignature'))
  if (isFollowed(event)) await follow(context, event)
  return ok({ received: true })
}

function verifiedEvent({ stripe, webhookSecret, now }: PaymentContext, body: string, header: string) {
  // The SDK refuses what is too old but not what is dated in the future, which could be replayed until then.
  const signedAt = header.split(',').findLast((part) => part.startsWith('t='))
  if (Number(signedAt?.slice(2)) * 1000 > now() + TOLERANCE_SECONDS * 1000) return null
  try {
    return stripe.webhooks.constructEvent(body, header, webhookSecret, TOLERANCE_SECONDS, undefined, now())
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
    throw error
  }
}
