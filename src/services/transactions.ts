import {
  collection,
  type DocumentData,
  type DocumentSnapshot,
  doc,
  documentId,
  getDoc,
  getDocs,
  limit,
  orderBy,
  query,
  startAfter,
  Timestamp,
  where,
} from 'firebase/firestore/lite'
import type { Place, Stretch } from '../../domain/gaps.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { isDenied } from '../browser/failure.ts'
import { asking, firestore, millis } from './firestore.ts'

/** Some rows of a history that follow each other, and what they prove of it. */
export interface HistoryPart {
  readonly transactions: readonly Transaction[]
  readonly stretch: Stretch
}

/**
 * The person's transfers, newest first: the newest ones, or those right below a place. Fails with `fetchHistory`.
 * Specification, section 7.
 */
export async function fetchHistory(uid: string, after: Place | null, most: number): Promise<HistoryPart> {
  const sent = query(
    collection(firestore, 'transactions'),
    where('senderId', '==', uid),
    orderBy('createdAt', 'desc'),
    orderBy(documentId(), 'desc'),
    ...(after ? [startAfter(new Timestamp(after.seconds, after.nanoseconds), after.id)] : []),
    limit(most),
  )
  const { docs } = await asking('fetchHistory', () => getDocs(sent))
  const places = docs.map(placeOf)
  return {
    transactions: docs.map(transactionIn),
    stretch: {
      after,
      newest: places[0] ?? null,
      oldest: docs.length < most ? null : (places.at(-1) ?? null),
    },
  }
}

/** One transfer; null when there is none that the person may see. Fails with `fetchHistory`. */
export async function fetchTransaction(id: string): Promise<Transaction | null> {
  try {
    const found = await asking('fetchHistory', () => getDoc(doc(firestore, 'transactions', id)))
    return found.exists() ? transactionIn(found) : null
  } catch (error) {
    // The rules answer this of a transfer that is not there, too.
    if (isDenied(error)) return null
    throw error
  }
}

function placeOf(document: DocumentSnapshot<DocumentData>): Place {
  const { seconds = 0, nanoseconds = 0 } = (document.get('createdAt') ?? {}) as Partial<Timestamp>
  return { seconds, nanoseconds, id: document.id }
}

function transactionIn(document: DocumentSnapshot<DocumentData>): Transaction {
  const data = document.data() ?? {}
  return {
    ...data,
    id: document.id,
    createdAt: millis(data.createdAt) ?? 0,
    settledAt: millis(data.settledAt),
    estimatedArrival: millis(data.estimatedArrival),
  } as Transaction
}
