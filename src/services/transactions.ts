import { collection, getDocs, limit, orderBy, query, where } from 'firebase/firestore/lite'
import type { Transaction } from '../domain/transaction.ts'
import { asking, firestore, millis } from './firestore.ts'

/** The person's newest transfers, newest first. Fails with `fetchHistory`. Specification, section 7. */
export async function fetchTransactions(uid: string, most: number): Promise<Transaction[]> {
  const sent = query(
    collection(firestore, 'transactions'),
    where('senderId', '==', uid),
    orderBy('createdAt', 'desc'),
    limit(most),
  )
  const { docs } = await asking('fetchHistory', getDocs(sent))
  return docs.map((document) => {
    const data = document.data()
    return {
      ...data,
      id: document.id,
      createdAt: millis(data.createdAt) ?? 0,
      settledAt: millis(data.settledAt),
      estimatedArrival: millis(data.estimatedArrival),
    } as Transaction
  })
}
