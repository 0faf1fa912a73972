import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { type AnyActorLogic, createActor, toPromise } from 'xstate'
import { buildInvoicePayment } from '../../domain/invoices/invoice.ts'
import { money } from '../../domain/money/money.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/prices/plans.ts'
import { HANDED_OVER_DELIVERY, SENT_TRANSFER } from '../../domain/transfers/transaction.samples.ts'
import { deviceStore } from '../browser/storage.ts'
import { stubStorage } from '../browser/testing/stubStorage.ts'
import { openUserDatabase } from '../cache/database.ts'
import { resolveEndedPayment } from './endedPayment.ts'
import { invoiceLogic } from './invoice.ts'
import { transferLogic } from './transfer.ts'

const { callFunction } = vi.hoisted(() => ({ callFunction: vi.fn() }))
vi.mock('../services/functions.ts', () => ({ callFunction }))

const transaction = SENT_TRANSFER
const invoicePayment = buildInvoicePayment(
  {
    supplier: 'edf',
    reference: '6012-1001',
    type: 'electricity',
    amount: money(8450, 'EUR'),
    dueDate: '2026-11-30',
    status: 'paid',
  },
  { id: 'pi_invoice', payerId: 'u', payerName: 'Awa Ba', createdAt: 1, settledAt: 1 },
)

async function rename(uid: string, name: string) {
  const { profiles } = await openUserDatabase(uid)
  await profiles.put({ uid, email: null, name, phone: null, subscription: EMPTY_SUBSCRIPTION })
}

async function recordPaid(uid: string, logic: AnyActorLogic) {
  callFunction.mockResolvedValueOnce({ outcome: 'paid', transaction, invoicePayment })
  await toPromise(createActor(logic, { input: { uid, attemptId: 'a1' } }).start())
}

test.each([
  {
    kind: 'a transfer',
    row: transaction,
    record: transferLogic.implementations.actors.record as AnyActorLogic,
    kept: async (uid: string) => (await openUserDatabase(uid)).transactions.get(transaction.id),
  },
  {
    kind: 'an invoice',
    row: invoicePayment,
    record: invoiceLogic.implementations.actors.record as AnyActorLogic,
    kept: async (uid: string) => (await openUserDatabase(uid)).invoicePayments.get(invoicePayment.id),
  },
])('the stored receipt of $kind is the server’s record', async ({ kind, row, record, kept }) => {
  await rename(kind, 'Awa Sow')
  await recordPaid(kind, record)
  expect(await kept(kind)).toEqual(row)
})

test.each([
  ['record', (uid: string) => recordPaid(uid, transferLogic.implementations.actors.record as AnyActorLogic)],
  [
    'an ended payment',
    async (uid: string) => {
      stubStorage()
      vi.stubGlobal('location', { pathname: '/', search: '' })
      deviceStore.set('ended', { uid, payment: 'maybePaid', attemptId: 'a1' })
      callFunction.mockResolvedValueOnce({ outcome: 'paid', transaction })
      await resolveEndedPayment(uid)
    },
  ],
])('a slow receipt from %s keeps a newer cancellation', async (uid, receive) => {
  const { transactions } = await openUserDatabase(uid)
  const delivery = { ...HANDED_OVER_DELIVERY, stage: 'canceled' as const, canceledAt: 2, handedOverAt: null }
  const canceled = { ...transaction, delivery }
  await transactions.put(canceled)
  await receive(uid)
  expect(await transactions.get(transaction.id)).toEqual(canceled)
})
