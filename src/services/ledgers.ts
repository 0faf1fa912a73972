import { doc, getDoc } from 'firebase/firestore/lite'
import { ledgerSchema } from '../../domain/account/profileSchema.ts'
import { createEmptyLedger, type MonthLedger } from '../../domain/prices/capUse.ts'
import { firestore, parseStored, withFirestoreErrors } from './firestore.ts'

/** `month`: 'YYYY-MM'. @throws a failure of the operation `fetchLedger`. */
export async function fetchLedger(uid: string, month: string): Promise<MonthLedger> {
  const snapshot = await withFirestoreErrors('fetchLedger', () =>
    getDoc(doc(firestore, 'ledgers', `${uid}_${month}`)),
  )
  return parseStored('fetchLedger', ledgerSchema, snapshot.data() ?? createEmptyLedger(month))
}
