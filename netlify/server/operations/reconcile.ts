import { type DocumentData, Timestamp } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import { type BookedCharge, type Books, balance, type Difference } from '../../../domain/books.ts'
import type { DeliveryOrder } from '../../../domain/delivery.ts'
import { DAY, HOUR } from '../../../domain/duration.ts'
import { paidAmountOf } from '../../../domain/invoice.ts'
import { type Currency, type Money, money } from '../../../domain/money.ts'
import { amountsOf } from '../../../domain/transaction.ts'
import { isLost, isOpen } from '../payments/reversals.ts'
import type { Context } from '../platform/context.ts'
import {
  parseDeliveryOrder,
  parseInvoicePayment,
  parseRefund,
  parseTransaction,
  type Refund,
} from '../platform/documents.ts'
import { idOf, nullIfMissing } from '../platform/nullIfMissing.ts'
import { deliveries, invoicePayments, refunds, transactions } from '../platform/records.ts'
import { listPages } from '../platform/stripeLists.ts'

/** For how long after a charge it may still be recorded, in milliseconds: the sweep comes four times in it. */
const RECORDED_WITHIN = HOUR

/** A day's charges, by what both sides know of them now. */
export interface Reconciled {
  readonly books: readonly Books[]
  readonly differences: readonly Difference[]
  /** What Stripe has kept for these charges and their disputes, by the currency of the account's balance, in minor units. */
  readonly costs: ReadonlyMap<string, number>
}

/**
 * Compares what cards paid on a day with the records, and says where that money is now. It follows the charges of that day for as long as
 * it is asked: what was given back a week later stands there too. Reads and changes nothing.
 *
 * @param day its beginning, UTC milliseconds.
 * @throws Stripe's or Firestore's error.
 */
export async function reconcile(context: Context, day: number): Promise<Reconciled> {
  const { stripe } = context
  const costs = new Map<string, number>()
  const charges: BookedCharge[] = []
  const list: Parameters<typeof listPages<Stripe.Charge>>[0] = (at) =>
    stripe.charges.list({ ...at, expand: ['data.balance_transaction', 'data.payment_intent.customer'] })
  for await (const page of listPages(list, day, day + DAY))
    for (const charge of page) {
      const kind = ownKind(context, charge)
      const at = charge.created * 1000
      if (kind === null || !charge.paid || at < day || at >= day + DAY) continue
      const disputes = charge.disputed
        ? (await stripe.disputes.list({ charge: charge.id, limit: 100 })).data
        : []
      for (const booked of [charge, ...disputes].flatMap(bookedOf))
        costs.set(booked.currency, (costs.get(booked.currency) ?? 0) + booked.fee)
      charges.push(await bookedCharge(context, kind, charge, disputes))
    }
  const known = new Set(charges.map(({ id }) => id))
  return { ...balance([...charges, ...(await uncharged(context, day, known))]), costs }
}

const bookedOf = (of: Stripe.Charge | Stripe.Dispute): readonly Stripe.BalanceTransaction[] => {
  if (of.object === 'dispute') return of.balance_transactions
  return typeof of.balance_transaction === 'object' && of.balance_transaction ? [of.balance_transaction] : []
}

/** What a charge was for; null of another deployment's. Only the customer tells whose plan it was. */
function ownKind(
  { deployment }: Context,
  { metadata, payment_intent: intent }: Stripe.Charge,
): BookedCharge['kind'] | null {
  const { kind } = metadata
  if (kind === 'transfer' || kind === 'invoice') return metadata.deployment === deployment ? kind : null
  const customer = typeof intent === 'object' ? intent?.customer : null
  const isOwn = customer && typeof customer === 'object' && !customer.deleted
  return isOwn && customer.metadata.deployment === deployment ? 'plan' : null
}

async function bookedCharge(
  { db, now }: Context,
  kind: BookedCharge['kind'],
  charge: Stripe.Charge,
  disputes: readonly Stripe.Dispute[],
): Promise<BookedCharge> {
  const id = idOf(charge.payment_intent ?? charge.id)
  const charged = money(charge.amount_captured, charge.currency.toUpperCase() as Currency)
  const [record, debt, order] = await db.getAll(
    (kind === 'invoice' ? invoicePayments : transactions)(db).doc(id),
    refunds(db).doc(id),
    deliveries(db).doc(id),
  )
  const stored = record?.data()
  const taken = disputes.filter((dispute) => isOpen(dispute) || isLost(dispute))
  return {
    id,
    kind,
    charged,
    givenBack: charge.amount_refunded,
    withBank: taken.reduce((sum, { amount }) => sum + amount, 0),
    recorded: kind === 'plan' ? charged : stored ? paidBy(kind, stored) : null,
    debt: debtOf(parseRefund(debt)),
    payout: payoutOf(parseDeliveryOrder(order)),
    isNew: now() - charge.created * 1000 < RECORDED_WITHIN,
  }
}

const paidBy = (kind: 'transfer' | 'invoice', stored: DocumentData): Money =>
  kind === 'invoice' ? paidAmountOf(parseInvoicePayment(stored)) : amountsOf(parseTransaction(stored)).gross

function debtOf(debt: Refund | undefined): BookedCharge['debt'] {
  if (debt?.status !== 'done') return debt?.status ?? null
  if (debt.refundId === null) return 'settled'
  return debt.checkAt === null ? 'done' : 'checked'
}

function payoutOf(order: DeliveryOrder | undefined): BookedCharge['payout'] {
  if (!order) return null
  if (order.state === 'delivered') return 'delivered'
  return order.state === 'failed' || order.state === 'paidBack' ? 'calledOff' : 'underWay'
}

/** What was recorded on the day without a charge that succeeded. Those of others were charged on the day before. */
async function uncharged(context: Context, day: number, known: ReadonlySet<string>): Promise<BookedCharge[]> {
  const { db, stripe } = context
  const found: BookedCharge[] = []
  for (const [kind, collection] of [
    ['transfer', transactions(db)],
    ['invoice', invoicePayments(db)],
  ] as const) {
    const { docs } = await collection
      .where('createdAt', '>=', Timestamp.fromMillis(day))
      .where('createdAt', '<', Timestamp.fromMillis(day + DAY))
      .get()
    for (const document of docs) {
      if (known.has(document.id)) continue
      const intent = await nullIfMissing(stripe.paymentIntents.retrieve(document.id))
      if (intent?.status === 'succeeded') continue
      const [debt, order] = await db.getAll(refunds(db).doc(document.id), deliveries(db).doc(document.id))
      found.push({
        id: document.id,
        kind,
        charged: null,
        givenBack: 0,
        withBank: 0,
        recorded: paidBy(kind, document.data()),
        debt: debtOf(parseRefund(debt)),
        payout: payoutOf(parseDeliveryOrder(order)),
        isNew: false,
      })
    }
  }
  return found
}
