import type { Context } from '../platform/context.ts'
import { parseCustomer, requireCustomer } from '../platform/documents.ts'
import { customers } from '../platform/records.ts'
import { returnNullIfMissing } from '../platform/returnNullIfMissing.ts'

/** `sessionId`: of a session that can no longer be paid, or null if its URL was never sent. */
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

/** The next sync of the plan finds an earlier payment. @throws a service's error; calling again is safe. */
export async function endCheckout(context: Context, uid: string): Promise<void> {
  const stored = parseCustomer(await customers(context.db).doc(uid).get())
  if (!stored?.checkout) return
  const { key, sessionId } = stored.checkout
  if (sessionId !== null) await expireCheckoutSession(context, sessionId)
  await dropCheckout(context, uid, key, sessionId)
}

/** Expires all Stripe pages of the user. @throws Stripe's or Firestore's error; calling again is safe. */
export async function expireOpenPages(context: Context, uid: string): Promise<void> {
  const stored = parseCustomer(await customers(context.db).doc(uid).get())
  if (!stored) return
  const { customerId: customer } = stored
  const open = await returnNullIfMissing(
    context.stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }),
  )
  for (const { id } of open?.data ?? []) await expireCheckoutSession(context, id)
}

/** If the session was already paid, the next sync of the plan finds the payment. */
export async function expireCheckoutSession({ stripe }: Context, sessionId: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(sessionId)
  } catch (error) {
    const { status } = await stripe.checkout.sessions.retrieve(sessionId)
    if (status === 'open') throw error
  }
}
