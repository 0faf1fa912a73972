import type Stripe from 'stripe'
import type { Paid } from '../../domain/api.ts'
import type { DeliveryOrder } from '../../domain/delivery.ts'
import { invoiceDescription } from '../../domain/invoice.ts'
import { money } from '../../domain/money.ts'
import { maskPhone } from '../../domain/phone.ts'
import { PLANS } from '../../domain/plans.ts'
import { formatRate } from '../../domain/rates.ts'
import type { Subscription } from '../../domain/schemas/profile.ts'
import { formatWait } from '../../domain/wait.ts'
import { ATTEMPT_LIFETIME } from '../../netlify/server/endpoints/sweep.ts'
import { isStanding } from '../../netlify/server/payments/refunds.ts'
import { paidRecord } from '../../netlify/server/payments/reservations.ts'
import { isLost, isOpen } from '../../netlify/server/payments/reversals.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import {
  type Attempt,
  parseAttempt,
  parseDeliveryOrder,
  parseRefund,
  type Refund,
} from '../../netlify/server/platform/documents.ts'
import { planOwner } from '../../netlify/server/platform/metadata.ts'
import { idOf, nullIfMissing } from '../../netlify/server/platform/nullIfMissing.ts'
import {
  attempts,
  chargeOf,
  customers,
  deliveries,
  refunds,
  subscriptionOf,
  users,
} from '../../netlify/server/platform/records.ts'
import { standing } from './deliveries.ts'
import { formatAmount, formatStripeAmount, formatTime, plainSpaces } from './format.ts'

/** What is known about one payment. */
interface Case {
  readonly id: string
  readonly intent: Stripe.PaymentIntent | null
  readonly attempt: { readonly key: string; readonly attempt: Attempt } | null
  readonly record: Paid | null
  readonly debt: Refund | null
  /** Where its delivery stands, as the end of a sentence; null without an order. */
  readonly delivery: { readonly order: DeliveryOrder; readonly standing: string } | null
  readonly paidBack: readonly Stripe.Refund[]
  readonly disputes: readonly Stripe.Dispute[]
}

/**
 * Tells in sentences what became of one payment and where its money is now. Reads and changes nothing. Times are in UTC;
 * nobody is named but by their id, and of a number only the end is shown.
 *
 * @param id that of a PaymentIntent ('pi_…') or of a plan's subscription ('sub_…').
 * @throws Stripe's or Firestore's error.
 */
export async function explain(context: PayoutContext, id: string): Promise<readonly string[]> {
  if (id.startsWith('sub_')) {
    const subscription = await nullIfMissing(context.stripe.subscriptions.retrieve(id))
    if (!subscription) return [`Stripe knows no ${id}.`, ELSEWHERE]
    const of = otherDeployment(context, subscription.metadata)
    return of
      ? [`${id} is a subscription.`, of]
      : [`${id} is a subscription.`, ...(await planLines(context, idOf(subscription.customer)))]
  }
  const payment = await gather(context, id)
  const { intent, attempt } = payment
  const of = intent && otherDeployment(context, intent.metadata)
  if (of) return [`${id} is a payment.`, ...intentLines(payment), of]
  if (!intent && !attempt)
    return [
      `Nobody knows ${id}: neither Stripe nor the database.`,
      'The money: none was taken under this id.',
      ELSEWHERE,
    ]
  if (!attempt && intent?.customer && !intent.metadata.attemptKey)
    return [
      `${id} is a payment of a plan.`,
      ...intentLines(payment),
      ...(await planLines(context, idOf(intent.customer))),
      ...refundLines(payment),
      `The money: ${whereabouts(payment, context.now())}`,
    ]
  return [
    ...attemptLines(payment),
    ...intentLines(payment),
    ...recordLines(payment),
    ...deliveryLines(payment),
    ...refundLines(payment),
    `The money: ${whereabouts(payment, context.now())}`,
  ]
}

/** What to do about what another deployment made with the same Stripe account; null for our own. */
function otherDeployment(
  { deployment }: PayoutContext,
  { deployment: madeBy }: Stripe.Metadata,
): string | null {
  return madeBy === undefined || madeBy === deployment
    ? null
    : `It belongs to the deployment ${madeBy}, and this one (${deployment}) leaves it alone: ask again with the settings of ${madeBy}.`
}

const ELSEWHERE =
  'See that the id is whole, and that the settings are of the mode that it was paid in: test and live know nothing of each other.'

async function gather(context: PayoutContext, id: string): Promise<Case> {
  const { stripe, db } = context
  const intent = await nullIfMissing(stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }))
  const key = intent?.metadata.attemptKey
  const [named] = key
    ? [await attempts(db).doc(key).get()]
    : (await attempts(db).where('paymentIntentId', '==', id).limit(1).get()).docs
  const known = parseAttempt(named)
  const attempt = named && known ? { key: named.id, attempt: known } : null
  const kind = attempt?.attempt.kind ?? (intent?.metadata.kind === 'invoice' ? 'invoice' : 'transfer')
  const record = paidRecord(db, kind, id)
  const [recorded, owed, ordered] = await db.getAll(record.ref, refunds(db).doc(id), deliveries(db).doc(id))
  const order = parseDeliveryOrder(ordered)
  const stored = recorded?.data()
  return {
    id,
    intent,
    attempt,
    record: stored ? record.read(stored) : null,
    debt: parseRefund(owed) ?? null,
    delivery: order ? { order, standing: await standing(context, order) } : null,
    paidBack: intent ? (await stripe.refunds.list({ payment_intent: id, limit: 100 })).data : [],
    disputes: intent ? (await stripe.disputes.list({ payment_intent: id, limit: 100 })).data : [],
  }
}

function attemptLines({ id, attempt: reservation, intent }: Case): string[] {
  if (!reservation)
    return [
      `${id} belongs to no attempt that the database knows.`,
      ...(intent?.metadata.attemptKey ? [`Its attempt would be ${intent.metadata.attemptKey}.`] : []),
    ]
  const { key, attempt } = reservation
  const { amount } = chargeOf(attempt)
  const began = `At ${formatTime(attempt.createdAt)} user ${attempt.uid}`
  const lines = [`${id} is the payment of ${attempt.kind === 'invoice' ? 'an invoice' : 'a transfer'}.`]
  if (attempt.kind === 'invoice')
    lines.push(`${began} began to pay ${formatAmount(amount)} for ${invoiceDescription(attempt.invoice)}.`)
  else {
    const { quote, phone } = attempt.transfer
    const { fee, net, converted, rate } = quote
    const { promisedMinutes: minutes } = attempt
    const within =
      minutes === undefined ? '' : `, within ${plainSpaces(formatWait(minutes * 60, 'en'))} of the payment`
    lines.push(
      `${began} was promised: ${formatAmount(amount)} from the card, ${formatAmount(fee)} of it as the fee; ${formatAmount(net)} at a rate of ${plainSpaces(formatRate(rate, 'en'))} arrive as ${formatAmount(converted)} at ${maskPhone(phone)}${within}.`,
    )
  }
  return [...lines, `The attempt ${key} is ${attempt.status}. ${reservationLine(attempt)}`]
}

function reservationLine(attempt: Attempt): string {
  const holds =
    attempt.kind === 'invoice'
      ? 'the invoice, which nobody else can pay meanwhile'
      : `${formatAmount(money(attempt.capCents, 'EUR'))} of the cap of ${attempt.month}${attempt.slotPeriod === null ? '' : " and one of the plan's transfers"}`
  switch (attempt.status) {
    case 'reserved':
      return `It holds ${holds}.`
    case 'recorded':
      return attempt.kind === 'invoice'
        ? 'The invoice counts as paid.'
        : `What it held counts in the total of ${attempt.month}.`
    case 'released':
    case 'refunded':
      return `It held ${holds}, and gave it back.`
  }
}

function intentLines({ intent, id, disputes }: Case): string[] {
  if (!intent) return [`Stripe does not know ${id}. ${ELSEWHERE}`]
  const { status, amount, amount_received: received, currency, latest_charge: charge } = intent
  const taken = typeof charge === 'object' && charge?.paid ? charge : null
  const lines = [
    taken
      ? `At Stripe it is ${status}: ${formatStripeAmount(received, currency)} were taken at ${seconds(taken.created)}.`
      : `At Stripe it is ${status}: ${formatStripeAmount(amount, currency)} were asked for at ${seconds(intent.created)}, and nothing was taken.`,
  ]
  if (intent.canceled_at) lines.push(`It was canceled at ${seconds(intent.canceled_at)}.`)
  const { code, decline_code: decline } = intent.last_payment_error ?? {}
  if (code) lines.push(`The last try was refused: ${[code, decline].filter(Boolean).join(', ')}.`)
  for (const { id: dispute, amount: of, status: state, created } of disputes)
    lines.push(
      `At ${seconds(created)} its holder disputed ${formatStripeAmount(of, currency)} at the bank (${dispute}, ${state}): see Stripe, Disputes.`,
    )
  return lines
}

function recordLines({ record }: Case): string[] {
  if (!record) return ['Nothing is recorded for it.']
  if ('invoicePayment' in record) {
    const { settledAt, status } = record.invoicePayment
    return [`The payment of the invoice was recorded at ${formatTime(settledAt)}; its status is ${status}.`]
  }
  const { settledAt, status, estimatedArrival, promisedMinutes } = record.transaction
  const awaited = promisedMinutes === null ? 'expected' : 'promised'
  return [
    `The transaction was recorded at ${formatTime(settledAt)}; its status is ${status}, and it was ${awaited} to arrive by ${formatTime(estimatedArrival)}.`,
  ]
}

const deliveryLines = ({ delivery }: Case): string[] =>
  delivery ? [`Its delivery (${delivery.order.provider}): ${delivery.standing}.`] : []

const REASONS: Record<Refund['reason'], string> = {
  attemptEnded: 'the attempt had ended already',
  otherPayment: 'the attempt had another payment',
  amountMismatch: 'the charge was not the amount that was promised',
  userGone: 'the profile was gone',
  invoiceGone: 'the invoice could not be paid any more',
  refundedByHand: 'somebody had refunded it by hand',
  disputed: 'its holder disputes it at the bank',
  unknownPayment: 'the database did not know the payment, and an operator decided to refund it',
  undelivered: 'it could not be paid out',
}

function refundLines({ debt, paidBack }: Case): string[] {
  const lines = debt
    ? [
        `At ${formatTime(debt.createdAt)} the charge was written down as owed back, because ${REASONS[debt.reason]}; this is ${debt.status}.`,
      ]
    : []
  for (const {
    id,
    amount,
    currency,
    created,
    status,
    failure_reason: why,
    pending_reason: wait,
  } of paidBack) {
    const began = status === 'succeeded' ? 'Stripe paid back' : 'Stripe began to pay back'
    const about = [id, status, why ?? wait].filter(Boolean).join(', ')
    lines.push(`${began} ${formatStripeAmount(amount, currency)} at ${seconds(created)} (${about}).`)
  }
  return lines.length > 0 ? lines : ['Nothing is owed back, and nothing was paid back.']
}

/** One sentence or two, for whoever is asked. */
function whereabouts(
  { intent, attempt: reservation, record, debt, delivery, paidBack, disputes }: Case,
  now: number,
): string {
  if (!intent) return 'only the Stripe account that the payment was made with can tell.'
  const { status, currency, amount_received: received } = intent
  if (status === 'canceled' || status === 'requires_payment_method')
    return reservation?.attempt.status === 'reserved'
      ? `none was taken. The attempt is still open and ends with ${ending(reservation.attempt, now)}.`
      : 'none was taken, and none can be taken under this id any more.'
  if (status !== 'succeeded')
    return `not taken yet: the bank or its customer has to act (${status}). Ask again later.`
  const standing = paidBack.filter(isStanding)
  const back = standing.reduce((sum, refund) => sum + refund.amount, 0)
  const all = formatStripeAmount(received, currency)
  // Of a transfer that can't be paid out the record stays, and says so.
  const isSent = record !== null && debt === null
  if (back >= received) {
    const returned = standing.every((refund) => refund.status === 'succeeded')
      ? `${all} went back to the card; a bank takes 5 to 10 days to show it.`
      : `${all} are on their way back to the card: the refund is under way at the bank.`
    return isSent
      ? `${returned} It is recorded as sent all the same: somebody refunded it by hand.`
      : returned
  }
  const sent = isSent ? ' It is recorded as sent all the same.' : ''
  const disputed = (of: readonly Stripe.Dispute[]) =>
    formatStripeAmount(
      of.reduce((sum, { amount }) => sum + amount, 0),
      currency,
    )
  const open = disputes.filter(isOpen)
  if (open.length > 0)
    return `the bank has ${disputed(open)} of ${all} until it decides about the dispute.${sent}${debt ? ' Nothing is refunded meanwhile.' : ''}`
  const lost = disputes.filter(isLost)
  if (lost.length > 0)
    return `the bank has given ${disputed(lost)} of ${all} to the holder of the card: the dispute is lost.${sent}`
  if (back > 0)
    return `${formatStripeAmount(back, currency)} of ${all} went back to the card; the rest is with Passerelle${debt?.status === 'due' ? ', and owed: the sweep pays it back at its next run' : ''}.${sent}`
  if (debt) return `${all} are with Passerelle${fateOf(debt, paidBack)}`
  if (record && delivery?.order.state === 'delivered')
    return `${all} are with Passerelle, and what was promised for them has arrived.`
  if (record) return `${all} are with Passerelle, for what is recorded.`
  if (reservation)
    return `${all} are with Passerelle and not recorded yet: the webhook does that, or ${ending(reservation.attempt, now)}.`
  if (intent.metadata.attemptKey)
    return `${all} are with Passerelle, and nothing is refunded automatically, because the database does not know the payment. Decide about it: npm run payments -- unknown (docs/running.md, Unknown payments).`
  return intent.customer
    ? `${all} are with Passerelle, for the plan.`
    : `${all} are with Passerelle, and belong to no attempt of this product.`
}

/** How a debt goes on of which nothing has gone back. */
function fateOf({ status, refundId }: Refund, tried: readonly Stripe.Refund[]): string {
  if (status === 'done')
    return refundId === null
      ? ': what was owed is written down as settled in another way than back to the card.'
      : ', and owed back to the card: the refund failed, which the webhook or the next daily look of the sweep writes down, and another one follows.'
  return tried.length > 0
    ? ', and owed back to the card: the refund failed, and the sweep tries again at its next run.'
    : ', and owed back to the card: the sweep pays them back at its next run.'
}

const ending = ({ createdAt }: Attempt, now: number) => {
  const due = createdAt + ATTEMPT_LIFETIME
  return due > now ? `the first sweep after ${formatTime(due)}` : 'the next sweep'
}

/** Whose plans a customer pays, at the provider and as they are stored. */
async function planLines(context: PayoutContext, customerId: string): Promise<string[]> {
  const { stripe, db } = context
  const { data } = await stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 })
  const [payer] = (await customers(db).where('customerId', '==', customerId).limit(1).get()).docs
  if (!payer) return [`Its customer ${customerId} is nobody that the database knows.`]
  const lines = data.map((subscription) => {
    const { id, status, start_date: startedAt, metadata, items } = subscription
    const end = items.data[0]?.current_period_end
    const plan =
      planOwner(context, metadata) === payer.id
        ? `the ${metadata.tier} plan of user ${payer.id}`
        : 'no plan of this user'
    return `${id} is ${plan}: ${status} at Stripe since ${seconds(startedAt)}${end ? `, its period ends at ${seconds(end)}` : ''}${subscription.cancel_at_period_end ? ', and it is not renewed' : ''}.`
  })
  const profile = await users(db).doc(payer.id).get()
  return [
    ...lines,
    profile.exists ? storedLine(subscriptionOf(profile.data())) : `User ${payer.id} has no profile any more.`,
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
