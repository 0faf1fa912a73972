import Stripe from 'stripe'
import { err, ok, type Result } from '../../../domain/result.ts'
import { fallback, object, string } from '../../../domain/schema.ts'
import { handleStripeEvent, isHandledEvent } from '../operations/events.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { buildRefusal, type Refusal } from '../platform/refusals.ts'

/** How far a signature's time may lie in the past or in the future. */
const TOLERANCE_SECONDS = 300

/**
 * Receives Stripe's signed events. An event only says that something happened; the current state is fetched
 * from Stripe, so events may arrive twice, late and in any order. Ignores events that concern no attempt,
 * debt or plan of this deployment. @throws Stripe's or Firestore's error; Stripe then delivers the event
 * again.
 */
export async function receiveStripeEvent(
  context: PaymentContext,
  request: Request,
): Promise<Result<object, Refusal<'invalidSignature'>>> {
  const body = await request.text()
  const event = readEvent(context, body, request.headers.get('stripe-signature') ?? '')
  if (event === 'unsigned') return err(buildRefusal('invalidSignature'))
  if (event !== null && isHandledEvent(event)) await handleStripeEvent(context, event)
  else context.log({ level: 'info', event: 'eventUnknown', ...nameEvent(body) })
  return ok({ received: true })
}

/**
 * Verifies and parses an event. Returns null for a signed event that the SDK does not know, because an error
 * would make Stripe send the event again for days.
 */
function readEvent({ stripe, webhookSecret, now }: PaymentContext, body: string, header: string) {
  // The SDK refuses old signatures, but not ones from the future, which could be replayed for longer.
  const signedAt = header.split(',').findLast((part) => part.startsWith('t='))
  if (Number(signedAt?.slice(2)) * 1000 > now() + TOLERANCE_SECONDS * 1000) return 'unsigned'
  try {
    return stripe.webhooks.constructEvent(body, header, webhookSecret, TOLERANCE_SECONDS, undefined, now())
  } catch (error) {
    return error instanceof Stripe.errors.StripeSignatureVerificationError ? 'unsigned' : null
  }
}

/** Returns the fields of an event that identify it in the log. */
function nameEvent(body: string): { readonly id: string | null; readonly type: string | null } {
  try {
    return object({ id: fallback(string, null), type: fallback(string, null) })(JSON.parse(body))
  } catch {
    return { id: null, type: null }
  }
}
