import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { DELIVERED, HANDED_OVER, SENT } from '../../../domain/transaction.samples.ts'
import { type KeptTransaction, withRows } from '../../cache/database.ts'
import { followDelivery } from './followDelivery.ts'

const { fetchTransaction } = vi.hoisted(() => ({ fetchTransaction: vi.fn() }))
vi.mock('../../services/transactions.ts', () => ({ fetchTransaction }))

const { id } = SENT
const kept = (uid: string) => withRows(uid, ({ transactions }) => transactions.get(id))

/** What the device has after this answer, when its row became this one while the answer was under way. */
async function follow(uid: string, answer: Partial<KeptTransaction>, meanwhile: Partial<KeptTransaction>) {
  const keep = (row: Partial<KeptTransaction>) =>
    withRows(uid, ({ transactions }) => transactions.put({ ...SENT, ...row }))
  await keep({ delivery: HANDED_OVER })
  fetchTransaction.mockImplementationOnce(async () => {
    await keep(meanwhile)
    return { ...SENT, ...answer }
  })
  await followDelivery(uid, id)
  return kept(uid)
}

test('an open receipt brings the delivery up to date, and tells of the arrival itself', async () => {
  expect(await follow('ana', { delivery: DELIVERED }, { delivery: HANDED_OVER })).toEqual({
    ...SENT,
    delivery: DELIVERED,
  })
})

test('what has arrived stays so, and stays to be told, when an answer of before comes later', async () => {
  const meanwhile = { delivery: DELIVERED, arrivedSince: true }
  expect(await follow('binta', { delivery: HANDED_OVER }, meanwhile)).toEqual({ ...SENT, ...meanwhile })
})
