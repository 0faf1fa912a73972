import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { type AnyActorLogic, createActor, toPromise } from 'xstate'
import { invoicePaymentOf } from '../../domain/invoice.ts'
import { money } from '../../domain/money.ts'
import { EMPTY_SUBSCRIPTION } from '../../domain/plans.ts'
import { SENT } from '../../domain/transaction.samples.ts'
import { databaseOf } from '../cache/database.ts'
import { invoice } from './invoice.ts'
import { transfer } from './transfer.ts'

const { callFunction } = vi.hoisted(() => ({ callFunction: vi.fn() }))
vi.mock('../services/functions.ts', () => ({ callFunction }))

const transaction = SENT
const invoicePayment = invoicePaymentOf(
  {
    supplier: 'edf',
    reference: '6012-1001',
    type: 'electricity',
    amount: money(8450, 'EUR'),
    dueDate: '2026-11-30',
    status: 'paid',
  },
  { id: 'pi_invoice', payerId: 'u', createdAt: 1, settledAt: 1 },
)

async function rename(uid: string, name: string) {
  const { profiles } = await databaseOf(uid)
  await profiles.put({ uid, email: null, name, phone: null, subscription: EMPTY_SUBSCRIPTION })
}

/** The server says that it is paid. */
async function recordPaid(uid: string, logic: AnyActorLogic) {
  callFunction.mockResolvedValueOnce({ outcome: 'paid', transaction, invoicePayment })
  await toPromise(createActor(logic, { input: { uid, attemptId: 'a1' } }).start())
}

test.each([
  {
    kind: 'a transfer',
    record: transfer.implementations.actors.record as AnyActorLogic,
    kept: async (uid: string) => (await databaseOf(uid)).transactions.get(transaction.id),
  },
  {
    kind: 'an invoice',
    record: invoice.implementations.actors.record as AnyActorLogic,
    kept: async (uid: string) => (await databaseOf(uid)).invoicePayments.get(invoicePayment.id),
  },
])('the receipt of $kind keeps the name of who paid, from the payment on', async ({ kind, record, kept }) => {
  await rename(kind, 'Awa Ba')
  await recordPaid(kind, record)
  expect(await kept(kind)).toMatchObject({ senderName: 'Awa Ba' })
  await rename(kind, 'Awa Sow')
  await recordPaid(kind, record)
  expect(await kept(kind)).toMatchObject({ senderName: 'Awa Ba' })
})
