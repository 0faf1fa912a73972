import type { Context } from '../platform/context.ts'
import { parseCustomer, requireCustomer } from '../platform/documents.ts'
import { customers } from '../platform/records.ts'

/**
 * Only for a checkout whose session nobody can pay any more (pass its id), or that has none whose address anybody has learned
 * (pass null).
 */
export async function dropCheckout(
  { db }: Context,
  uid: string,
  key: string,
  sessionId: string | null,
): Promise<void> {
  const ref = customers(db).doc(uid)
  await db.runTransaction(async (tx) => {
    const { checkout } = requireCustomer(await tx.get(ref))
    if (checkout?.key !== key) return
    if (checkout.sessionId === null || checkout.sessionId === sessionId) tx.update(ref, { checkout: null })
  })
}

/**
 * Ends the checkout of a person, if there is one, so that nobody can pay it any more. What was paid before that is found by
 * the next look at the plans.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function endCheckout(context: Context, uid: string): Promise<void> {
  const stored = parseCustomer(await customers(context.db).doc(uid).get())
  if (!stored?.checkout) return
  const { key, sessionId } = stored.checkout
  if (sessionId !== null) await expire(context, sessionId)
  await dropCheckout(context, uid, key, sessionId)
}

/** Ends a checkout's session. One that was paid in this moment is no longer open; the next look at the plans finds it. */
export async function expire({ stripe }: Context, sessionId: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(sessionId)
  } catch (error) {
    const { status } = await stripe.checkout.sessions.retrieve(sessionId)
    if (status === 'open') throw error
  }
}
