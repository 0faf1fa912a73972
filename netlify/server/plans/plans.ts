import type Stripe from 'stripe'
import * as v from 'valibot'
import {
  type RenewalConfirmation,
  type Subscription,
  type Tier,
  tierSchema,
} from '../../../domain/account/profileSchema.ts'
import { DAY, HOUR } from '../../../domain/common/duration.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { bookPlanReturned } from '../../../domain/journal/movements.ts'
import {
  applyBilledPlan,
  type BilledPlan,
  cancelPlan,
  getActivePlan,
  getPaidUntil,
} from '../../../domain/prices/plans.ts'
import { buildDebt } from '../payments/refunds.ts'
import type { Context } from '../platform/context.ts'
import { type Customer, parseCustomer } from '../platform/documents.ts'
import { toJournalCurrency, writeJournal } from '../platform/journal.ts'
import { parsePlanMetadata } from '../platform/metadata.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { customers, parseSubscription, refunds, toStoredSubscription, users } from '../platform/records.ts'
import { buildRefusal, type Refusal } from '../platform/refusals.ts'
import { getStripeId, returnNullIfMissing } from '../platform/returnNullIfMissing.ts'
import { areInvoicesBooked, bookPlanCharges, type PlanInvoices } from './planCharges.ts'
import { findPaidTier } from './prices.ts'

/** Stripe charges a renewal about an hour after the period's end. */
const RENEWED_AFTER = 2 * HOUR

/** More than anyone has in years, because a new one begins only after the last has ended. */
const MAX_SUBSCRIPTIONS = 20

/** Stripe no longer charges these, or never charged them. */
const OVER = ['canceled', 'unpaid', 'incomplete', 'incomplete_expired']

/** Stripe renews these. A failed renewal is tried again for some days. */
const RENEWED = ['active', 'trialing', 'past_due']

const isKnown = ({ status }: Stripe.Subscription) => [...OVER, ...RENEWED, 'paused'].includes(status)

/** A user with such a subscription can't have a second one. */
export function isLiveSubscription({ status }: Stripe.Subscription): boolean {
  return !OVER.includes(status)
}

interface SyncedPlan extends PlanInvoices {
  readonly subscription: Subscription | null
  readonly hasCounted: boolean
  readonly billed: Stripe.Subscription | null
  /** Former plans that could still be paid although another plan has replaced them. */
  readonly unpaid: readonly Stripe.Subscription[]
  /**
   * False for a customer that was deleted at Stripe or belongs to another account: its plan ends with the
   * paid month, and returns once Stripe knows the customer again.
   */
  readonly isCustomerKnown: boolean
}

/**
 * Updates a stored plan from Stripe, independent of the number, order or cause of calls. Stripe is asked
 * while the profile is locked, so an older answer can't be written later. Null if the user never had a
 * checkout. Specification, section 4. @throws Stripe's or Firestore's error; nothing is written then.
 */
export async function syncPlan(context: Context, uid: string): Promise<SyncedPlan | null> {
  const { db, stripe, now, log } = context
  const user = users(db).doc(uid)
  const payer = customers(db).doc(uid)
  return db.runTransaction(async (tx) => {
    const [profile, stored] = await tx.getAll(user, payer)
    const customer = parseCustomer(stored)
    if (!customer) return null
    const { customerId, bookedInvoices = [] } = customer
    const listed = await returnNullIfMissing(
      stripe.subscriptions.list({
        customer: customerId,
        status: 'all',
        limit: MAX_SUBSCRIPTIONS,
        expand: ['data.latest_invoice'],
      }),
    )
    if (!listed) log({ level: 'error', event: 'customerUnknown', customerId })
    const own = (listed?.data ?? []).filter(
      ({ metadata }) => parsePlanMetadata(context, metadata)?.uid === uid,
    )
    const live = own.filter(isLiveSubscription)
    if (live.length > 1)
      log({ level: 'error', event: 'multiplePlans', subscriptions: live.map(({ id }) => id) })
    const unpaid = live.length > 0 ? own.filter(({ status }) => status === 'unpaid') : []
    const begun = own.filter(({ status }) => !status.startsWith('incomplete'))
    const billed = live[0] ?? begun[0] ?? null
    if (billed?.status === 'canceled') await voidOwed(context, billed.latest_invoice)
    if (billed && !isKnown(billed))
      log({ level: 'error', event: 'planStatusUnknown', subscriptionId: billed.id, status: billed.status })
    const checkAt = listed ? computeCheckTime(customer, billed, now()) : now() + DAY
    // The due-work job books what no webhook has booked.
    const dueAt = areInvoicesBooked({ own, bookedInvoices }) ? checkAt : now()
    const countedId = profile?.exists && billed ? billed.id : (customer.countedId ?? null)
    if (dueAt !== customer.checkAt || countedId !== customer.countedId)
      tx.update(payer, { checkAt: dueAt, countedId })
    const hasCounted = billed !== null && countedId === billed.id
    const isCustomerKnown = listed !== null
    const checks = { checkAt, storedCheckAt: dueAt }
    const found = { hasCounted, billed, own, bookedInvoices, ...checks, unpaid, isCustomerKnown }
    if (!profile?.exists) return { subscription: null, ...found }

    const before = parseSubscription(profile.data())
    const after = billed
      ? applyBilledPlan(before, await toBilledPlan(context, billed, before), now())
      : endUnbilled(before, now())
    if (isCustomerKnown && !billed && after !== before)
      log({ level: 'error', event: 'planMissing', uid, subscriptionId: before.stripeSubscriptionId })
    if (JSON.stringify(after) !== JSON.stringify(before))
      tx.update(user, { subscription: toStoredSubscription(after) })
    return { subscription: after, ...found }
  })
}

/**
 * Voids an unpaid former plan. The plan of a deleted account ends immediately, or it would be charged for
 * ever; if it never took effect, its charges are refunded.
 */
export async function reconcilePlan(context: PaymentContext, uid: string): Promise<string> {
  const plan = await syncPlan(context, uid)
  const outcome = await endDeletedPlan(context, uid, plan)
  if (plan) await bookPlanCharges(context, uid, plan)
  return outcome
}

async function endDeletedPlan(context: Context, uid: string, plan: SyncedPlan | null): Promise<string> {
  for (const former of plan?.unpaid ?? []) await endUnpaid(context, former)
  if (!plan?.billed || plan.subscription !== null || !isLiveSubscription(plan.billed)) return 'planChecked'
  // A plan that has ended is not checked again.
  if (!plan.hasCounted) await createRefundDebts(context, uid, plan.billed.id)
  await context.stripe.subscriptions.cancel(plan.billed.id)
  return 'planEnded'
}

/** Repeating is safe. */
async function endUnpaid(context: Context, { id, latest_invoice: owed }: Stripe.Subscription) {
  await voidOwed(context, owed && (await context.stripe.invoices.retrieve(getStripeId(owed))))
  await returnNullIfMissing(context.stripe.subscriptions.cancel(id))
}

/** The invoice must not be paid on its page after the plan has ended. */
async function voidOwed({ stripe }: Context, owed: Stripe.Subscription['latest_invoice']): Promise<void> {
  if (owed && typeof owed !== 'string' && owed.id && owed.status === 'open')
    await stripe.invoices.voidInvoice(owed.id)
}

/** The next run of the due-work job refunds the charges. Repeating is safe. */
async function createRefundDebts(context: Context, uid: string, subscription: string): Promise<void> {
  const { stripe, db, now } = context
  for await (const { id: invoice } of stripe.invoices.list({ subscription, status: 'paid', limit: 100 })) {
    for await (const one of stripe.invoicePayments.list({ invoice, status: 'paid', limit: 100 })) {
      const { amount_paid: minor, currency: code, payment } = one
      const { payment_intent: id } = payment
      if (typeof id !== 'string') continue
      const debt = refunds(db).doc(id)
      const returned = bookPlanReturned({ minor: minor ?? 0, currency: toJournalCurrency(code) })
      await db.runTransaction(async (tx) => {
        if ((await tx.get(debt)).exists) return
        tx.create(debt, buildDebt(uid, 'userGone', now()))
        writeJournal(context, tx, id, 'returned', returned)
      })
    }
  }
}

/** Ends a plan that Stripe no longer bills with the paid month, or immediately if the month is unpaid. */
function endUnbilled(before: Subscription, now: number): Subscription {
  if (before.status !== 'active' || !getActivePlan(before, now)) return before
  return cancelPlan(before, (before.renewalFailed ? null : getPaidUntil(before, now)) ?? now)
}

async function toBilledPlan(
  context: Context,
  billed: Stripe.Subscription,
  before: Subscription,
): Promise<BilledPlan> {
  const { id, start_date: startedAt, status } = billed
  const hasFailed =
    status === 'past_due' ||
    status === 'unpaid' ||
    (status === 'canceled' && billed.cancellation_details?.reason === 'payment_failed')
  return {
    stripeSubscriptionId: id,
    tier: determineTier(context, billed, before),
    startedAt: startedAt * 1000,
    endsAt: determineEnd(billed, context.now()),
    unpaidSince: hasFailed ? period(billed).start * 1000 : null,
    confirmation: await findConfirmation(context, billed),
  }
}

/** Null unless the bank wants the cardholder to confirm a renewal. */
async function findConfirmation(
  { stripe }: Context,
  { status, latest_invoice: invoice }: Stripe.Subscription,
): Promise<RenewalConfirmation | null> {
  if (status !== 'past_due' || !invoice || typeof invoice === 'string' || invoice.status !== 'open')
    return null
  const { id, hosted_invoice_url: url, next_payment_attempt: nextAt } = invoice
  if (!id || !url) return null
  const { data } = await stripe.invoicePayments.list({
    invoice: id,
    expand: ['data.payment.payment_intent'],
  })
  const isAwaited = data.some(({ payment: { payment_intent: intent } }) => {
    return intent && typeof intent !== 'string' && intent.status === 'requires_action'
  })
  return isAwaited ? { url, keptUntil: nextAt === null ? null : nextAt * 1000 } : null
}

/** With an unknown price the subscription keeps its tier, and an operator is alerted. */
function determineTier({ log }: Context, billed: Stripe.Subscription, before: Subscription): Tier {
  const { id, items, metadata } = billed
  const paid = findPaidTier(billed)
  if (paid) return paid
  log({
    level: 'error',
    event: 'planPriceUnknown',
    subscriptionId: id,
    prices: items.data.map(({ price }) => price.id),
  })
  const isKnown = before.stripeSubscriptionId === id && before.tier !== null
  return isKnown ? before.tier : v.parse(tierSchema, metadata.tier)
}

/** UTC ms; null if the subscription will be renewed. */
function determineEnd(billed: Stripe.Subscription, now: number): number | null {
  const { cancel_at: cancelAt, cancel_at_period_end: ends, ended_at: endedAt } = billed
  const { start, end } = period(billed)
  // Ended, even if our clock is behind. Without `ended_at`, the subscription ended with the paid period.
  if (!isLiveSubscription(billed)) return Math.min((endedAt ?? start) * 1000, now)
  if (!isPeriodPaid(billed)) return Math.min(start * 1000, now)
  const isRenewed = RENEWED.includes(billed.status) && !billed.pause_collection
  if (cancelAt !== null) return (isRenewed ? cancelAt : Math.min(cancelAt, end)) * 1000
  return ends || !isRenewed ? end * 1000 : null
}

/** Stripe leaves a subscription `active` while its collection is paused. */
function isPeriodPaid({ latest_invoice: invoice, pause_collection: pause }: Stripe.Subscription): boolean {
  if (!invoice || typeof invoice === 'string' || invoice.status === 'paid') return true
  // Invoices for a price change or other reasons say nothing about the period.
  if (invoice.billing_reason !== 'subscription_cycle') return true
  const isGivenUp =
    invoice.status === 'void' ||
    invoice.status === 'uncollectible' ||
    (invoice.status === 'draft' && !invoice.auto_advance)
  return !isGivenUp && !pause
}

const period = ({ items }: Stripe.Subscription) => ({
  start: items.data[0]?.current_period_start ?? 0,
  end: items.data[0]?.current_period_end ?? 0,
})

/** UTC ms; null if never. Once a day, and after each renewal or end, even if no event arrives. */
function computeCheckTime(
  { checkout }: Customer,
  billed: Stripe.Subscription | null,
  now: number,
): number | null {
  if (billed && isLiveSubscription(billed)) {
    const renewed = period(billed).end * 1000 + RENEWED_AFTER
    if (renewed > now) return Math.min(renewed, now + DAY)
    return now + (RENEWED.includes(billed.status) ? RENEWED_AFTER : DAY)
  }
  return checkout && now < checkout.createdAt + CHECKOUT_LIFETIME ? now + HOUR : null
}

const CHECKOUT_LIFETIME = 26 * HOUR

/** Refuses a subscription of another deployment with `planNotFound`. @throws Stripe's error. */
export async function fetchOwnPlan(
  context: Context,
  uid: string,
  subscriptionId: string,
): Promise<Result<Stripe.Subscription, Refusal<'planNotFound' | 'forbidden'>>> {
  const subscription = await returnNullIfMissing(context.stripe.subscriptions.retrieve(subscriptionId))
  const metadata = subscription && parsePlanMetadata(context, subscription.metadata)
  if (!metadata) return err(buildRefusal('planNotFound'))
  return metadata.uid === uid ? ok(subscription) : err(buildRefusal('forbidden'))
}
