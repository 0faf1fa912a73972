import { Timestamp } from 'firebase/firestore/lite'
import { beforeEach, expect, test, vi } from 'vitest'
import { SENT_TRANSFER } from '../../domain/transfers/transaction.samples.ts'
import { toFailure } from '../browser/failure.ts'
import { fetchInvoicePayments } from './invoices.ts'
import { fetchLedger } from './ledgers.ts'
import { fetchProfile } from './profiles.ts'
import { fetchHistory, fetchTransaction } from './transactions.ts'

vi.mock('./firebase.ts', () => ({ firebaseApp: {} }))
vi.mock('./authClient.ts', () => ({ auth: { authStateReady: async () => {}, currentUser: { uid: 'ana' } } }))
vi.mock('./token.ts', () => ({ withToken: <T>(work: () => T) => work() }))
const { getDoc, getDocs } = vi.hoisted(() => ({ getDoc: vi.fn(), getDocs: vi.fn() }))
vi.mock('firebase/firestore/lite', async (original) => ({
  ...(await original<object>()),
  ...{ getFirestore: () => ({}), collection: () => ({}), doc: () => ({}), query: () => ({}) },
  ...{ where: () => ({}), orderBy: () => ({}), documentId: () => ({}), getDoc, getDocs },
}))

const createDocument = (id: string, data: Record<string, unknown> | undefined) => ({
  id,
  data: () => data,
  get: (field: string) => data?.[field],
  exists: () => data !== undefined,
})

const at = Timestamp.fromMillis(SENT_TRANSFER.createdAt)
const stored = {
  ...SENT_TRANSFER,
  createdAt: at,
  settledAt: at,
  estimatedArrival: Timestamp.fromMillis(SENT_TRANSFER.estimatedArrival),
}

beforeEach(() => {
  getDoc.mockReset()
  getDocs.mockReset()
})

test('fetchHistory names an unreadable transfer, and continues below it', async () => {
  const docs = [
    createDocument(SENT_TRANSFER.id, stored),
    createDocument('foreign', { ...stored, amount: 'a lot' }),
  ]
  getDocs.mockResolvedValueOnce({ docs })
  const { transactions, unreadIds, stretch } = await fetchHistory('ana', null, 2)
  expect(transactions).toEqual([SENT_TRANSFER])
  expect(unreadIds).toEqual(['foreign'])
  expect(stretch.oldest).toEqual({ seconds: at.seconds, nanoseconds: at.nanoseconds, id: 'foreign' })
  getDoc.mockResolvedValueOnce(docs[1])
  expect(await fetchTransaction('foreign')).toBe('unreadable')
  getDoc.mockResolvedValueOnce(createDocument('none', undefined))
  expect(await fetchTransaction('none')).toBe(null)
})

test('fetchInvoicePayments names an unreadable payment, and continues below it', async () => {
  const docs = [createDocument('foreign', { createdAt: at, amount: 5 })]
  getDocs.mockResolvedValueOnce({ docs })
  expect(await fetchInvoicePayments('ana', null, 1)).toEqual({
    payments: [],
    unreadIds: ['foreign'],
    next: { id: 'foreign', createdAt: SENT_TRANSFER.createdAt },
  })
  getDocs.mockResolvedValueOnce({ docs })
  expect((await fetchInvoicePayments('ana', null, 2)).next).toBe(null)
})

test('fetchLedger rejects an unreadable ledger, and a missing one is empty', async () => {
  getDoc.mockResolvedValue(createDocument('ana_2026-11', { recordedCents: 'none' }))
  const failure = await fetchLedger('ana', '2026-11').catch(toFailure)
  expect(failure).toEqual({ kind: 'data', operation: 'fetchLedger', cause: 'other' })
  getDoc.mockResolvedValue(createDocument('ana_2026-12', undefined))
  expect(await fetchLedger('ana', '2026-12')).toMatchObject({ month: '2026-12', recordedCents: 0 })
})

test('fetchProfile reads an unknown tier as no plan', async () => {
  const subscription = { tier: 'gold', status: 'active', transactionsLeft: '5', startDate: at }
  getDoc.mockResolvedValue(createDocument('ana', { name: 'Ana', email: 'ana@example.com', subscription }))
  expect(await fetchProfile('ana')).toMatchObject({
    ...{ uid: 'ana', name: 'Ana', madeWith: 'address', verifiedAddress: null },
    subscription: {
      tier: null,
      status: 'active',
      transactionsLeft: null,
      startDate: SENT_TRANSFER.createdAt,
    },
  })
})
