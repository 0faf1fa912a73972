import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import type { Context } from './context.ts'
import { type Customer, parseCustomer, requireCustomer } from './documents.ts'
import { isPermanentError } from './permanentError.ts'
import { customers } from './records.ts'

/**
 * The one customer of a person at the provider, for plans and for saved cards alike; made when there is none. The provider may repeat
 * a refusal for a day under the same key, so the next try has another key. That may leave a customer behind that is written down
 * nowhere; it has no checkout and no card, so nothing is lost.
 *
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function customerOf(
  context: Context,
  uid: string,
  options?: Stripe.RequestOptions,
): Promise<string> {
  const { db } = context
  const ref = customers(db).doc(uid)
  const known = parseCustomer(await ref.get())
  if (known) return known.customerId
  const customerId = await makeCustomer(context, uid, `customer:${uid}`, options)
  const made: Customer = { customerId, checkout: null, countedId: null, checkAt: null }
  return db.runTransaction(async (tx) => {
    const stored = parseCustomer(await tx.get(ref))
    if (stored) return stored.customerId
    tx.create(ref, made)
    return customerId
  })
}

/** For a customer that the provider does not know: what was under way with it can't be paid either. */
export async function replaceCustomer(context: Context, uid: string): Promise<void> {
  const { db } = context
  const ref = customers(db).doc(uid)
  const { customerId: unknown } = requireCustomer(await ref.get())
  const customerId = await makeCustomer(context, uid, `customer:${uid}:${unknown}`)
  await db.runTransaction(async (tx) => {
    const customer = requireCustomer(await tx.get(ref))
    if (customer.customerId === unknown) tx.update(ref, { customerId, checkout: null })
  })
}

async function makeCustomer(
  { deployment, stripe }: Context,
  uid: string,
  key: string,
  options?: Stripe.RequestOptions,
): Promise<string> {
  const create = (idempotencyKey: string) =>
    stripe.customers.create({ metadata: { deployment, uid } }, { ...options, idempotencyKey })
  const { id } = await create(key).catch((error) => {
    if (!isPermanentError(error)) throw error
    return create(`${key}:${randomUUID()}`)
  })
  return id
}
