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
import type { CoveredHistoryRange, HistoryCursor } from '../../domain/records/historyCoverage.ts'
import { buildTransactionSchema } from '../../domain/transfers/shapes/transactionSchema.ts'
import type { Transaction } from '../../domain/transfers/transaction.ts'
import { isDenied } from '../browser/failure.ts'
import {
  firestore,
  instantSchema,
  listUnread,
  parseDocument,
  parseDocuments,
  withFirestoreErrors,
} from './firestore.ts'

export type FetchedTransaction = Transaction | 'unreadable'

export interface HistoryPart {
  readonly transactions: readonly Transaction[]
  readonly unreadIds: readonly string[]
  readonly stretch: CoveredHistoryRange
}

/** Specification, section 7. @throws a failure of the operation `fetchHistory`. */
export async function fetchHistory(
  uid: string,
  after: HistoryCursor | null,
  most: number,
): Promise<HistoryPart> {
  const sent = query(
    collection(firestore, 'transactions'),
    where('senderId', '==', uid),
    orderBy('createdAt', 'desc'),
    orderBy(documentId(), 'desc'),
    ...(after ? [startAfter(new Timestamp(after.seconds, after.nanoseconds), after.id)] : []),
    limit(most),
  )
  const { docs } = await withFirestoreErrors('fetchHistory', () => getDocs(sent))
  const places = docs.map(toPlace)
  const transactions = parseDocuments(buildTransactionSchema(instantSchema), docs)
  return {
    transactions,
    unreadIds: listUnread(docs, transactions),
    stretch: {
      after,
      newest: places[0] ?? null,
      oldest: docs.length < most ? null : (places.at(-1) ?? null),
    },
  }
}

/** Null if it doesn't exist or the user can't see it. @throws a failure of the operation `fetchHistory`. */
export async function fetchTransaction(id: string): Promise<FetchedTransaction | null> {
  try {
    const found = await withFirestoreErrors('fetchHistory', () => getDoc(doc(firestore, 'transactions', id)))
    return found.exists()
      ? (parseDocument(buildTransactionSchema(instantSchema), found) ?? 'unreadable')
      : null
  } catch (error) {
    // The rules respond with the same refusal for a transfer that does not exist.
    if (isDenied(error)) return null
    throw error
  }
}

function toPlace(document: DocumentSnapshot<DocumentData>): HistoryCursor {
  const createdAt: unknown = document.get('createdAt')
  const { seconds, nanoseconds } = createdAt instanceof Timestamp ? createdAt : new Timestamp(0, 0)
  return { seconds, nanoseconds, id: document.id }
}
