import { expect } from 'vitest'
import type { InvoicePaymentRequest, PaymentStarted } from '../../domain/api.ts'
import { MINUTE } from '../../domain/duration.ts'
import { lookUpInvoice } from '../server/endpoints/lookUpInvoice.ts'
import { payInvoice } from '../server/endpoints/payInvoice.ts'
import { sweep } from '../server/endpoints/sweep.ts'
import { world } from './emptyWorld.ts'

export const BILL = { supplier: 'edf', reference: '6012-1001' }
export const DUE = { amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', status: 'due' }
export const INVOICE = {
  ...BILL,
  type: 'electricity',
  amount: { minor: 8450, currency: 'EUR' },
  dueDate: '2026-11-30',
}

export const document = ({ supplier, reference } = BILL) =>
  world.context.db.doc(`invoices/${supplier}_${reference}`)
/** An invoice as its supplier issues it. */
export const issue = (changes: object = {}, of = BILL) => document(of).set({ ...DUE, ...changes })
export const stored = async (of = BILL) => (await document(of).get()).data()

type Changes = Partial<Omit<InvoicePaymentRequest, 'expected'>> & {
  readonly expected?: Partial<InvoicePaymentRequest['expected']>
}
export const requestFor = ({ expected, ...changes }: Changes = {}): InvoicePaymentRequest => ({
  attemptId: crypto.randomUUID(),
  ...BILL,
  ...changes,
  expected: { amount: 8450, currency: 'EUR', dueDate: DUE.dueDate, ...expected },
})
export const lookUp = (uid: string, of = BILL) => lookUpInvoice(world.context, { uid }, of)
export const start = (uid: string, request = requestFor()) => payInvoice(world.context, { uid }, request)
export const started = async (uid: string, request: InvoicePaymentRequest): Promise<PaymentStarted> => {
  const result = await start(uid, request)
  if (!result.ok) throw new Error(`refused: ${result.error.code}`)
  return result.value
}
export const refusal = (status: number, code: string, details?: object) => ({
  ok: false,
  error: expect.objectContaining({ status, code, ...(details && { details }) }),
})
export const eventsOf = (paymentIntentId: string) =>
  world.sandbox.stripe.events().filter(({ data }) => (data.object as { id?: string }).id === paymentIntentId)

/** A long time later, with the sweep as the only thing that still works. */
export async function untilIdle() {
  world.pass(31 * MINUTE)
  await sweep(world.context)
  await sweep(world.context)
  return world.checkInvariants({ quiet: true })
}
