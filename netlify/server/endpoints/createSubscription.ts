import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import type { Tier } from '../../../domain/account/profileSchema.ts'
import type { FunctionRequest } from '../../../domain/api/api.ts'
import { HOUR } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { findOrCreateCustomer, replaceCustomer } from '../payments/customers.ts'
import { checkPaymentsOpen } from '../payments/paymentsState.ts'
import { checkNewPaymentAllowed } from '../payments/restrictions.ts'
import { dropCheckout, expireCheckoutSession } from '../plans/checkouts.ts'
import { isLiveSubscription, syncPlan } from '../plans/plans.ts'
import { isShownPrice, PRICE_LOOKUP_KEYS } from '../plans/prices.ts'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { type Checkout, parseCustomer, requireCustomer } from '../platform/documents.ts'
import { buildPlanMetadata } from '../platform/metadata.ts'
import { isPermanentError } from '../platform/permanentError.ts'
import { customers, users } from '../platform/records.ts'
import { buildRefusal, type FunctionRefusal } from '../platform/refusals.ts'

export type SubscriptionRequest = FunctionRequest<'create-subscription'>

/** Stripe may forget a key an hour later. */
const KEY_LIFETIME = 23 * HOUR

/** Suffices if a user chooses plans in several tabs at the same time. */
const MAX_ATTEMPTS = 4

/**
 * A user has at most one checkout that can be paid, so that a double tap or two tabs never make two plans.
 * Specification, sections 4 and 7.
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function createSubscription(
  context: Context,
  caller: Caller,
  { tier, userId, locale = 'fr' }: SubscriptionRequest,
  origin: string,
): Promise<Result<{ readonly url: string }, FunctionRefusal<'create-subscription'>>> {
  const { uid } = caller
  if (userId !== uid) return err(buildRefusal('forbidden'))
  const open = await checkPaymentsOpen(context)
  if (!open.ok) return open
  if (!(await users(context.db).doc(uid).get()).exists) return err(buildRefusal('userNotFound'))
  const priceId = await findPriceId(context, tier)
  if (priceId === null) return err(buildRefusal('planUnavailable'))
  await findOrCreateCustomer(context, uid)
  const wanted = { tier, priceId, locale, origin }

  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    // Ask Stripe, because the webhook of a plan paid in another tab may be on its way.
    const plan = await syncPlan(context, uid)
    if (plan?.billed && isLiveSubscription(plan.billed)) return err(buildRefusal('planActive'))
    if (plan && !plan.isCustomerKnown) await replaceCustomer(context, uid)
    const claimed = await claimCheckout(context, caller, wanted)
    if (!claimed.ok) return claimed
    const { customerId, checkout } = claimed.value
    const session = await findOrCreateSession(context, uid, customerId, checkout)
    const isWanted = checkout.tier === tier && checkout.priceId === priceId
    if (session?.status === 'open' && session.url && isWanted)
      return (await linkSession(context, uid, checkout.key, session.id))
        ? ok({ url: session.url })
        : err(buildRefusal('checkoutReplaced'))
    if (session?.status === 'open') await expireCheckoutSession(context, session.id)
    await dropCheckout(context, uid, checkout.key, session?.id ?? null)
  }
  return err(buildRefusal('checkoutReplaced'))
}

/** Null unless Stripe's price is the one that the app shows. */
async function findPriceId({ stripe, log }: Context, tier: Tier): Promise<string | null> {
  const { data } = await stripe.prices.list({
    lookup_keys: [PRICE_LOOKUP_KEYS[tier]],
    active: true,
    limit: 1,
  })
  const price = data[0]
  if (price && isShownPrice(price, tier)) return price.id
  log({
    level: 'error',
    event: 'priceMismatch',
    lookupKey: PRICE_LOOKUP_KEYS[tier],
    price: price?.id ?? null,
  })
  return null
}

/** Reads the profile; the deletion of an account reads the customer, so one transaction sees the other. */
async function claimCheckout(
  context: Context,
  caller: Caller,
  wanted: Pick<Checkout, 'tier' | 'priceId' | 'locale' | 'origin'>,
): Promise<
  Result<{ readonly customerId: string; readonly checkout: Checkout }, FunctionRefusal<'create-subscription'>>
> {
  const { db, now } = context
  const { uid } = caller
  const ref = customers(db).doc(uid)
  return db.runTransaction(async (tx) => {
    const [profile, stored] = await tx.getAll(users(db).doc(uid), ref)
    const customer = parseCustomer(stored)
    if (!profile?.exists || !customer) return err(buildRefusal('userNotFound'))
    const allowed = await checkNewPaymentAllowed(context, tx, caller)
    if (!allowed.ok) return allowed
    const { customerId, checkout: current } = customer
    if (current) return ok({ customerId, checkout: current })
    const checkout: Checkout = { ...wanted, key: randomUUID(), createdAt: now(), sessionId: null }
    tx.update(ref, { checkout, checkAt: now() })
    return ok({ customerId, checkout })
  })
}

/** A checkout that Stripe refuses is dropped, because its key may be refused for a day. */
async function findOrCreateSession(
  context: Context,
  uid: string,
  customer: string,
  { key, tier, priceId, locale, origin, createdAt, sessionId }: Checkout,
): Promise<Stripe.Checkout.Session | null> {
  const { stripe, now } = context
  if (sessionId !== null) return stripe.checkout.sessions.retrieve(sessionId)
  if (now() - createdAt > KEY_LIFETIME) return null
  const made = await stripe.checkout.sessions
    .create(
      {
        mode: 'subscription',
        customer,
        client_reference_id: uid,
        line_items: [{ price: priceId, quantity: 1 }],
        allowed_payment_method_types: ['card'],
        locale,
        metadata: buildPlanMetadata(context, uid, tier),
        subscription_data: { metadata: buildPlanMetadata(context, uid, tier) },
        success_url: `${origin}/settings?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${origin}/settings`,
      },
      { idempotencyKey: `checkout:${key}` },
    )
    .catch(async (error) => {
      if (isPermanentError(error)) await dropCheckout(context, uid, key, null)
      throw error
    })
  // A repeated call returns the first answer, which may be outdated.
  return stripe.checkout.sessions.retrieve(made.id)
}

/** Stores the session before the server sends its URL; false if another checkout has replaced it. */
async function linkSession({ db }: Context, uid: string, key: string, sessionId: string): Promise<boolean> {
  const ref = customers(db).doc(uid)
  return db.runTransaction(async (tx) => {
    const { checkout } = requireCustomer(await tx.get(ref))
    if (checkout?.key !== key) return false
    if (checkout.sessionId === null) tx.update(ref, { checkout: { ...checkout, sessionId } })
    return true
  })
}
