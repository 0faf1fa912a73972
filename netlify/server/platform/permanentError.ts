import Stripe from 'stripe'

/**
 * Stripe may repeat an error for a day under the same key, even after its own failures (5xx). A lost
 * connection, a concurrent request with the key (409) and a rate limit (429) leave the outcome open.
 */
export function isPermanentError(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  const { statusCode } = error
  return statusCode !== undefined && statusCode !== 409 && statusCode !== 429
}
