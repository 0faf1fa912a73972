import { doc, getDoc } from 'firebase/firestore/lite'
import type { MonthLedger } from '../../domain/capUse.ts'
import { asking, firestore } from './firestore.ts'

/** What the server counts toward the cap of a month 'YYYY-MM'; nothing before its first transfer. Fails with `fetchLedger`. */
export async function fetchLedger(uid: string, month: string): Promise<MonthLedger> {
  const snapshot = await asking('fetchLedger', () => getDoc(doc(firestore, 'ledgers', `${uid}_${month}`)))
  const { recordedCents = 0, reservedCents = 0, reservedSlots = 0 } = snapshot.data() ?? {}
  return { month, recordedCents, reservedCents, reservedSlots }
}
