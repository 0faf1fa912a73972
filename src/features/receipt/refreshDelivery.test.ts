import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import {
  ARRIVED_DELIVERY,
  HANDED_OVER_DELIVERY,
  SENT_TRANSFER,
} from '../../../domain/transfers/transaction.samples.ts'
import { type StoredTransaction, withRows } from '../../cache/database.ts'
import { refreshDelivery } from './refreshDelivery.ts'

const { fetchTransaction } = vi.hoisted(() => ({ fetchTransaction: vi.fn() }))
vi.mock('../../services/transactions.ts', () => ({ fetchTransaction }))

const { id } = SENT_TRANSFER
const kept = (uid: string) => withRows(uid, ({ transactions }) => transactions.get(id))

/** The row changed to `meanwhile` during the request. */
async function follow(
  uid: string,
  answer: Partial<StoredTransaction>,
  meanwhile: Partial<StoredTransaction>,
) {
  const keep = (row: Partial<StoredTransaction>) =>
    withRows(uid, ({ transactions }) => transactions.put({ ...SENT_TRANSFER, ...row }))
  await keep({ delivery: HANDED_OVER_DELIVERY })
  fetchTransaction.mockImplementationOnce(async () => {
    await keep(meanwhile)
    return { ...SENT_TRANSFER, ...answer }
  })
  await refreshDelivery(uid, id)
  return kept(uid)
}

test('marks a new arrival, because the app lock may cover the receipt', async () => {
  expect(await follow('ana', { delivery: ARRIVED_DELIVERY }, { delivery: HANDED_OVER_DELIVERY })).toEqual({
    ...SENT_TRANSFER,
    delivery: ARRIVED_DELIVERY,
    arrivedSince: true,
  })
})

test('a late response to an open receipt keeps a stored arrival', async () => {
  const meanwhile = { delivery: ARRIVED_DELIVERY, arrivedSince: true, recipientLink: '/t/arrived' }
  expect(await follow('binta', { delivery: HANDED_OVER_DELIVERY }, meanwhile)).toEqual({
    ...SENT_TRANSFER,
    ...meanwhile,
  })
})
