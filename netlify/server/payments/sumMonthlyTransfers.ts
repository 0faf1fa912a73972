import { Timestamp } from 'firebase-admin/firestore'
import { getMonthRange } from '../../../domain/common/month.ts'
import { toEurCents } from '../../../domain/prices/limits.ts'
import { getAmounts } from '../../../domain/transfers/transaction.ts'
import type { Context } from '../platform/context.ts'
import { parseTransaction } from '../platform/documents.ts'
import { transactions } from '../platform/records.ts'
import { queryWithFallback } from './queryWithFallback.ts'

const COUNTED = ['completed', 'settled']

/**
 * Sums a user's completed transfers to others in a UTC month ('YYYY-MM'), gross, in EUR cents. For months
 * without a ledger. Specification, section 7. @throws Firestore's error; nothing may be charged then.
 */
export async function sumMonthlyTransfers(
  { db, log }: Pick<Context, 'db' | 'log'>,
  uid: string,
  month: string,
) {
  const { start, end } = getMonthRange(month)
  const sent = transactions(db).where('senderId', '==', uid)
  const ofMonth = sent
    .where('status', 'in', COUNTED)
    .where('createdAt', '>=', Timestamp.fromMillis(start))
    .where('createdAt', '<', Timestamp.fromMillis(end))
  const found = await queryWithFallback({ log }, ofMonth, sent)
  return found.docs
    .map((document) => parseTransaction(document.data()))
    .filter(({ type }) => type !== 'received')
    .filter(({ status, createdAt }) => COUNTED.includes(status) && createdAt >= start && createdAt < end)
    .reduce((sum, transaction) => sum + toEurCents(getAmounts(transaction).gross), 0)
}
