import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore'
import { err, ok, type Result } from '../../../domain/result.ts'
import { array, nullable, number, object, string } from '../../../domain/schema.ts'
import type { Context } from './context.ts'
import { documentParser } from './documents.ts'
import { type Refusal, refusal } from './refusals.ts'

/** Settings that apply to all payments of the deployment. */
export interface PaymentsState {
  /** Since when an operator keeps payments closed (UTC ms); null while they are open. */
  readonly closedSince: number | null
  /** Written as `couponName` writes them. A new payment with one of them is refused. */
  readonly endedCoupons: readonly string[]
}

export const paymentsRef = (db: Firestore) => db.doc('settings/payments')

const NEW_DEPLOYMENT: PaymentsState = { closedSince: null, endedCoupons: [] }

const parseStored = documentParser<PaymentsState>(
  object({ closedSince: nullable(number), endedCoupons: array(string) }),
)

const parseState = (document: DocumentSnapshot): PaymentsState => parseStored(document) ?? NEW_DEPLOYMENT

export async function paymentsState({ db }: Pick<Context, 'db'>): Promise<PaymentsState> {
  return parseState(await paymentsRef(db).get())
}

/** Changes the state in one database transaction. */
export async function changeState(
  { db }: Pick<Context, 'db'>,
  change: (state: PaymentsState) => PaymentsState,
): Promise<void> {
  await db.runTransaction(async (tx) => {
    const ref = paymentsRef(db)
    tx.set(ref, change(parseState(await tx.get(ref))))
  })
}

/** Keeps new payments, automatic refunds and payouts from beginning until an operator calls `open`. */
export async function close(context: Context): Promise<void> {
  await changeState(context, (state) => ({
    ...state,
    closedSince: state.closedSince ?? context.now(),
  }))
  context.log({ level: 'error', event: 'paymentsClosed' })
}

export async function open(context: Context): Promise<void> {
  await changeState(context, (state) => ({ ...state, closedSince: null }))
  context.log({ level: 'info', event: 'paymentsOpened' })
}

/** Refuses while payments are closed. Every endpoint that begins a payment asks this first; it reads one document. */
export async function checkOpen(context: Context): Promise<Result<PaymentsState, Refusal<'paymentsClosed'>>> {
  const state = await paymentsState(context)
  return state.closedSince === null ? ok(state) : err(refusal('paymentsClosed'))
}

export const areClosed = async (context: Context): Promise<boolean> => !(await checkOpen(context)).ok
