import { doc, getDoc } from 'firebase/firestore/lite'
import { emptyLedger, type MonthLedger } from '../../domain/capUse.ts'
import { ledgerSchema } from '../../domain/schemas/profile.ts'
import { asking, firestore, reading } from './firestore.ts'

/** What the server counts toward the cap of a month 'YYYY-MM'; nothing before its first transfer. Fails with `fetchLedger`. */
export async function fetchLedger(uid: string, month: string): Promise<MonthLedger> {
  const snapshot = await asking('fetchLedger', () => getDoc(doc(firestore, 'ledgers', `${uid}_${month}`)))
  return reading('fetchLedger', ledgerSchema, snapshot.data() ?? emptyLedger(month))
}
