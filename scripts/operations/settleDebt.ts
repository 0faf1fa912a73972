import { listEntries, sumEntries } from '../../domain/journal/balances.ts'
import { bookSettled } from '../../domain/journal/movements.ts'
import { syncDebt } from '../../netlify/server/payments/refunds.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { parseRefund } from '../../netlify/server/platform/documents.ts'
import { journal, parseJournalDocument, writeJournal } from '../../netlify/server/platform/journal.ts'
import { refunds } from '../../netlify/server/platform/records.ts'
import { CommandError } from './commandError.ts'
import { formatStripeAmount } from './format.ts'

/**
 * Ends a debt that our bank pays instead of the card. The user is not notified, because the notification names the
 * card. @throws CommandError if nothing was changed; or Stripe's or Firestore's error, after which repeating is safe.
 */
export async function settleDebt(
  context: PayoutContext,
  id: string,
  reference: string,
): Promise<readonly string[]> {
  const { db, payouts, now } = context
  await syncDebt(context, id)
  return db.runTransaction(async (tx) => {
    const ref = refunds(db).doc(id)
    const debt = parseRefund(await tx.get(ref))
    if (debt?.status === 'settled') return [`${id} is settled already. Don't pay it again.`]
    if (debt?.status !== 'due' && debt?.status !== 'failing')
      throw new CommandError(
        `Nothing was changed: ${debt ? `the debt of ${id} is ${debt.status}` : `${id} is not owed back`}.`,
      )
    const { docs } = await tx.get(journal(db).where('about', '==', id))
    const balances = sumEntries(listEntries(docs.flatMap((document) => parseJournalDocument(document) ?? [])))
    const claims = [...balances].map(([currency, accounts]) => ({
      minor: -(accounts.get('liabilities:payers') ?? 0),
      currency,
    }))
    const owed = claims.filter(({ minor }) => minor > 0)
    if (owed.length === 0)
      throw new CommandError(`Nothing was changed: by the books, nothing of ${id} is owed to the payer.`)
    const storePayout = debt.reason === 'undelivered' && (await payouts?.readForRefund(context, tx, id))
    tx.update(ref, { status: 'settled', checkAt: null, since: now() })
    writeJournal(context, tx, id, 'settled', owed.flatMap(bookSettled))
    if (storePayout) storePayout(true)
    const amounts = owed.map(({ minor, currency }) => formatStripeAmount(minor, currency)).join(', ')
    return [`${id} is settled: pay ${amounts} from our bank under ${reference}.`]
  })
}
