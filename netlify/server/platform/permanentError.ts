import Stripe from 'stripe'

/**
 * Whether the provider has answered that it does not do what it was asked for. Under the same key it may answer so for a
 * day, its own failures (5xx) included, so a repetition may never end otherwise. A connection that was lost, another
 * request under the key that is still in progress (409) and a call that came too early (429) leave open what becomes of it.
 */
export function isPermanentError(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  const { statusCode } = error
  return statusCode !== undefined && statusCode !== 409 && statusCode !== 429
}
