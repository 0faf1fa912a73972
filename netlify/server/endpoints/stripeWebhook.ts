import Stripe from 'stripe'
import * as v from 'valibot'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { handleStripeEvent, isHandledEvent } from '../events/events.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { buildRefusal, type Refusal } from '../platform/refusals.ts'

/** How far a signature's time may lie in the past or in the future. */
const TOLERANCE_SECONDS = 300

const nameSchema = v.fallback(v.nullable(v.string()), null)
/** The fields of an event's JSON that identify it in the log. */
const eventNameSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.object({ id: nameSchema, type: nameSchema })),
  { id: null, type: null },
)

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
  else context.log({ level: 'info', event: 'eventUnknown', ...v.parse(eventNameSchema, body) })
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
