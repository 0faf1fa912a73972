import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import type { RequestOf } from '../../../domain/api.ts'
import { HOUR } from '../../../domain/duration.ts'
import { PLANS } from '../../../domain/plans.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import type { Tier } from '../../../domain/schemas/profile.ts'
import { checkMayPay } from '../payments/mayPay.ts'
import { dropCheckout, expire } from '../plans/checkouts.ts'
import { isLive, syncPlan } from '../plans/plans.ts'
import type { Caller } from '../platform/caller.ts'
import { checkOpen } from '../platform/closing.ts'
import type { Context } from '../platform/context.ts'
import { customerOf, replaceCustomer } from '../platform/customers.ts'
import { type Checkout, parseCustomer, requireCustomer } from '../platform/documents.ts'
import { planMetadata } from '../platform/metadata.ts'
import { isPermanentError } from '../platform/permanentError.ts'
import { customers, users } from '../platform/records.ts'
import { type RefusalBy, refusal } from '../platform/refusals.ts'

/** Specification, section 7. `locale`: the language of the provider's page. */
export type SubscriptionRequest = RequestOf<'create-subscription'>

/** Under these keys the prices are found at the provider, the same in its test and its live mode. */
export const LOOKUP_KEYS: Record<Tier, string> = { basic: 'passerelle_basic', premium: 'passerelle_premium' }

/** An hour before the provider may forget an idempotency key, in milliseconds. */
const KEY_LIFETIME = 23 * HOUR

/** A person who changes their mind in several tabs at once; whoever comes after that starts again. */
const MOST_TRIES = 4

/**
 * Opens the provider's checkout for a plan, or finds the one that is open: a person has at most one that can be paid, so
 * that a double tap, two tabs or a change of mind never make two plans. Refused while a plan runs.
 * Specification, sections 4 and 7.
 *
 * @param origin where the app is, for the way back.
 * @throws Stripe's or Firestore's error; calling again is safe, and after a refusal of the provider's it is another checkout.
 */
export async function createSubscription(
  context: Context,
  caller: Caller,
  { tier, userId, locale = 'fr' }: SubscriptionRequest,
  origin: string,
): Promise<Result<{ readonly url: string }, RefusalBy<'create-subscription'>>> {
  const { uid } = caller
  if (userId !== uid) return err(refusal('forbidden'))
  const open = await checkOpen(context)
  if (!open.ok) return open
  if (!(await users(context.db).doc(uid).get()).exists) return err(refusal('userNotFound'))
  const priceId = await priceOf(context, tier)
  if (priceId === null) return err(refusal('planUnavailable'))
  await customerOf(context, uid)
  const wanted = { tier, priceId, locale, origin }

  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    // The provider is asked, not the profile: news of a plan paid in another tab may still be on its way.
    const plan = await syncPlan(context, uid)
    if (plan?.billed && isLive(plan.billed)) return err(refusal('planActive'))
    if (plan && !plan.isCustomerKnown) await replaceCustomer(context, uid)
    const claimed = await claimCheckout(context, caller, wanted)
    if (!claimed.ok) return claimed
    const { customerId, checkout } = claimed.value
    const session = await sessionOf(context, uid, customerId, checkout)
    const isWanted = checkout.tier === tier && checkout.priceId === priceId
    if (session?.status === 'open' && session.url && isWanted)
      return (await linkSession(context, uid, checkout.key, session.id))
        ? ok({ url: session.url })
        : err(refusal('checkoutReplaced'))
    if (session?.status === 'open') await expire(context, session.id)
    await dropCheckout(context, uid, checkout.key, session?.id ?? null)
  }
  return err(refusal('checkoutReplaced'))
}

/** The price of a plan, if the provider charges what the app shows. */
async function priceOf({ stripe, log }: Context, tier: Tier): Promise<string | null> {
  const { data } = await stripe.prices.list({ lookup_keys: [LOOKUP_KEYS[tier]], active: true, limit: 1 })
  const price = data[0]
  if (price && isAsShown(price, tier)) return price.id
  log({ level: 'error', event: 'priceMismatch', lookupKey: LOOKUP_KEYS[tier], price: price?.id ?? null })
  return null
}

/** Whether a price is the one that the app shows for a plan. */
export function isAsShown({ unit_amount: cents, currency, recurring }: Stripe.Price, tier: Tier): boolean {
  const shown = PLANS[tier].price
  return (
    cents === shown.minor &&
    currency === shown.currency.toLowerCase() &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1
  )
}

/**
 * The person's checkout: the one there is, whatever it is for, or else a new one. It is written down before it is made. Refused
 * without a profile: a deletion of the account reads the customer, so one of the two sees the other.
 */
async function claimCheckout(
  context: Context,
  caller: Caller,
  wanted: Pick<Checkout, 'tier' | 'priceId' | 'locale' | 'origin'>,
): Promise<
  Result<{ readonly customerId: string; readonly checkout: Checkout }, RefusalBy<'create-subscription'>>
> {
  const { db, now } = context
  const { uid } = caller
  const ref = customers(db).doc(uid)
  return db.runTransaction(async (tx) => {
    const [profile, stored] = await tx.getAll(users(db).doc(uid), ref)
    const customer = parseCustomer(stored)
    if (!profile?.exists || !customer) return err(refusal('userNotFound'))
    const allowed = await checkMayPay(context, tx, caller)
    if (!allowed.ok) return allowed
    const { customerId, checkout: known } = customer
    if (known) return ok({ customerId, checkout: known })
    const checkout: Checkout = { ...wanted, key: randomUUID(), createdAt: now(), sessionId: null }
    tx.update(ref, { checkout, checkAt: now() })
    return ok({ customerId, checkout })
  })
}

/**
 * The session of a checkout. Null when none is written down and it is too late to find or make it. A checkout that the
 * provider refuses to make is dropped: under its key it may be refused for a day.
 */
async function sessionOf(
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
        metadata: planMetadata(context, uid, tier),
        subscription_data: { metadata: planMetadata(context, uid, tier) },
        success_url: `${origin}/settings?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${origin}/settings`,
      },
      { idempotencyKey: `checkout:${key}` },
    )
    .catch(async (error) => {
      if (isPermanentError(error)) await dropCheckout(context, uid, key, null)
      throw error
    })
  // An answer that is repeated is the first one, which may be long ago.
  return stripe.checkout.sessions.retrieve(made.id)
}

/** Writes down which session a checkout has, before anybody learns its address; false when another has taken its place. */
async function linkSession({ db }: Context, uid: string, key: string, sessionId: string): Promise<boolean> {
  const ref = customers(db).doc(uid)
  return db.runTransaction(async (tx) => {
    const { checkout } = requireCustomer(await tx.get(ref))
    if (checkout?.key !== key) return false
    if (checkout.sessionId === null) tx.update(ref, { checkout: { ...checkout, sessionId } })
    return true
  })
}
