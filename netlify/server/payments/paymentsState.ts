import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { finiteNumber, type Output } from '../../../domain/common/schema.ts'
import type { Context } from '../platform/context.ts'
import { createDocumentParser } from '../platform/documents.ts'
import { buildRefusal, type Refusal } from '../platform/refusals.ts'

const stateSchema = v.object({
  /** Since when an operator has kept payments closed (UTC ms). */
  closedSince: v.nullish(finiteNumber, null),
  /** In the form of `normalizeCoupon`. */
  endedCoupons: v.array(v.string()),
})

export type PaymentsState = Output<typeof stateSchema>

export const paymentsStateRef = (db: Firestore) => db.doc('settings/payments')

const NEW_DEPLOYMENT: PaymentsState = { closedSince: null, endedCoupons: [] }

const parseStored = createDocumentParser(stateSchema)

const parseState = (document: DocumentSnapshot): PaymentsState => parseStored(document) ?? NEW_DEPLOYMENT

export async function readPaymentsState({ db }: Pick<Context, 'db'>): Promise<PaymentsState> {
  return parseState(await paymentsStateRef(db).get())
}

export async function changePaymentsState(
  { db }: Pick<Context, 'db'>,
  change: (state: PaymentsState) => PaymentsState,
): Promise<void> {
  await db.runTransaction(async (tx) => {
    const ref = paymentsStateRef(db)
    tx.set(ref, change(parseState(await tx.get(ref))))
  })
}

/** Stops new payments, automatic refunds and payouts until an operator opens them again. */
export async function setPaymentsClosed(context: Context): Promise<void> {
  await changePaymentsState(context, (state) => ({
    ...state,
    closedSince: state.closedSince ?? context.now(),
  }))
  context.log({ level: 'error', event: 'paymentsClosed' })
}

export async function setPaymentsOpen(context: Context): Promise<void> {
  await changePaymentsState(context, (state) => ({ ...state, closedSince: null }))
  context.log({ level: 'info', event: 'paymentsOpened' })
}

/** Every endpoint that begins a payment calls this first. */
export async function checkPaymentsOpen(
  context: Context,
): Promise<Result<PaymentsState, Refusal<'paymentsClosed'>>> {
  const state = await readPaymentsState(context)
  return state.closedSince === null ? ok(state) : err(buildRefusal('paymentsClosed'))
}

export const arePaymentsClosed = async (context: Context): Promise<boolean> =>
  !(await checkPaymentsOpen(context)).ok
