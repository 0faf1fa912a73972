import type { ReleaseResult } from '../../domain/api/api.ts'
import { RECORD_TRANSFER } from '../../domain/api/payments.ts'
import type { Transaction } from '../../domain/transfers/transaction.ts'
import { toFailure } from '../browser/failure.ts'
import { parseReturnAddress } from '../browser/returnAddress.ts'
import { deviceStore } from '../browser/storage.ts'
import { withRows } from '../cache/database.ts'
import { saveTransfers } from '../cache/receipts.ts'
import { callFunction } from '../services/functions.ts'
import { askAbout } from './checkout.ts'

export type EndedPayment =
  | { readonly outcome: 'sent'; readonly transaction: Transaction }
  | { readonly outcome: 'invoicePaid' | 'refunded' | 'disputed' | 'unpaid' | 'unclear' }

/** Until then, each start asks again, because nothing else shows the outcome. */
export function dismissEndedPayment() {
  deviceStore.set('ended', null)
  if (parseReturnAddress()?.kind === 'payment') history.replaceState(history.state, '', '/')
}

/** Null if no payment was open. An unpaid attempt is canceled, which frees its part of the monthly cap. */
export async function resolveEndedPayment(uid: string): Promise<EndedPayment | null> {
  const ended = deviceStore.get('ended')
  if (ended?.uid !== uid || ended.attemptId === null) return null
  const { attemptId } = ended
  const recorded = await askAbout('RECORD_TRANSFER', attemptId)
  const isOpen = recorded.outcome === 'unpaid' && recorded.status !== 'canceled'
  const answer = isOpen ? await askAbout('CANCEL_PAYMENT_INTENT', attemptId) : recorded
  return saveOutcome(uid, answer)
}

/** Null for another user's payment. */
export async function resolveReturnedPayment(
  uid: string,
  paymentIntentId: string,
): Promise<EndedPayment | null> {
  const answer = await callFunction(RECORD_TRANSFER, { paymentIntentId }).catch((error) => {
    const failure = toFailure(error)
    if (failure.kind === 'function' && /^(forbidden|paymentNotFound|invalidRequest)$/.test(failure.code))
      return null
    throw error
  })
  if (!answer) history.replaceState(history.state, '', '/')
  return answer && saveOutcome(uid, answer)
}

async function saveOutcome(uid: string, answer: ReleaseResult): Promise<EndedPayment> {
  if (answer.outcome === 'unclear') return { outcome: 'unclear' }
  if (answer.outcome !== 'paid') return { outcome: answer.outcome === 'released' ? 'unpaid' : answer.outcome }
  if ('invoicePayment' in answer) {
    const { invoicePayment } = answer
    await withRows(uid, (rows) => rows.invoicePayments.put(invoicePayment))
    dismissEndedPayment()
    return { outcome: 'invoicePaid' }
  }
  const { transaction } = answer
  await withRows(uid, (rows) => saveTransfers(rows, [transaction]))
  dismissEndedPayment()
  return { outcome: 'sent', transaction }
}
