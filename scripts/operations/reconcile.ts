import type Stripe from 'stripe'
import * as v from 'valibot'
import { DAY, HOUR } from '../../domain/common/duration.ts'
import { day as daySchema } from '../../domain/common/schema.ts'
import { getBalance, listEntries, sumEntries } from '../../domain/journal/balances.ts'
import type { Amount, JournalDocument } from '../../domain/journal/entry.ts'
import { fetchRefunds, listMovements } from '../../netlify/server/payments/reversals.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
import { parseRefund } from '../../netlify/server/platform/documents.ts'
import { journal, parseJournalDocument, toJournalCurrency } from '../../netlify/server/platform/journal.ts'
import { refunds } from '../../netlify/server/platform/records.ts'
import { getStripeId, returnNullIfMissing } from '../../netlify/server/platform/returnNullIfMissing.ts'
import { describeCurrency, fetchStatement } from './books.ts'
import { CommandError } from './commandError.ts'
import { formatStripeAmount } from './format.ts'
import { buildListParams } from './stripeLists.ts'

/** In milliseconds: the due-work job settles transfers and invoices four times an hour, and plans once a day. */
const BOOKED_WITHIN = { payment: HOUR, plan: DAY }

const REASONS = {
  unbooked: 'charged, but not in the books',
  notCharged: 'in the books, but not charged',
  otherBalance: 'the books and our balance at Stripe differ',
  overpaid: 'its payer got more than was charged',
  unreturned: 'its refund is done, but its payer can still claim a part',
}

export interface Discrepancy {
  readonly id: string
  readonly reason: keyof typeof REASONS
  /** Missing in the books; negative if they have too much. */
  readonly by: Amount
}

interface Reconciliation {
  /** Minor units of the card's currency. */
  readonly charged: ReadonlyMap<string, readonly number[]>
  /** All that the journal has about these charges, also of later days. */
  readonly documents: readonly JournalDocument[]
  readonly discrepancies: readonly Discrepancy[]
}

/**
 * Names each payment that differs. `day`: '2026-11-20', in UTC; yesterday by default.
 * @throws CommandError for an invalid day, or one in the future
 */
export async function showReconciliation(
  context: Context,
  day?: string,
): Promise<{ readonly lines: readonly string[]; readonly isBad: boolean }> {
  const from = day === undefined ? Math.floor(context.now() / DAY) * DAY - DAY : Date.parse(day)
  if ((day !== undefined && !v.is(daySchema, day)) || from > context.now())
    throw new CommandError(`'${day}' is not a past day. Write it as 2026-11-20.`)
  const { charged, documents, discrepancies } = await reconcileDay(context, from)
  return {
    lines: [
      `Card charges of ${new Date(from).toISOString().slice(0, 10)} (UTC), and where the money is now.`,
      ...(charged.size === 0 ? ['Nothing was charged.'] : [...charged].map(describeCharges)),
      ...[...sumEntries(listEntries(documents))].flatMap(describeCurrency),
      ...discrepancies.map(describeDiscrepancy),
      discrepancies.length === 0
        ? 'Charges and books agree.'
        : `Payments that differ: ${discrepancies.length}. To find out why: npm run ops -- explain ${discrepancies[0]?.id}`,
    ],
    isBad: discrepancies.length > 0,
  }
}

export const describeDiscrepancy = ({ id, reason, by }: Discrepancy): string =>
  `Differs by ${formatStripeAmount(by.minor, by.currency)}: ${id}, ${REASONS[reason]}.`

const describeCharges = ([currency, amounts]: readonly [string, readonly number[]]) =>
  `Charges in ${currency}: ${amounts.length}, ${formatStripeAmount(total(amounts), currency)}.`

/**
 * Read-only. Compares the journal with Stripe, including later refunds and disputes. `day`: its start, UTC
 * milliseconds. @throws Stripe's or Firestore's error.
 */
export async function reconcileDay(context: Context, day: number): Promise<Reconciliation> {
  const { stripe, now } = context
  const charged = new Map<string, number[]>()
  const documents: JournalDocument[] = []
  const discrepancies: Discrepancy[] = []
  const chargeIds = new Set<string>()
  const expand = ['data.balance_transaction', 'data.payment_intent.customer']
  for await (const charge of stripe.charges.list({ ...buildListParams(day, day + DAY), expand })) {
    const kind = findChargeKind(context, charge)
    const at = charge.created * 1000
    if (kind === null || !charge.paid || at < day || at >= day + DAY) continue
    const id = getStripeId(charge.payment_intent ?? charge.id)
    chargeIds.add(id)
    const currency = toJournalCurrency(charge.currency)
    charged.set(currency, [...(charged.get(currency) ?? []), charge.amount_captured])
    const own = await fetchStatement(context, id)
    documents.push(...own)
    if (own.length > 0) discrepancies.push(...(await compareWithStripe(context, id, charge, own)))
    else if (now() - at >= BOOKED_WITHIN[kind])
      discrepancies.push({ id, reason: 'unbooked', by: { minor: charge.amount_captured, currency } })
  }
  discrepancies.push(...(await listUncharged(context, day, chargeIds)))
  return { charged, documents, discrepancies }
}

/** Null for a charge of another deployment. Only the customer tells whether a plan is ours. */
function findChargeKind(
  { deployment }: Context,
  { metadata, payment_intent: intent }: Stripe.Charge,
): keyof typeof BOOKED_WITHIN | null {
  if (metadata.kind === 'transfer' || metadata.kind === 'invoice')
    return metadata.deployment === deployment ? 'payment' : null
  const customer = typeof intent === 'object' ? intent?.customer : null
  const isOwn = customer && typeof customer === 'object' && !customer.deleted
  return isOwn && customer.metadata.deployment === deployment ? 'plan' : null
}

/** `charge`: with its balance transaction. @throws Stripe's error */
export async function compareWithStripe(
  context: Context,
  id: string,
  charge: Stripe.Charge,
  documents: readonly JournalDocument[],
): Promise<readonly Discrepancy[]> {
  const balances = sumEntries(listEntries(documents))
  const movements = await fetchMovements(context, charge)
  const isReturned = parseRefund(await refunds(context.db).doc(id).get())?.status === 'done'
  const currencies = new Set([
    ...balances.keys(),
    ...movements.map(({ currency }) => toJournalCurrency(currency)),
  ])
  return [...currencies].flatMap((currency): readonly Discrepancy[] => {
    const own = movements.filter((one) => toJournalCurrency(one.currency) === currency)
    const missing = total(own.map(({ net }) => net)) - getBalance(balances, currency, 'assets:stripe')
    const overpaid = getBalance(balances, currency, 'liabilities:payers')
    const claim = isReturned && overpaid < 0 ? -overpaid : 0
    return [
      ...(missing === 0 ? [] : [{ id, reason: 'otherBalance', by: { minor: missing, currency } } as const]),
      ...(overpaid <= 0 ? [] : [{ id, reason: 'overpaid', by: { minor: overpaid, currency } } as const]),
      ...(claim === 0 ? [] : [{ id, reason: 'unreturned', by: { minor: claim, currency } } as const]),
    ]
  })
}

async function fetchMovements(
  context: Context,
  { id: charge, amount_refunded: refunded, disputed, balance_transaction: received }: Stripe.Charge,
): Promise<readonly Stripe.BalanceTransaction[]> {
  const returned = refunded > 0 ? await fetchRefunds(context, { charge }) : []
  const disputes = disputed ? (await context.stripe.disputes.list({ charge, limit: 100 })).data : []
  const movements = listMovements(returned, disputes)
  return received && typeof received === 'object' ? [received, ...movements] : movements
}

/** A booked charge that is not in `chargeIds` but succeeded was charged on the previous day. */
async function listUncharged(
  { db, stripe }: Context,
  day: number,
  chargeIds: ReadonlySet<string>,
): Promise<readonly Discrepancy[]> {
  const { docs } = await journal(db)
    .where('at', '>=', day)
    .where('at', '<', day + DAY)
    .get()
  const found: Discrepancy[] = []
  for (const document of docs.filter(({ id }) => id.endsWith('_received'))) {
    const { about = '', entries = [] } = parseJournalDocument(document) ?? {}
    if (chargeIds.has(about)) continue
    const intent = await returnNullIfMissing(stripe.paymentIntents.retrieve(about))
    if (intent?.status === 'succeeded') continue
    for (const [currency, sums] of sumEntries(entries))
      found.push({
        id: about,
        reason: 'notCharged',
        by: { minor: -(sums.get('assets:stripe') ?? 0), currency },
      })
  }
  return found
}

const total = (amounts: readonly number[]) => amounts.reduce((sum, minor) => sum + minor, 0)
