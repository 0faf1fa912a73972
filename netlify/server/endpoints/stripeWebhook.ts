import Stripe from 'stripe'
import * as v from 'valibot'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { handleStripeEvent, isHandledEvent } from '../events/events.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { buildRefusal, type Refusal } from '../platform/refusals.ts'

const TOLERANCE_SECONDS = 300

const nameSchema = v.fallback(v.nullable(v.string()), null)
const eventNameSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.object({ id: nameSchema, type: nameSchema })),
  { id: null, type: null },
)

/**
 * Receives Stripe's signed events. The current state is fetched from Stripe, so events may arrive twice, late
 * and in any order. @throws Stripe's or Firestore's error; Stripe then delivers the event again.
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

/** Null for a signed event that the SDK does not know: an error would make Stripe repeat it for days. */
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
