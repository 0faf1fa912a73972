import type Stripe from 'stripe'
import type { Subscription } from '../../domain/account/profileSchema.ts'
import type { PaymentRecord } from '../../domain/api/api.ts'
import { formatWait } from '../../domain/common/wait.ts'
import { describeInvoice } from '../../domain/invoices/invoice.ts'
import type { JournalDocument } from '../../domain/journal/entry.ts'
import { money } from '../../domain/money/money.ts'
import { formatRate } from '../../domain/money/rates.ts'
import { maskPhone } from '../../domain/numbers/phone.ts'
import type { DeliveryOrder } from '../../domain/payouts/deliveryOrder.ts'
import { PLANS } from '../../domain/prices/plans.ts'
import { ATTEMPT_LIFETIME } from '../../netlify/server/endpoints/dueWork.ts'
import { locatePaymentRecord } from '../../netlify/server/payments/reservations.ts'
import {
  parseSupplierNotice,
  type SupplierNotice,
  supplierNotices,
} from '../../netlify/server/payments/supplierNotices.ts'
import { deliveries, parseDeliveryOrder } from '../../netlify/server/payouts/orderRecords.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { findPaidTier } from '../../netlify/server/plans/prices.ts'
import {
  type Attempt,
  parseAttempt,
  parseRefund,
  type Refund,
} from '../../netlify/server/platform/documents.ts'
import { parsePlanMetadata } from '../../netlify/server/platform/metadata.ts'
import {
  attempts,
  customers,
  getAttemptCharge,
  parseSubscription,
  refunds,
  unknownPayments,
  users,
} from '../../netlify/server/platform/records.ts'
import { getStripeId, returnNullIfMissing } from '../../netlify/server/platform/returnNullIfMissing.ts'
import { describeStatement, fetchStatement } from './books.ts'
import { describeOrderState } from './deliveries.ts'
import { formatAmount, formatStripeAmount, formatTime, replaceSpecialSpaces } from './format.ts'
import { compareWithStripe, describeDiscrepancy } from './reconcile.ts'

interface Case {
  readonly id: string
  readonly intent: Stripe.PaymentIntent | null
  readonly attempt: { readonly key: string; readonly attempt: Attempt } | null
  readonly record: PaymentRecord | null
  readonly notice: SupplierNotice | null
  readonly debt: Refund | null
  /** The records don't contain this decision. */
  readonly isKept: boolean
  /** `standing`: the end of a sentence. */
  readonly delivery: { readonly order: DeliveryOrder; readonly standing: string } | null
  readonly booked: readonly JournalDocument[]
}

/**
 * Changes nothing. Names users by ID only, and phone numbers by their last digits. `id`: 'pi_…' or 'sub_…'.
 * @throws errors of Stripe and Firestore
 */
export async function explainPayment(context: PayoutContext, id: string): Promise<readonly string[]> {
  if (id.startsWith('sub_')) {
    const subscription = await returnNullIfMissing(context.stripe.subscriptions.retrieve(id))
    if (!subscription) return [`Stripe does not know ${id}.`, ELSEWHERE]
    const of = describeOtherDeployment(context, subscription.metadata)
    return of
      ? [`${id} is a subscription.`, of]
      : [`${id} is a subscription.`, ...(await planLines(context, getStripeId(subscription.customer)))]
  }
  const payment = await fetchCase(context, id)
  const { intent, attempt } = payment
  const of = intent && describeOtherDeployment(context, intent.metadata)
  if (of) return [`${id} is a payment.`, ...intentLines(payment), of]
  if (!intent && !attempt) return [`Neither Stripe nor the database knows ${id}.`, ELSEWHERE]
  const plan = !attempt && !intent?.metadata.attemptKey ? (intent?.customer ?? null) : null
  const next = describeNext(payment, context.now())
  return [
    ...(plan === null ? attemptLines(payment) : [`${id} is a payment of a plan.`]),
    ...intentLines(payment),
    ...(plan === null
      ? [...recordLines(payment), ...deliveryLines(payment)]
      : await planLines(context, getStripeId(plan))),
    ...debtLines(payment),
    ...describeStatement(id, payment.booked),
    ...(next === null ? [] : [next]),
    ...(await differenceLines(context, payment)),
  ]
}

/** Null for our own payment. */
function describeOtherDeployment(
  { deployment }: PayoutContext,
  { deployment: madeBy }: Stripe.Metadata,
): string | null {
  return madeBy === undefined || madeBy === deployment
    ? null
    : `It belongs to the deployment ${madeBy}, and this one (${deployment}) ignores it: repeat the command with the settings of ${madeBy}.`
}

const ELSEWHERE =
  'Check that the ID is complete, and that the settings are for the mode of the payment: test and live mode are separate.'

async function fetchCase(context: PayoutContext, id: string): Promise<Case> {
  const { stripe, db } = context
  const expand = ['latest_charge.balance_transaction']
  const intent = await returnNullIfMissing(stripe.paymentIntents.retrieve(id, { expand }))
  const key = intent?.metadata.attemptKey
  const [named] = key
    ? [await attempts(db).doc(key).get()]
    : (await attempts(db).where('paymentIntentId', '==', id).limit(1).get()).docs
  const known = parseAttempt(named)
  const attempt = named && known ? { key: named.id, attempt: known } : null
  const kind = attempt?.attempt.kind ?? (intent?.metadata.kind === 'invoice' ? 'invoice' : 'transfer')
  const record = locatePaymentRecord(db, kind, id)
  const [recorded, owed, ordered, noted, alarm] = await db.getAll(
    record.ref,
    refunds(db).doc(id),
    deliveries(db).doc(id),
    supplierNotices(db).doc(id),
    unknownPayments(db).doc(id),
  )
  const order = parseDeliveryOrder(ordered)
  const stored = recorded?.data()
  return {
    id,
    intent,
    attempt,
    record: stored ? record.read(stored) : null,
    notice: parseSupplierNotice(noted) ?? null,
    debt: parseRefund(owed) ?? null,
    isKept: typeof alarm?.get('decidedAt') === 'number',
    delivery: order ? { order, standing: await describeOrderState(context, order) } : null,
    booked: await fetchStatement(context, id),
  }
}

function attemptLines({ id, attempt: reservation, intent }: Case): string[] {
  if (!reservation)
    return [
      `${id} has no attempt in the database.`,
      ...(intent?.metadata.attemptKey ? [`Its attempt would be ${intent.metadata.attemptKey}.`] : []),
    ]
  const { key, attempt } = reservation
  const { amount } = getAttemptCharge(attempt)
  const began = `At ${formatTime(attempt.createdAt)} user ${attempt.uid}`
  const lines = [`${id} is the payment of ${attempt.kind === 'invoice' ? 'an invoice' : 'a transfer'}.`]
  if (attempt.kind === 'invoice')
    lines.push(`${began} began to pay ${formatAmount(amount)} for ${describeInvoice(attempt.invoice)}.`)
  else {
    const { quote, phone } = attempt.transfer
    const { fee, net, converted, rate } = quote
    const { promisedMinutes: minutes } = attempt
    const within =
      minutes === undefined
        ? ''
        : `, within ${replaceSpecialSpaces(formatWait(minutes * 60, 'en'))} of the payment`
    lines.push(
      `${began} was promised: ${formatAmount(amount)} from the card, ${formatAmount(fee)} of it as the fee; ${formatAmount(net)} at a rate of ${replaceSpecialSpaces(formatRate(rate, 'en'))} arrives as ${formatAmount(converted)} at ${maskPhone(phone)}${within}.`,
    )
  }
  return [...lines, `The attempt ${key} is ${attempt.status}. ${reservationLine(attempt)}`]
}

function reservationLine(attempt: Attempt): string {
  const holds =
    attempt.kind === 'invoice'
      ? 'the invoice, which no other user can pay meanwhile'
      : `${formatAmount(money(attempt.capCents, 'EUR'))} of the cap of ${attempt.month}${attempt.slotPeriod === null ? '' : " and one of the plan's transfers"}`
  switch (attempt.status) {
    case 'reserved':
      return `It holds ${holds}.`
    case 'recorded':
      return attempt.kind === 'invoice'
        ? 'The invoice counts as paid.'
        : `The reserved amount counts in the total of ${attempt.month}.`
    case 'released':
    case 'refunded':
      return `It held ${holds}, and released it.`
  }
}

function intentLines({ intent, id }: Case): string[] {
  if (!intent) return [`Stripe does not know ${id}. ${ELSEWHERE}`]
  const { status, amount, currency, created, canceled_at: canceledAt } = intent
  const lines = [
    `At Stripe it is ${status}: ${formatStripeAmount(amount, currency)}, requested at ${seconds(created)}.`,
  ]
  if (canceledAt) lines.push(`It was canceled at ${seconds(canceledAt)}.`)
  const { code, decline_code: decline } = intent.last_payment_error ?? {}
  if (code) lines.push(`The last attempt to pay was declined: ${[code, decline].filter(Boolean).join(', ')}.`)
  if (getCharge(intent)?.disputed) lines.push('The cardholder disputed it at the bank: see Stripe, Disputes.')
  return lines
}

const getCharge = ({ latest_charge: charge }: Stripe.PaymentIntent) =>
  typeof charge === 'object' ? charge : null

function recordLines({ record, notice }: Case): string[] {
  if (!record) return ['Nothing is recorded for it.']
  if ('invoicePayment' in record) {
    const { settledAt, status } = record.invoicePayment
    return [
      `The payment of the invoice was recorded at ${formatTime(settledAt)}; its status is ${status}.`,
      ...(notice ? [noticeLine(notice)] : []),
    ]
  }
  const { settledAt, status, estimatedArrival, promisedMinutes } = record.transaction
  const awaited = promisedMinutes === null ? 'expected' : 'promised'
  return [
    `The transaction was recorded at ${formatTime(settledAt)}; its status is ${status}, and it was ${awaited} to arrive by ${formatTime(estimatedArrival)}.`,
  ]
}

const noticeLine = ({ state, toldAt }: SupplierNotice): string =>
  toldAt === null
    ? `Its supplier was not notified: the notice is ${state}.`
    : `Its supplier was notified at ${formatTime(toldAt)} that it is ${state}.`

const deliveryLines = ({ delivery }: Case): string[] =>
  delivery ? [`Its delivery (${delivery.order.provider}): ${delivery.standing}.`] : []

const REASONS: Record<Refund['reason'], string> = {
  attemptEnded: 'the attempt had ended already',
  otherPayment: 'the attempt had another payment',
  amountMismatch: 'the charge differs from the promised amount',
  userGone: 'the profile was deleted',
  invoiceGone: 'the invoice could no longer be paid',
  refundedByHand: 'it was refunded by hand',
  disputed: 'the cardholder disputes it',
  unknownPayment: 'the payment was missing in the database, and an operator decided to refund it',
  undelivered: 'it was not paid out',
}

const debtLines = ({ debt }: Case): string[] =>
  debt
    ? [
        `At ${formatTime(debt.createdAt)} the charge was recorded as owed back, because ${REASONS[debt.reason]}; the debt is ${debt.status}.`,
      ]
    : []

/** Says what the payment waits for; null if that is in the lines before. */
function describeNext(
  { intent, attempt: reservation, record, debt, isKept }: Case,
  now: number,
): string | null {
  if (!intent) return 'Only the Stripe account of the payment can tell where the money is.'
  const { status } = intent
  if (status === 'canceled' || status === 'requires_payment_method')
    return reservation?.attempt.status === 'reserved'
      ? `Nothing was charged. The attempt is still open and ends with ${describeAttemptEnd(reservation.attempt, now)}.`
      : 'Nothing was charged, and this payment can no longer be charged.'
  if (status !== 'succeeded')
    return `Not charged yet: the bank or its customer has to act (${status}). Repeat the command later.`
  if (debt) return describeDebt(debt)
  if (record) return null
  if (reservation)
    return `The charge is not recorded yet: the webhook records it, or ${describeAttemptEnd(reservation.attempt, now)}.`
  if (isKept)
    return 'The payment is missing in the database, and an operator decided to keep it, because its transfer was delivered.'
  if (intent.metadata.attemptKey)
    return 'Nothing is refunded automatically, because the payment is missing in the database. Decide about it: npm run ops -- unknown-payments list (docs/running.md, Unknown payments).'
  return intent.customer ? null : 'The charge belongs to no attempt of this product.'
}

function describeDebt({ status, refundId, checkAt }: Refund): string | null {
  switch (status) {
    case 'due':
      return 'The due-work job refunds it in its next run.'
    case 'failing':
      return `Its refunds keep failing, and the due-work job tries again${checkAt === null ? '' : ` after ${formatTime(checkAt)}`}.`
    case 'pending':
      return 'The bank is processing the refund.'
    case 'unfunded':
      return 'Its refund waits, because the Stripe balance does not suffice. Add funds in Stripe, Balances.'
    case 'disputed':
      return 'Nothing is refunded until the bank decides about the dispute.'
    case 'done':
      return refundId === null ? null : 'A bank takes 5 to 10 days to show a refund.'
    case 'settled':
      return 'The debt was settled without a refund to the card.'
  }
}

async function differenceLines(context: PayoutContext, { id, intent, booked }: Case): Promise<string[]> {
  const charge = intent && getCharge(intent)
  if (!charge?.paid || booked.length === 0) return []
  return (await compareWithStripe(context, id, charge, booked)).map(describeDiscrepancy)
}

const describeAttemptEnd = ({ createdAt }: Attempt, now: number) => {
  const due = createdAt + ATTEMPT_LIFETIME
  return due > now
    ? `the first run of the due-work job after ${formatTime(due)}`
    : 'the next run of the due-work job'
}

async function planLines(context: PayoutContext, customerId: string): Promise<string[]> {
  const { stripe, db } = context
  const { data } = await stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 })
  const [payer] = (await customers(db).where('customerId', '==', customerId).limit(1).get()).docs
  if (!payer) return [`Its customer ${customerId} is not in the database.`]
  const lines = data.map((subscription) => {
    const { id, status, start_date: startedAt, metadata, items } = subscription
    const end = items.data[0]?.current_period_end
    const plan =
      parsePlanMetadata(context, metadata)?.uid === payer.id
        ? `the ${findPaidTier(subscription) ?? metadata.tier} plan of user ${payer.id}`
        : 'not a plan of this user'
    return `${id} is ${plan}: ${status} at Stripe since ${seconds(startedAt)}${end ? `, its period ends at ${seconds(end)}` : ''}${subscription.cancel_at_period_end ? ', and it is not renewed' : ''}.`
  })
  const profile = await users(db).doc(payer.id).get()
  return [
    ...lines,
    profile.exists
      ? storedLine(parseSubscription(profile.data()))
      : `User ${payer.id} no longer has a profile.`,
  ]
}

function storedLine({
  tier,
  status,
  transactionsLeft,
  stripeSubscriptionId,
  cancelAt,
}: Subscription): string {
  if (tier === null) return 'The profile has no plan.'
  const until = cancelAt === null ? '' : ` until ${formatTime(cancelAt)}`
  return `The profile has ${PLANS[tier].name}, ${status}${until}, by ${stripeSubscriptionId}: ${transactionsLeft} of ${PLANS[tier].allowance} transfers left this month.`
}

const seconds = (of: number) => formatTime(of * 1000)
