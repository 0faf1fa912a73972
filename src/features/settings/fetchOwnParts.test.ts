import { expect, test } from 'vitest'
import type { Place } from '../../../domain/gaps.ts'
import { EMPTY_SUBSCRIPTION } from '../../../domain/plans.ts'
import { SENT } from '../../../domain/transaction.samples.ts'
import { ServiceError } from '../../browser/failure.ts'
import { fetchOwnParts, type OwnServer } from './fetchOwnParts.ts'

const NOW = Date.UTC(2026, 10, 23)
const ids = Array.from({ length: 230 }, (_, index) => `pi_${index}`)
const placeOf = (id: string): Place => ({ seconds: 1, nanoseconds: 0, id })

/** A server with 230 transfers. */
const server: OwnServer = {
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
  fetchInvoicePayments: async () => ({ payments: [], next: null }),
  fetchHistory: async (_, after, most) => {
    const from = after ? ids.indexOf(after.id) + 1 : 0
    const found = ids.slice(from, from + most)
    const last = found.at(-1)
    return {
      transactions: found.map((id) => ({ ...SENT, id })),
      stretch: { after, newest: null, oldest: found.length < most || !last ? null : placeOf(last) },
    }
  },
}

test('every page of the history is asked for, and how far it is is told', async () => {
  const told: number[] = []
  const { transactions, ledger } = await fetchOwnParts('ana', server, {
    now: NOW,
    onProgress: (count) => told.push(count),
  })
  expect(transactions.map(({ id }) => id)).toEqual(ids)
  expect(ledger.month).toBe('2026-11')
  expect(told.at(-1)).toBe(230)
  expect(told.length).toBeGreaterThan(2)
})

test('a network that breaks in the middle ends it: a part is not everything', async () => {
  const cut: OwnServer = {
    ...server,
    fetchHistory: (uid, after, most) =>
      after ? Promise.reject(new ServiceError({ kind: 'network' })) : server.fetchHistory(uid, after, most),
  }
  await expect(fetchOwnParts('ana', cut, { now: NOW, onProgress: () => undefined })).rejects.toMatchObject({
    failure: { kind: 'network' },
  })
})

test('nobody without a profile gets a file', async () => {
  const unknown: OwnServer = { ...server, fetchProfile: async () => null }
  await expect(
    fetchOwnParts('ana', unknown, { now: NOW, onProgress: () => undefined }),
  ).rejects.toMatchObject({
    failure: { kind: 'data', operation: 'fetchProfile' },
  })
})
