import type { Firestore, Transaction } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import * as v from 'valibot'
import { DAY, HOUR } from '../../../domain/common/duration.ts'
import { finiteNumber, integer, type Output } from '../../../domain/common/schema.ts'
import type { InvoicePayment } from '../../../domain/invoices/invoice.ts'
import { bookInvoiceReturned } from '../../../domain/journal/movements.ts'
import { currencySchema } from '../../../domain/money/moneySchema.ts'
import { getCardKeys } from '../accounts/persons.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'
import { toStripeAmount, writeJournal } from '../platform/journal.ts'
import { parseRateLimitUses, type RateLimit, rateLimitRef } from '../platform/rateLimits.ts'
import { invoicePayments, transactions } from '../platform/records.ts'
import { isPersonStopped } from './restrictions.ts'
import { fetchCharge, isDisputeOpen, sumWithdrawn } from './reversals.ts'

/** Most fraud warnings arrive within a day. */
export const NEW_PAYER_HOLD = DAY
/** A payer counts as new until the account has a recorded payment of this age. */
export const NEW_PAYER_PERIOD = 7 * DAY
/** If a card has paid more, its next invoices wait like those of a new payer. */
export const NEW_INVOICES_LIMIT: RateLimit = { name: 'payInvoice/day', most: 10, windowMs: DAY }
const STOP_CHECKED_EVERY = HOUR

const noticeSchema = v.object({
  uid: v.string(),
  /** From `buildPersonKeys`. */
  persons: v.array(v.string()),
  supplier: v.string(),
  reference: v.string(),
  dueDate: v.string(),
  /** In major units. */
  amount: finiteNumber,
  currency: currencySchema,
  paidAt: finiteNumber,
  /** `reversed`: money, even a part, went back to the payer, or the bank keeps it until it decides. */
  state: v.picklist(['held', 'paid', 'reversed']),
  toldAt: v.nullish(finiteNumber, null),
  /** UTC ms; null if only an event can change the state. */
  checkAt: v.nullish(finiteNumber, null),
  /** By the journal. Not if the payer has the whole charge back and the supplier was never notified. */
  isOwed: v.boolean(),
  /** How many documents of the journal have changed `isOwed`. */
  changes: integer,
})

/** Suppliers read only notices that have a `toldAt` (UTC ms). */
export type SupplierNotice = Output<typeof noticeSchema>
export const parseSupplierNotice = createDocumentParser(noticeSchema)
export const supplierNotices = (db: Firestore) => db.collection('supplierNotices')

export function createSupplierNotice(
  tx: Transaction,
  db: Firestore,
  { id, payerId: uid, supplier, reference, dueDate, amount, currency, settledAt }: InvoicePayment,
  persons: readonly string[],
): void {
  const payment = { uid, persons, supplier, reference, dueDate, amount, currency, paidAt: settledAt }
  const notice: SupplierNotice = {
    ...payment,
    state: 'held',
    toldAt: null,
    checkAt: settledAt,
    isOwed: true,
    changes: 0,
  }
  tx.create(supplierNotices(db).doc(id), notice)
}

/**
 * Updates the notice, the books and the status of an invoice payment. Asks Stripe while the notice is locked,
 * so that the later of two concurrent calls writes the newer state.
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function syncSupplierNotice(
  context: Context,
  id: string,
): Promise<'noNotice' | SupplierNotice['state']> {
  const { db, stripe } = context
  const ref = supplierNotices(db).doc(id)
  return db.runTransaction(async (tx) => {
    const notice = parseSupplierNotice(await tx.get(ref))
    if (!notice) return 'noNotice'
    const charge = await fetchCharge(context, await stripe.paymentIntents.retrieve(id))
    const takenBack = await fetchTakenBack(context, charge)
    const back = takenBack.open + takenBack.gone
    const isWhole = back >= charge.amount_captured
    const change = await findChange(context, notice, charge, { isReversed: back > 0, isWhole })
    const isOwed = change.toldAt !== null || takenBack.gone < charge.amount_captured
    const changes = notice.changes + Number(isOwed !== notice.isOwed)
    tx.update(ref, { ...change, isOwed, changes })
    if (isOwed !== notice.isOwed) {
      const entries = bookInvoiceReturned(toStripeAmount(charge).charged, !isOwed)
      writeJournal(context, tx, id, `supplier_${changes}`, entries)
    }
    tx.update(invoicePayments(db).doc(id), { status: isWhole ? 'canceled' : 'completed' })
    return change.state
  })
}

type Change = Pick<SupplierNotice, 'state' | 'toldAt' | 'checkAt'>

async function findChange(
  context: Context,
  notice: SupplierNotice,
  charge: Stripe.Charge,
  { isReversed, isWhole }: { readonly isReversed: boolean; readonly isWhole: boolean },
): Promise<Change> {
  const { state, toldAt, persons } = notice
  const at = context.now()
  const tell = (next: 'paid' | 'reversed'): Change => ({
    state: next,
    toldAt: next === state ? toldAt : at,
    checkAt: null,
  })
  const outcome = isReversed ? 'reversed' : 'paid'
  // A supplier that was never notified needs no correction.
  if (toldAt === null && isWhole) return { state: 'reversed', toldAt: null, checkAt: null }
  if (toldAt !== null) return tell(outcome)
  const cards = getCardKeys(context, charge)
  const heldUntil = notice.paidAt + NEW_PAYER_HOLD
  if (heldUntil > at && ((await isNewPayer(context, notice)) || (await isOverused(context, notice, cards))))
    return { state: 'held', toldAt: null, checkAt: heldUntil }
  if (await isPersonStopped(context, [...persons, ...cards]))
    return { state: 'held', toldAt: null, checkAt: at + STOP_CHECKED_EVERY }
  return tell(outcome)
}

/** In minor units of the charge. `open`: of disputes that the banks have not decided. */
async function fetchTakenBack(
  { stripe }: Context,
  { id, disputed, amount_refunded: refunded }: Stripe.Charge,
): Promise<{ readonly open: number; readonly gone: number }> {
  if (!disputed) return { open: 0, gone: refunded }
  const { data } = await stripe.disputes.list({ charge: id, limit: 100 })
  const open = data.filter(isDisputeOpen)
  return {
    open: open.reduce((sum, { amount }) => sum + amount, 0),
    gone: refunded + sumWithdrawn(data.filter((one) => !open.includes(one))),
  }
}

async function isOverused(
  context: Context,
  { paidAt }: SupplierNotice,
  cards: readonly string[],
): Promise<boolean> {
  const { most, windowMs } = NEW_INVOICES_LIMIT
  const counts = cards.map((of) => rateLimitRef(context, { limit: NEW_INVOICES_LIMIT, of }).get())
  return (await Promise.all(counts)).some((stored) => {
    const paid = parseRateLimitUses(stored)?.at ?? []
    return paid.filter((use) => use > paidAt - windowMs && use <= paidAt).length > most
  })
}

async function isNewPayer({ db }: Context, { uid, paidAt }: SupplierNotice): Promise<boolean> {
  const before = new Date(paidAt - NEW_PAYER_PERIOD)
  const earlier = await Promise.all([
    transactions(db)
      .where('senderId', '==', uid)
      .where('settledAt', '<=', before)
      .orderBy('settledAt', 'desc')
      .limit(1)
      .get(),
    invoicePayments(db)
      .where('payerId', '==', uid)
      .where('createdAt', '<=', before)
      .orderBy('createdAt', 'desc')
      .limit(1)
      .get(),
  ])
  return earlier.every(({ empty }) => empty)
}
