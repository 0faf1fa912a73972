import type Stripe from 'stripe'
import type { DeliveryOrder } from '../../../domain/delivery.ts'
import type { Context } from '../platform/context.ts'
import { redirectKey, redirectText } from '../platform/metadata.ts'

/**
 * Whether Stripe knows no more of where an order goes than the database does. What it does not know yet is written down there, before
 * anything is paid elsewhere: a database that was restored from a backup has forgotten it, and would pay where it went before. Each redirect
 * has a name of its own, so a process that slept changes none that came later.
 *
 * @throws Stripe's error; calling again is safe.
 */
export async function agreesOnRedirects(
  { stripe }: Pick<Context, 'stripe'>,
  { id, metadata }: Stripe.PaymentIntent,
  { redirects }: Pick<DeliveryOrder, 'redirects'>,
): Promise<boolean> {
  if (metadata[redirectKey(redirects.length + 1)] !== undefined) return false
  const own = redirects.map((redirect, index) => [redirectKey(index + 1), redirectText(redirect)] as const)
  if (own.some(([key, text]) => (metadata[key] ?? text) !== text)) return false
  const untold = own.filter(([key]) => metadata[key] === undefined)
  if (untold.length > 0) await stripe.paymentIntents.update(id, { metadata: Object.fromEntries(untold) })
  return true
}
