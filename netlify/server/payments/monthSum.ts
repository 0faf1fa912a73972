import { Timestamp } from 'firebase-admin/firestore'
import { eurCents } from '../../../domain/limits.ts'
import { monthRange } from '../../../domain/month.ts'
import { amountsOf } from '../../../domain/transaction.ts'
import type { Context } from '../platform/context.ts'
import { parseTransaction } from '../platform/documents.ts'
import { indexed } from '../platform/indexed.ts'
import { transactions } from '../platform/records.ts'

const COUNTED = ['completed', 'settled']

/**
 * What a user's completed transfers to others in a UTC month ('YYYY-MM') add up to, gross, in EUR cents. The month's ledger says
 * the same without reading them, and knows the payments under way too: it decides wherever there is one. Without the
 * index all of the user's transfers are read. Specification, section 7.
 *
 * @throws Firestore's error; nothing is known then, and nothing may be charged.
 */
export async function sumOfMonth({ db, log }: Pick<Context, 'db' | 'log'>, uid: string, month: string) {
  const { start, end } = monthRange(month)
  const sent = transactions(db).where('senderId', '==', uid)
  const ofMonth = sent
    .where('status', 'in', COUNTED)
    .where('createdAt', '>=', Timestamp.fromMillis(start))
    .where('createdAt', '<', Timestamp.fromMillis(end))
  const found = await indexed({ log }, ofMonth, sent)
  return found.docs
    .map((document) => parseTransaction(document.data()))
    .filter(({ type }) => type !== 'received')
    .filter(({ status, createdAt }) => COUNTED.includes(status) && createdAt >= start && createdAt < end)
    .reduce((sum, transaction) => sum + eurCents(amountsOf(transaction).gross), 0)
}
