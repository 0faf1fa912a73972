import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import type { Context } from '../platform/context.ts'
import { type Customer, parseCustomer, requireCustomer } from '../platform/documents.ts'
import { isPermanentError } from '../platform/permanentError.ts'
import { customers } from '../platform/records.ts'
import { getStripeId, returnNullIfMissing } from '../platform/returnNullIfMissing.ts'

/**
 * A user has one Stripe customer. Stripe may repeat a refusal for a day under the same key, so a retry uses
 * another key, which may leave an unused customer behind. @throws Stripe's or Firestore's error; calling
 * again is safe.
 */
export async function findOrCreateCustomer(
  context: Context,
  uid: string,
  options?: Stripe.RequestOptions,
): Promise<string> {
  const { db } = context
  const ref = customers(db).doc(uid)
  const first = parseCustomer(await ref.get())
  if (first) return first.customerId
  const customerId = await makeCustomer(context, uid, `customer:${uid}`, options)
  const made: Customer = { customerId, checkout: null, countedId: null, checkAt: null }
  return db.runTransaction(async (tx) => {
    const stored = parseCustomer(await tx.get(ref))
    if (stored) return stored.customerId
    tx.create(ref, made)
    return customerId
  })
}

/** Null for a customer of another deployment. @throws Firestore's error. */
export async function findCustomerOwner(
  { db }: Pick<Context, 'db'>,
  customer: string | { readonly id: string } | null,
): Promise<string | null> {
  if (customer === null) return null
  const found = await customers(db).where('customerId', '==', getStripeId(customer)).limit(1).get()
  return found.docs[0]?.id ?? null
}

/** Also drops the customer's open checkout, which can't be paid either. */
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

/** A customer that Stripe does not know stays: the key may belong to another Stripe account. */
export async function replaceDeletedCustomer(
  context: Context,
  uid: string,
  options: Stripe.RequestOptions,
): Promise<boolean> {
  const { db, stripe, log } = context
  const stored = parseCustomer(await customers(db).doc(uid).get())
  if (!stored) return false
  const { customerId } = stored
  const found = await returnNullIfMissing(stripe.customers.retrieve(customerId, {}, options))
  if (!found?.deleted) return false
  log({ level: 'error', event: 'customerUnknown', customerId })
  await replaceCustomer(context, uid)
  return true
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
