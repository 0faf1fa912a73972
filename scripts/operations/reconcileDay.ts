import { type DocumentData, Timestamp } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import * as v from 'valibot'
import { DAY, HOUR } from '../../domain/common/duration.ts'
import { getPaidAmount } from '../../domain/invoices/invoice.ts'
import { type Money, money } from '../../domain/money/money.ts'
import { currencySchema } from '../../domain/money/moneySchema.ts'
import {
  balanceCharges,
  type CurrencyBalance,
  type Discrepancy,
  type ReconciledCharge,
} from '../../domain/money/reconciliation.ts'
import { getAmounts } from '../../domain/transfers/transaction.ts'
import { sumWithdrawn } from '../../netlify/server/payments/reversals.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import {
  parseInvoicePayment,
  parseRefund,
  parseTransaction,
  type Refund,
} from '../../netlify/server/platform/documents.ts'
import type { FindPayout } from '../../netlify/server/platform/payouts.ts'
import { invoicePayments, refunds, transactions } from '../../netlify/server/platform/records.ts'
import { getStripeId, returnNullIfMissing } from '../../netlify/server/platform/returnNullIfMissing.ts'
import { listStripePages } from './stripeLists.ts'

/** In milliseconds; the due-work job runs four times an hour. */
const RECORDED_WITHIN = HOUR

export interface Reconciliation {
  readonly balances: readonly CurrencyBalance[]
  readonly discrepancies: readonly Discrepancy[]
  /** Includes fees of disputes, by currency of the account's balance, in minor units. */
  readonly costs: ReadonlyMap<string, number>
}

/**
 * Read-only. Finds where the money is now: a refund a week later counts too. `day`: its start, UTC
 * milliseconds.
 * @throws Stripe's or Firestore's error.
 */
export async function reconcileDay(
  context: Context,
  day: number,
  findPayout: FindPayout,
): Promise<Reconciliation> {
  const { stripe } = context
  const costs = new Map<string, number>()
  const charges: ReconciledCharge[] = []
  const list: Parameters<typeof listStripePages<Stripe.Charge>>[0] = (at) =>
    stripe.charges.list({ ...at, expand: ['data.balance_transaction', 'data.payment_intent.customer'] })
  for await (const page of listStripePages(list, day, day + DAY))
    for (const charge of page) {
      const kind = findChargeKind(context, charge)
      const at = charge.created * 1000
      if (kind === null || !charge.paid || at < day || at >= day + DAY) continue
      const disputes = charge.disputed
        ? (await stripe.disputes.list({ charge: charge.id, limit: 100 })).data
        : []
      for (const booked of [charge, ...disputes].flatMap(listBalanceTransactions))
        costs.set(booked.currency, (costs.get(booked.currency) ?? 0) + booked.fee)
      charges.push(await buildBookedCharge(context, findPayout, kind, charge, disputes))
    }
  const known = new Set(charges.map(({ id }) => id))
  return {
    ...balanceCharges([...charges, ...(await listUnchargedRecords(context, findPayout, day, known))]),
    costs,
  }
}

const listBalanceTransactions = (
  of: Stripe.Charge | Stripe.Dispute,
): readonly Stripe.BalanceTransaction[] => {
  if (of.object === 'dispute') return of.balance_transactions
  return typeof of.balance_transaction === 'object' && of.balance_transaction ? [of.balance_transaction] : []
}

/** Null for a charge of another deployment. Only the customer tells whether a plan is ours. */
function findChargeKind(
  { deployment }: Context,
  { metadata, payment_intent: intent }: Stripe.Charge,
): ReconciledCharge['kind'] | null {
  const { kind } = metadata
  if (kind === 'transfer' || kind === 'invoice') return metadata.deployment === deployment ? kind : null
  const customer = typeof intent === 'object' ? intent?.customer : null
  const isOwn = customer && typeof customer === 'object' && !customer.deleted
  return isOwn && customer.metadata.deployment === deployment ? 'plan' : null
}

async function buildBookedCharge(
  context: Context,
  findPayout: FindPayout,
  kind: ReconciledCharge['kind'],
  charge: Stripe.Charge,
  disputes: readonly Stripe.Dispute[],
): Promise<ReconciledCharge> {
  const { db, now } = context
  const id = getStripeId(charge.payment_intent ?? charge.id)
  const charged = money(charge.amount_captured, v.parse(currencySchema, charge.currency.toUpperCase()))
  const [record, debt] = await db.getAll(
    (kind === 'invoice' ? invoicePayments : transactions)(db).doc(id),
    refunds(db).doc(id),
  )
  const stored = record?.data()
  return {
    id,
    kind,
    charged,
    refunded: charge.amount_refunded,
    heldByBank: sumWithdrawn(disputes),
    recorded: kind === 'plan' ? charged : stored ? readRecordedAmount(kind, stored) : null,
    debt: toBookedDebt(parseRefund(debt)),
    payout: await findPayout(context, id),
    isNew: now() - charge.created * 1000 < RECORDED_WITHIN,
  }
}

const readRecordedAmount = (kind: 'transfer' | 'invoice', stored: DocumentData): Money =>
  kind === 'invoice' ? getPaidAmount(parseInvoicePayment(stored)) : getAmounts(parseTransaction(stored)).gross

function toBookedDebt(debt: Refund | undefined): ReconciledCharge['debt'] {
  switch (debt?.status) {
    case undefined:
      return null
    case 'disputed':
    case 'settled':
      return debt.status
    case 'done':
      return debt.checkAt === null ? 'done' : 'checked'
    default:
      return 'due'
  }
}

/** A record whose charge is not in `known` but succeeded was charged on the previous day. */
async function listUnchargedRecords(
  context: Context,
  findPayout: FindPayout,
  day: number,
  known: ReadonlySet<string>,
): Promise<ReconciledCharge[]> {
  const { db, stripe } = context
  const found: ReconciledCharge[] = []
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
      const intent = await returnNullIfMissing(stripe.paymentIntents.retrieve(document.id))
      if (intent?.status === 'succeeded') continue
      const debt = await refunds(db).doc(document.id).get()
      found.push({
        id: document.id,
        kind,
        charged: null,
        refunded: 0,
        heldByBank: 0,
        recorded: readRecordedAmount(kind, document.data()),
        debt: toBookedDebt(parseRefund(debt)),
        payout: await findPayout(context, document.id),
        isNew: false,
      })
    }
  }
  return found
}
