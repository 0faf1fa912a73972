import { expect, test } from 'vitest'
import { EMPTY_SUBSCRIPTION } from '../../../domain/prices/plans.ts'
import type { HistoryCursor } from '../../../domain/records/historyCoverage.ts'
import { SENT_TRANSFER } from '../../../domain/transfers/transaction.samples.ts'
import { ServiceError } from '../../browser/failure.ts'
import { fetchOwnData, type OwnDataServer } from './fetchOwnData.ts'

const NOW = Date.UTC(2026, 10, 23)
const ids = Array.from({ length: 230 }, (_, index) => `pi_${index}`)
const buildCursor = (id: string): HistoryCursor => ({ seconds: 1, nanoseconds: 0, id })

const server: OwnDataServer = {
  fetchProfile: async (uid) => ({
    uid,
    name: 'Ana',
    email: null,
    phone: null,
    subscription: EMPTY_SUBSCRIPTION,
    madeWith: 'address',
    verifiedAddress: null,
  }),
  fetchLedger: async (_, month) => ({ month, recordedCents: 0, reservedCents: 0, reservedSlots: 0 }),
  fetchContacts: async () => [],
  fetchIdentityFiles: async () => [],
  fetchInvoicePayments: async () => ({ payments: [], unreadIds: [], next: null }),
  fetchHistory: async (_, after, most) => {
    const from = after ? ids.indexOf(after.id) + 1 : 0
    const found = ids.slice(from, from + most)
    const last = found.at(-1)
    return {
      transactions: found.map((id) => ({ ...SENT_TRANSFER, id })),
      unreadIds: [],
      stretch: { after, newest: null, oldest: found.length < most || !last ? null : buildCursor(last) },
    }
  },
}

test('the export fetches every page of the history and reports progress', async () => {
  const reported: number[] = []
  const { transactions, ledger } = await fetchOwnData('ana', server, {
    now: NOW,
    onProgress: (count) => reported.push(count),
  })
  expect(transactions.map(({ id }) => id)).toEqual(ids)
  expect(ledger.month).toBe('2026-11')
  expect(reported.at(-1)).toBe(230)
  expect(reported.length).toBeGreaterThan(2)
})

test('the export fails if the network fails after the first page', async () => {
  const cut: OwnDataServer = {
    ...server,
    fetchHistory: (uid, after, most) =>
      after ? Promise.reject(new ServiceError({ kind: 'network' })) : server.fetchHistory(uid, after, most),
  }
  await expect(fetchOwnData('ana', cut, { now: NOW, onProgress: () => undefined })).rejects.toMatchObject({
    failure: { kind: 'network' },
  })
})

test('the export fails for a user without a profile', async () => {
  const unknown: OwnDataServer = { ...server, fetchProfile: async () => null }
  await expect(fetchOwnData('ana', unknown, { now: NOW, onProgress: () => undefined })).rejects.toMatchObject(
    {
      failure: { kind: 'data', operation: 'fetchProfile' },
    },
  )
})

test.each([
  [
    'transfer',
    {
      ...server,
      fetchHistory: async (...query: Parameters<OwnDataServer['fetchHistory']>) => ({
        ...(await server.fetchHistory(...query)),
        unreadIds: ['pi_new'],
      }),
    },
  ],
  [
    'invoice',
    {
      ...server,
      fetchInvoicePayments: async () => ({ payments: [], unreadIds: ['pi_new'], next: null }),
    },
  ],
])('the export fails if this version can’t read one %s', async (_, newer) => {
  await expect(fetchOwnData('ana', newer, { now: NOW, onProgress: () => undefined })).rejects.toMatchObject({
    failure: { kind: 'data', cause: 'unreadable' },
  })
})
