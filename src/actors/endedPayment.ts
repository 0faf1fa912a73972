import { CANCEL_PAYMENT_INTENT, RECORD_TRANSFER } from '../../domain/api/payments.ts'
import type { Release } from '../../domain/api.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { failureOf } from '../browser/failure.ts'
import { deviceStore } from '../browser/storage.ts'
import { type ReceiptRow, withRows } from '../cache/database.ts'
import { keepReceipts } from '../cache/receipts.ts'
import { callFunction } from '../services/functions.ts'

/** What became of a payment that was open when its session was ended elsewhere. */
export type EndedPayment =
  | { readonly outcome: 'sent'; readonly transaction: Transaction & ReceiptRow }
  | { readonly outcome: 'invoicePaid' | 'refunded' | 'disputed' | 'unpaid' | 'unclear' }

/**
 * Asks the server about the payment that was open when the session of this person was ended and the page was closed; null when there was
 * none. A payment that nobody made is given up, so that it holds nothing of the month's cap.
 */
export async function askAboutEnded(uid: string): Promise<EndedPayment | null> {
  const ended = deviceStore.get('ended')
  if (ended?.uid !== uid || ended.attemptId === null) return null
  const { attemptId } = ended
  const ask = (definition: typeof RECORD_TRANSFER | typeof CANCEL_PAYMENT_INTENT): Promise<Release> =>
    callFunction(definition, { attemptId }).catch(unheard)
  const recorded = await ask(RECORD_TRANSFER)
  const answer = recorded.outcome === 'unpaid' ? await ask(CANCEL_PAYMENT_INTENT) : recorded
  if (answer.outcome === 'unclear') return { outcome: 'unclear' }
  deviceStore.set('ended', null)
  if (answer.outcome !== 'paid') return { outcome: answer.outcome === 'released' ? 'unpaid' : answer.outcome }
  if ('invoicePayment' in answer) {
    const { invoicePayment } = answer
    await withRows(uid, (rows) => keepReceipts(rows, rows.invoicePayments, [invoicePayment]))
    return { outcome: 'invoicePaid' }
  }
  const { transaction } = answer
  await withRows(uid, (rows) => keepReceipts(rows, rows.transactions, [transaction]))
  return { outcome: 'sent', transaction }
}

/** Nobody can have paid an attempt that never reached the server. */
function unheard(error: unknown): Release {
  const failure = failureOf(error)
  if (failure.kind === 'function' && failure.code === 'paymentNotFound') return { outcome: 'released' }
  throw error
}
