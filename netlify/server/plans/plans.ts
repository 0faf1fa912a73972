import type Stripe from 'stripe'
import { DAY, HOUR } from '../../../domain/duration.ts'
import { activePlan, type BilledPlan, cancelPlan, withBilledPlan } from '../../../domain/plans.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import type { Subscription, Tier } from '../../../domain/schemas/profile.ts'
import { newDebt } from '../payments/refunds.ts'
import type { Context } from '../platform/context.ts'
import { type Customer, parseCustomer } from '../platform/documents.ts'
import { planOwner } from '../platform/metadata.ts'
import { idOf, nullIfMissing } from '../platform/nullIfMissing.ts'
import { customers, refunds, storedSubscription, subscriptionOf, users } from '../platform/records.ts'
import { type Refusal, refusal } from '../platform/refusals.ts'

/** The provider charges a renewal about an hour after the period's end; to ask sooner tells nothing. */
const RENEWED_AFTER = 2 * HOUR

/** More than one person has in years: one at a time, and a new one only after the former has ended. */
const MOST_SUBSCRIPTIONS = 20

/** Whether the provider goes on with it. A renewal that failed is tried again for some days. */
export function isLive({ status }: Stripe.Subscription): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due'
}

interface SyncedPlan {
  readonly subscription: Subscription | null
  /** Whether the provider's subscription was ever stored in the profile. */
  readonly hasCounted: boolean
  readonly billed: Stripe.Subscription | null
  /** Plans of before, which could still be paid although there is another one now. */
  readonly unpaid: readonly Stripe.Subscription[]
  /**
   * False for a customer that was deleted at the provider or is another account's: nobody pays for the plan. It comes back with
   * the next look once the provider knows the customer again.
   */
  readonly isCustomerKnown: boolean
}

/**
 * Brings a person's stored plan to what the provider has now. Any number of calls in any order end the same, because
 * none of them looks at what it was called for. The provider is asked while the profile is locked: whoever asked
 * earlier can't write later. Specification, section 4.
 *
 * @returns the subscription that is stored, null without a profile, and the provider's; null for who never had a checkout.
 * @throws Stripe's or Firestore's error; nothing is written then.
 */
export async function syncPlan(context: Context, uid: string): Promise<SyncedPlan | null> {
  const { db, stripe, now, log } = context
  const user = users(db).doc(uid)
  const payer = customers(db).doc(uid)
  return db.runTransaction(async (tx) => {
    const [profile, stored] = await tx.getAll(user, payer)
    const customer = parseCustomer(stored)
    if (!customer) return null
    const { customerId } = customer
    const listed = await nullIfMissing(
      stripe.subscriptions.list({ customer: customerId, status: 'all', limit: MOST_SUBSCRIPTIONS }),
    )
    if (!listed) log({ level: 'error', event: 'customerUnknown', customerId })
    const mine = (listed?.data ?? []).filter(({ metadata }) => planOwner(context, metadata) === uid)
    const live = mine.filter(isLive)
    if (live.length > 1)
      log({ level: 'error', event: 'severalPlans', subscriptions: live.map(({ id }) => id) })
    const unpaid = live.length > 0 ? mine.filter(({ status }) => status === 'unpaid') : []
    const begun = mine.filter(({ status }) => !status.startsWith('incomplete'))
    const billed = live[0] ?? begun[0] ?? null
    const checkAt = listed ? checkTime(customer, billed, now()) : now() + DAY
    const countedId = profile?.exists && billed ? billed.id : (customer.countedId ?? null)
    if (checkAt !== customer.checkAt || countedId !== customer.countedId)
      tx.update(payer, { checkAt, countedId })
    const hasCounted = billed !== null && countedId === billed.id
    const isCustomerKnown = listed !== null
    const found = { hasCounted, billed, unpaid, isCustomerKnown }
    if (!profile?.exists) return { subscription: null, ...found }

    const before = subscriptionOf(profile.data())
    const after = billed
      ? withBilledPlan(before, billedPlan(billed, now()), now())
      : isCustomerKnown || !activePlan(before, now())
        ? before
        : cancelPlan(before, now())
    if (JSON.stringify(after) !== JSON.stringify(before))
      tx.update(user, { subscription: storedSubscription(after) })
    return { subscription: after, ...found }
  })
}

/**
 * The same for the sweep. What is owed for a plan that stayed unpaid is owed no more once there is another. A plan whose account is gone would be charged for ever: it ends at once. One that never counted, as
 * when it was paid while the account was deleted, is owed back.
 */
export async function checkPlan(context: Context, uid: string): Promise<string> {
  const plan = await syncPlan(context, uid)
  for (const former of plan?.unpaid ?? []) await endUnpaid(context, former)
  if (!plan?.billed || plan.subscription !== null || !isLive(plan.billed)) return 'planChecked'
  // First, because nobody looks any more at a plan that has ended.
  if (!plan.hasCounted) await owe(context, uid, plan.billed.id)
  await context.stripe.subscriptions.cancel(plan.billed.id)
  return 'planEnded'
}

/** Nobody pays any more what is owed for a plan that another one has followed. Repeating is safe. */
async function endUnpaid({ stripe }: Context, { id, latest_invoice: owed }: Stripe.Subscription) {
  const invoice = owed === null ? null : await stripe.invoices.retrieve(idOf(owed))
  if (invoice?.id && invoice.status === 'open') await stripe.invoices.voidInvoice(invoice.id)
  await nullIfMissing(stripe.subscriptions.cancel(id))
}

/** Writes down that all charges of a subscription go back; the next sweep pays them back. Repeating is safe. */
async function owe({ stripe, db, now }: Context, uid: string, subscription: string): Promise<void> {
  for await (const { id: invoice } of stripe.invoices.list({ subscription, status: 'paid', limit: 100 })) {
    for await (const { payment } of stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 })) {
      if (typeof payment.payment_intent !== 'string') continue
      const debt = refunds(db).doc(payment.payment_intent)
      await db.runTransaction(async (tx) => {
        if (!(await tx.get(debt)).exists) tx.create(debt, newDebt(uid, 'userGone', now()))
      })
    }
  }
}

/** The provider's subscription as the domain knows it. */
function billedPlan(billed: Stripe.Subscription, now: number): BilledPlan {
  const { id, metadata, start_date: startedAt, status } = billed
  const hasFailed =
    status === 'past_due' ||
    status === 'unpaid' ||
    (status === 'canceled' && billed.cancellation_details?.reason === 'payment_failed')
  return {
    stripeSubscriptionId: id,
    tier: metadata.tier as Tier,
    startedAt: startedAt * 1000,
    endsAt: endOf(billed, now),
    renewalFailed: hasFailed,
  }
}

/** When it ends or ended (UTC ms); null while it is to be renewed. */
function endOf(billed: Stripe.Subscription, now: number): number | null {
  const { cancel_at: cancelAt, cancel_at_period_end: ends, ended_at: endedAt } = billed
  // What has ended counts as ended, whatever our clock says. Without an end of its own, what is not paid is over.
  if (!isLive(billed)) return Math.min((endedAt ?? period(billed).start) * 1000, now)
  if (cancelAt !== null) return cancelAt * 1000
  return ends ? period(billed).end * 1000 : null
}

const period = ({ items }: Stripe.Subscription) => ({
  start: items.data[0]?.current_period_start ?? 0,
  end: items.data[0]?.current_period_end ?? 0,
})

/**
 * When somebody has to look without being told: once a day, and after each renewal or ending. A checkout that may
 * still be paid is looked at every hour.
 */
function checkTime({ checkout }: Customer, billed: Stripe.Subscription | null, now: number): number | null {
  if (billed && isLive(billed)) {
    const renewed = period(billed).end * 1000 + RENEWED_AFTER
    return renewed > now ? Math.min(renewed, now + DAY) : now + RENEWED_AFTER
  }
  return checkout && now < checkout.createdAt + CHECKOUT_LIFETIME ? now + HOUR : null
}

/** How long the provider lets a checkout be paid, and some more; in milliseconds. */
const CHECKOUT_LIFETIME = 26 * HOUR

/**
 * A subscription at the provider, for the person whose plan it is. Refuses with `planNotFound` what this deployment has not made, and with
 * `forbidden` what is somebody else's.
 *
 * @throws Stripe's error.
 */
export async function ownPlan(
  context: Context,
  uid: string,
  subscriptionId: string,
): Promise<Result<Stripe.Subscription, Refusal<'planNotFound' | 'forbidden'>>> {
  const subscription = await nullIfMissing(context.stripe.subscriptions.retrieve(subscriptionId))
  const owner = subscription && planOwner(context, subscription.metadata)
  if (!subscription || owner === null) return err(refusal('planNotFound'))
  return owner === uid ? ok(subscription) : err(refusal('forbidden'))
}
