import type { Transaction } from 'firebase-admin/firestore'
import type Stripe from 'stripe'
import { DAY, HOUR, MINUTE } from '../../../domain/common/duration.ts'
import {
  bookTakenBack,
  NOTHING_TAKEN,
  type TakenBack,
  type TakenBackChange,
} from '../../../domain/journal/takenBack.ts'
import { parseRefund, parseReversal, type Refund } from '../platform/documents.ts'
import { enqueue } from '../platform/enqueue.ts'
import { receivedRef, toJournalCurrency, writeJournal } from '../platform/journal.ts'
import { getTrace } from '../platform/log.ts'
import type { PaymentContext } from '../platform/payouts.ts'
import { isPermanentError } from '../platform/permanentError.ts'
import { refunds, reversals } from '../platform/records.ts'
import { arePaymentsClosed } from './paymentsState.ts'
import { fetchRefunds, getLastMovementTime, isDisputeOpen, listMovements, sumWithdrawn } from './reversals.ts'

/** A bank may return a refund for this long. */
const MAY_FAIL_FOR = 30 * DAY
/** Counted from the last movement of the dispute. */
const DISPUTE_MAY_CHANGE_FOR = 180 * DAY
/** From this failure on, the wait doubles each time. */
const FAILURES_BEFORE_WAITING = 2
const MIN_RETRY_WAIT = 15 * MINUTE
/** Once the cause is gone, what is owed is refunded within an hour (R35). */
const MAX_RETRY_WAIT = HOUR

/** `createdAt`: UTC ms. */
export const buildDebt = (uid: string, reason: Refund['reason'], createdAt: number): Refund => ({
  uid,
  reason,
  status: 'due',
  refundId: null,
  createdAt,
  since: createdAt,
  checkAt: null,
})

/**
 * `refundUnfunded`: our balance at Stripe does not suffice. `disputed`: the bank decides. `refundFailed`:
 * still owed. `refundWaits`: payments are closed.
 */
export type RefundOutcome = Exclude<AtProvider['outcome'], 'owed'> | 'refundFailed' | 'refundWaits'

/**
 * Refunds the rest of a charge that is recorded as owed, only if Stripe has no refund that covers it or may
 * still do so. A retry after a failed or refused refund uses a new key, because Stripe repeats the old answer
 * for a day. `evenClosed`: for an operator, also while payments are closed.
 * @throws Stripe's or Firestore's error; the debt then stays, and calling again is safe.
 */
export async function refundCharge(
  context: PaymentContext,
  paymentIntentId: string,
  { evenClosed = false } = {},
): Promise<RefundOutcome> {
  const { outcome, rest, failed, failures, refusals } = await compare(context, paymentIntentId)
  if (outcome !== 'owed') return outcome
  if (!evenClosed && (await arePaymentsClosed(context))) return 'refundWaits'
  const before = { ...(failed && { insteadOf: failed }), ...(refusals > 0 && { refusals }) }
  try {
    await context.stripe.refunds.create(
      {
        payment_intent: paymentIntentId,
        amount: rest,
        metadata: { deployment: context.deployment, ...before },
      },
      { idempotencyKey: ['refund', paymentIntentId, rest, ...Object.values(before)].join(':') },
    )
  } catch (error) {
    if (!isPermanentError(error)) throw error
    await countRefusal(context, paymentIntentId, { refusals, failures: failures + 1 })
    if (failures === 0) throw error
    context.log({ level: 'info', event: 'refundFailed', paymentIntentId, ...getTrace(error) })
    return 'refundFailed'
  }
  const after = await compare(context, paymentIntentId)
  if (after.outcome !== 'owed') return after.outcome
  logFailure(context, paymentIntentId, after.failed, after.failures)
  return 'refundFailed'
}

/** Only the first failure of a charge is an alert; later, the age of the debt is. */
const logFailure = (
  { log }: PaymentContext,
  paymentIntentId: string,
  refundId: string | null,
  failures: number,
) => log({ level: failures > 1 ? 'info' : 'error', event: 'refundFailed', paymentIntentId, refundId })

/** Leaves a failure to a task and to the due-work job. Never throws; null if the call failed. */
export async function tryRefundCharge(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<RefundOutcome | null> {
  try {
    return await refundCharge(context, paymentIntentId)
  } catch (error) {
    context.log({ level: 'error', event: 'refundPostponed', paymentIntentId, ...getTrace(error) })
    const at = context.now() + MINUTE
    enqueue(context, { work: 'refund', id: paymentIntentId, service: 'stripe', at })
    return null
  }
}

/** Concurrent refusals used the same key, so they count as one. */
async function countRefusal(
  { db, now }: PaymentContext,
  paymentIntentId: string,
  { refusals, failures }: { readonly refusals: number; readonly failures: number },
): Promise<void> {
  const ref = refunds(db).doc(paymentIntentId)
  await db.runTransaction(async (tx) => {
    const debt = parseRefund(await tx.get(ref))
    if (!debt || (debt.refusals ?? 0) !== refusals) return
    const owed = describeOwed(failures, now())
    tx.update(ref, { refusals: refusals + 1, ...owed, ...getSince(debt, owed.status, now()) })
  })
}

/**
 * Updates a debt from Stripe: a refund that succeeded may have failed since, and a lost dispute may have been
 * won. Books what was taken back, also of a payment that stands or a settled debt. Begins no refund.
 * @throws Stripe's or Firestore's error; calling again is safe.
 */
export async function syncDebt(
  context: PaymentContext,
  paymentIntentId: string,
): Promise<'refundChecked' | 'refundOwed' | 'refundPending' | 'refundUnfunded' | 'paidBack' | 'settled'> {
  const { outcome, before } = await compare(context, paymentIntentId)
  if (before === 'settled') return before
  if (outcome === 'owed') return 'refundOwed'
  return outcome === 'disputed' || before === 'done' ? 'refundChecked' : outcome
}

/** @throws Stripe's or Firestore's error; calling again is safe. */
export const checkDebt = (context: PaymentContext, { id, status }: { id: string; status: unknown }) =>
  status === 'failing' ? refundCharge(context, id) : syncDebt(context, id)

const canRefundSucceed = ({ status }: Stripe.Refund) => status !== 'failed' && status !== 'canceled'

interface AtProvider {
  readonly outcome: 'owed' | 'refundPending' | 'refundUnfunded' | 'disputed' | 'paidBack'
  /** Neither returned nor on its way, in minor units. */
  readonly rest: number
  /** The last refund; null until the whole charge is covered. */
  readonly refund: Stripe.Refund | null
  readonly failed: string | null
  readonly failures: number
  /** Until when a refund may fail or a dispute may be decided otherwise (UTC ms). */
  readonly mayChangeUntil: number
  readonly books: {
    readonly takenBack: TakenBack
    readonly currency: string
    readonly balanceCurrency: string
  }
}

interface Comparison extends AtProvider {
  readonly before: Refund['status'] | null
  readonly refusals: number
}

/** Asks Stripe while the debt is locked, so an old answer never hides a refund that failed since. */
async function compare(context: PaymentContext, paymentIntentId: string): Promise<Comparison> {
  const { db, now } = context
  const debtRef = refunds(db).doc(paymentIntentId)
  const reversalRef = reversals(db).doc(paymentIntentId)
  const { debt, found, announce } = await db.runTransaction(async (tx) => {
    const [owed, reversed, received] = await tx.getAll(debtRef, reversalRef, receivedRef(db, paymentIntentId))
    const debt = parseRefund(owed)
    if (!debt && !received?.exists) return { found: NOTHING_OWED }
    const isOwed = debt !== undefined && debt.status !== 'settled'
    const payout =
      isOwed && debt.reason === 'undelivered'
        ? await context.payouts?.readForRefund(context, tx, paymentIntentId)
        : undefined
    const found = await askProvider(context.stripe, paymentIntentId)
    const takenBack = bookReversal(context, tx, paymentIntentId, {
      before: debt?.takenBack ?? parseReversal(reversed) ?? { ...NOTHING_TAKEN, changes: 0 },
      after: found.books,
      wasOwed: debt?.takenBack !== undefined,
      isOwed,
    })
    if (!isOwed) {
      if (takenBack && debt) tx.update(debtRef, { takenBack })
      else if (takenBack) tx.set(reversalRef, takenBack)
      const isReturned = debt?.takenBack && takenBack && sumGone(takenBack) < sumGone(debt.takenBack)
      return {
        debt,
        found: NOTHING_OWED,
        announce: isReturned ? () => logOwedAgain(context, paymentIntentId) : undefined,
      }
    }
    const failures = found.failures + (debt.refusals ?? 0)
    const change = describeDebt({ ...found, failures }, now())
    tx.update(debtRef, {
      ...change,
      ...(takenBack && { takenBack }),
      ...getSince(debt, change.status, now()),
      refundId: found.refund?.id ?? null,
    })
    return { debt, found: { ...found, failures }, announce: payout?.(found.outcome === 'paidBack') }
  })
  announce?.()
  if (debt && debt.status !== 'settled') logChange(context, paymentIntentId, debt, found)
  return { ...found, before: debt?.status ?? null, refusals: debt?.refusals ?? 0 }
}

/** Books what Stripe moved since the last comparison. Returns the state to store, if there is a new one. */
function bookReversal(
  context: PaymentContext,
  tx: Transaction,
  paymentIntentId: string,
  {
    before,
    after: { takenBack, ...currencies },
    ...owedness
  }: { before: NonNullable<Refund['takenBack']>; after: AtProvider['books'] } & Pick<
    TakenBackChange,
    'wasOwed' | 'isOwed'
  >,
): Refund['takenBack'] {
  const entries = bookTakenBack({ before, after: takenBack, ...owedness, ...currencies })
  const changes = before.changes + 1
  writeJournal(context, tx, paymentIntentId, `takenBack_${changes}`, entries)
  return entries.length > 0 ? { ...takenBack, changes } : undefined
}

/** The payer has these amounts. */
const sumGone = ({ refunded, lost }: TakenBack) => refunded + lost

const logOwedAgain = ({ log }: PaymentContext, paymentIntentId: string) =>
  log({ level: 'error', event: 'chargeOwedAgain', paymentIntentId })

function logChange(
  context: PaymentContext,
  paymentIntentId: string,
  before: Refund,
  { outcome, refund, failures }: AtProvider,
): void {
  const { log } = context
  if (before.status !== 'done' && outcome === 'paidBack')
    log({ level: 'info', event: 'chargeRefunded', paymentIntentId, refundId: refund?.id ?? null })
  if (outcome !== 'owed') return
  if (before.refundId) logFailure(context, paymentIntentId, before.refundId, failures)
  else if (before.status === 'done') logOwedAgain(context, paymentIntentId)
}

function describeDebt(
  { outcome, failures, mayChangeUntil }: AtProvider,
  now: number,
): Pick<Refund, 'status' | 'checkAt'> {
  switch (outcome) {
    case 'owed':
      return describeOwed(failures, now)
    case 'refundPending':
      return { status: 'pending', checkAt: now }
    case 'refundUnfunded':
      return { status: 'unfunded', checkAt: now }
    case 'disputed':
      return { status: 'disputed', checkAt: now + DAY }
    case 'paidBack':
      return { status: 'done', checkAt: now < mayChangeUntil ? now + DAY : null }
  }
}

/** `failures`: refunds that failed or were refused. */
function describeOwed(failures: number, now: number): Pick<Refund, 'status' | 'checkAt'> {
  if (failures < FAILURES_BEFORE_WAITING) return { status: 'due', checkAt: null }
  const wait = MIN_RETRY_WAIT * 2 ** (failures - FAILURES_BEFORE_WAITING)
  return { status: 'failing', checkAt: now + Math.min(wait, MAX_RETRY_WAIT) }
}

const getSince = ({ status, since }: Refund, next: Refund['status'], now: number) => ({
  since: next === status ? since : now,
})

const NOTHING_OWED: AtProvider = {
  outcome: 'paidBack',
  rest: 0,
  refund: null,
  failed: null,
  failures: 0,
  mayChangeUntil: 0,
  books: { takenBack: NOTHING_TAKEN, currency: '', balanceCurrency: '' },
}

async function askProvider(stripe: Stripe, paymentIntentId: string): Promise<AtProvider> {
  const refunds = await fetchRefunds({ stripe }, { payment_intent: paymentIntentId })
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(paymentIntentId, {
    expand: ['latest_charge.balance_transaction'],
  })
  if (charge === null || typeof charge === 'string') throw new Error('The payment has no charge')
  const disputes = charge.disputed ? (await stripe.disputes.list({ charge: charge.id, limit: 100 })).data : []
  const standing = refunds.filter(canRefundSucceed)
  const failed = refunds.filter((one) => !canRefundSucceed(one))
  const open = disputes.filter(isDisputeOpen)
  const decided = disputes.filter((dispute) => !isDisputeOpen(dispute))
  const common = {
    failed: failed[0]?.id ?? null,
    failures: failed.length,
    mayChangeUntil: Math.max(
      0,
      ...standing.map(({ created }) => created * 1000 + MAY_FAIL_FOR),
      ...disputes.map((dispute) => getLastMovementTime(dispute) + DISPUTE_MAY_CHANGE_FOR),
    ),
    books: describeBooks(charge, refunds, { open, decided }),
  }
  // An operator may have refunded a part by hand, and a bank another: the rest is owed.
  const rest = charge.amount_captured - total(standing) - sumWithdrawn(decided)
  if (rest > 0) return { outcome: open.length > 0 ? 'disputed' : 'owed', rest, refund: null, ...common }
  const unfinished = standing.filter(({ status }) => status !== 'succeeded')
  const isUnfunded = unfinished.some(({ pending_reason: reason }) => reason === 'insufficient_funds')
  const progress = isUnfunded ? 'refundUnfunded' : 'refundPending'
  return {
    outcome: unfinished.length === 0 ? 'paidBack' : progress,
    rest: 0,
    refund: standing[0] ?? null,
    ...common,
  }
}

/** A refund counts from when its amount has left our balance until it has returned. */
function describeBooks(
  charge: Stripe.Charge,
  refunds: readonly Stripe.Refund[],
  { open, decided }: Readonly<Record<'open' | 'decided', readonly Stripe.Dispute[]>>,
): AtProvider['books'] {
  const withdrawn = refunds.filter(
    ({ balance_transaction: out, failure_balance_transaction: back }) => out && !back,
  )
  const movements = listMovements(refunds, [...open, ...decided])
  const ofCharge = [charge.balance_transaction].flatMap((one) => (one && typeof one === 'object' ? one : []))
  return {
    takenBack: {
      refunded: total(withdrawn),
      open: sumWithdrawn(open),
      lost: sumWithdrawn(decided),
      balance: total(movements),
      fees: movements.reduce((sum, { fee }) => sum + fee, 0),
    },
    currency: toJournalCurrency(charge.currency),
    balanceCurrency: toJournalCurrency([...movements, ...ofCharge][0]?.currency ?? charge.currency),
  }
}

const total = (parts: readonly { readonly amount: number }[]) =>
  parts.reduce((sum, { amount }) => sum + amount, 0)
