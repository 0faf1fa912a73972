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
import { transactionSchema } from '../../domain/schemas/transaction.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { isDenied } from '../browser/failure.ts'
import { asking, firestore, instant, rowsIn } from './firestore.ts'

/** Some rows of a history that follow each other, and how much of the history they prove to be complete. */
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
    transactions: rowsIn(transactionSchema(instant), docs),
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
    return rowsIn(transactionSchema(instant), [found])[0] ?? null
  } catch (error) {
    // The rules give the same refusal for a transfer that does not exist.
    if (isDenied(error)) return null
    throw error
  }
}

function placeOf(document: DocumentSnapshot<DocumentData>): Place {
  const createdAt: unknown = document.get('createdAt')
  const { seconds, nanoseconds } = createdAt instanceof Timestamp ? createdAt : new Timestamp(0, 0)
  return { seconds, nanoseconds, id: document.id }
}
