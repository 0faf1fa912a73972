import { expect } from 'vitest'
import type { InvoicePaymentRequest, StartedPayment } from '../../domain/api/api.ts'
import { MINUTE } from '../../domain/common/duration.ts'
import { runDueWork } from '../server/endpoints/dueWork.ts'
import { lookUpInvoice } from '../server/endpoints/lookUpInvoice.ts'
import { payInvoice } from '../server/endpoints/payInvoice.ts'
import { world } from './emptyWorld.ts'

export const INVOICE_LOOKUP = { supplier: 'edf', reference: '6012-1001' }
export const DUE_INVOICE_DOCUMENT = { amount: 84.5, currency: 'EUR', dueDate: '2026-11-30', status: 'due' }
export const INVOICE = {
  ...INVOICE_LOOKUP,
  type: 'electricity',
  amount: { minor: 8450, currency: 'EUR' },
  dueDate: '2026-11-30',
}

export const getInvoiceRef = ({ supplier, reference } = INVOICE_LOOKUP) =>
  world.context.db.doc(`invoices/${supplier}_${reference}`)
export const storeInvoice = (changes: object = {}, of = INVOICE_LOOKUP) =>
  getInvoiceRef(of).set({ ...DUE_INVOICE_DOCUMENT, ...changes })
export const readStoredInvoice = async (of = INVOICE_LOOKUP) => (await getInvoiceRef(of).get()).data()

type Changes = Partial<Omit<InvoicePaymentRequest, 'expected'>> & {
  readonly expected?: Partial<InvoicePaymentRequest['expected']>
}
export const buildInvoiceRequest = ({ expected, ...changes }: Changes = {}): InvoicePaymentRequest => ({
  attemptId: crypto.randomUUID(),
  ...INVOICE_LOOKUP,
  ...changes,
  expected: { amount: 8450, currency: 'EUR', dueDate: DUE_INVOICE_DOCUMENT.dueDate, ...expected },
})
export const requestInvoiceLookup = (uid: string, of = INVOICE_LOOKUP) =>
  lookUpInvoice(world.context, { uid }, of)
export const startInvoicePayment = (uid: string, request = buildInvoiceRequest()) =>
  payInvoice(world.context, { uid }, request)
export const startInvoicePaymentOrThrow = async (
  uid: string,
  request: InvoicePaymentRequest,
): Promise<StartedPayment> => {
  const result = await startInvoicePayment(uid, request)
  if (!result.ok) throw new Error(`refused: ${result.error.code}`)
  return result.value
}
export const matchRefusal = (status: number, code: string, details?: object) => ({
  ok: false,
  error: expect.objectContaining({ status, code, ...(details && { details }) }),
})
export const listPaymentIntentEvents = (paymentIntentId: string) =>
  world.sandbox.stripe.events().filter(({ data }) => (data.object as { id?: string }).id === paymentIntentId)

export async function waitUntilIdle() {
  world.pass(31 * MINUTE)
  await runDueWork(world.context)
  await runDueWork(world.context)
  return world.checkInvariants({ quiet: true })
}
