import { isAttemptOver, type TransferRefusal, transferMachine } from '../../machines/transfer.ts'
import { keepReceipts } from '../cache/receipts.ts'
import { type Transaction, transferDescription } from '../domain/transaction.ts'
import type { CheckedTransfer, TransferDraft } from '../domain/transfer.ts'
import { checkoutActors } from './checkout.ts'

/** The transfer machine with everything it needs in a browser. */
export const transfer = transferMachine.provide({
  actors: checkoutActors<TransferDraft, CheckedTransfer, TransferRefusal, Transaction>({
    async findAttempt({ attempts }) {
      const newest = await attempts.orderBy('begunAt').last()
      return newest ? { id: newest.id, draft: newest.draft, order: newest.transfer } : null
    },
    keepAttempt: ({ attempts }, { id, draft, order }, begunAt) =>
      attempts.put({ id, draft, transfer: order, begunAt }),
    forgetAttempt: ({ attempts }, id) => attempts.delete(id),

    functionName: 'create-payment-intent',
    requestOf: (uid, { id, order: { gross, phone, receivingMethod, coupon, quote } }) => ({
      attemptId: id,
      amount: gross.minor,
      currency: gross.currency.toLowerCase(),
      description: transferDescription(phone),
      senderId: uid,
      recipientPhone: phone,
      receivingMethod,
      couponCode: coupon,
      expected: { fee: quote.fee.minor, converted: quote.converted.minor },
    }),
    refusalOf({ code, details }) {
      switch (code) {
        case 'monthlyCapExceeded':
          return { kind: code, leftCents: Number(details.leftCents), resetsAt: Number(details.resetsAt) }
        case 'capUnavailable':
        case 'quoteChanged':
          return { kind: code }
      }
      return null
    },
    isAttemptOver,

    receiptIn: ({ transaction }) => transaction as Transaction,
    async keepReceipt(rows, transaction, attemptId) {
      const { dropPaidDraft } = await import('../cache/drafts.ts')
      await keepReceipts(rows, rows.transactions, [transaction])
      const attempt = await rows.attempts.get(attemptId)
      if (attempt) await dropPaidDraft(rows, attempt.draft)
    },
  }),
})
