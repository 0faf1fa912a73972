import { money } from '../../domain/money.ts'
import { transferDescription } from '../../domain/transaction.ts'
import { isAttemptOver, type TransferParts, transferMachine } from '../../machines/transfer.ts'
import { keepReceipts } from '../cache/receipts.ts'
import { promisedTo } from '../services/longest.ts'
import { checkoutActors } from './checkout.ts'

/** The transfer machine with everything it needs in a browser. */
export const transfer = transferMachine.provide({
  actors: checkoutActors<TransferParts>({
    kind: 'transfer',
    async findAttempt({ attempts }) {
      const newest = await attempts.orderBy('begunAt').last()
      return newest
        ? { id: newest.id, draft: newest.draft, order: newest.transfer, again: newest.again }
        : null
    },
    keepAttempt: ({ attempts }, { id, draft, order, again }, begunAt) =>
      attempts.put({ id, draft, transfer: order, begunAt, again }),
    forgetAttempt: ({ attempts }, id) => attempts.delete(id),

    async reserve(call, uid, { id, again, order: { gross, phone, receivingMethod, coupon, quote } }) {
      const minutes = promisedTo(receivingMethod)
      const { CREATE_PAYMENT_INTENT } = await import('../../domain/api/payments.ts')
      return call(CREATE_PAYMENT_INTENT, {
        attemptId: id,
        amount: gross.minor,
        currency: gross.currency === 'EUR' ? 'eur' : 'cad',
        description: transferDescription(phone),
        senderId: uid,
        recipientPhone: phone,
        receivingMethod,
        couponCode: coupon,
        expected: {
          fee: quote.fee.minor,
          converted: quote.converted.minor,
          ...(minutes !== null && { minutes }),
        },
        again,
      })
    },
    refusalOf({ code, error, message, details }, { coupon }) {
      switch (code) {
        case 'monthlyCapExceeded':
          return { kind: code, ...details }
        case 'capUnavailable':
          return { kind: code }
        case 'quoteChanged': {
          const { at, subscription, ledger } = details
          return { kind: code, facts: { at, subscription, ledger } }
        }
        case 'sentAlready': {
          const { id, phone, amount, currency, at, isPaid } = details
          return { kind: code, duplicate: { id, phone, gross: money(amount, currency), at, isPaid } }
        }
        case 'couponEnded':
          return { kind: code, coupon: coupon ?? '' }
      }
      // Section 7 of the specification names this message alone: it has no code, and does not say what is left.
      return error === 'MONTHLY_CAP_EXCEEDED' ? { kind: 'capReached', message } : null
    },
    async keepNews(uid, refusal) {
      if (refusal.kind !== 'quoteChanged') return
      const { keepLedger, keepPlan } = await import('../cache/plans.ts')
      const { at, subscription, ledger } = refusal.facts
      await keepPlan(uid, () => subscription)
      await keepLedger(uid, ledger, at)
    },
    isAttemptOver,

    receiptIn: (paid) => ('transaction' in paid ? paid.transaction : null),
    async keepReceipt(rows, transaction, attemptId) {
      const { dropPaidDraft } = await import('../cache/drafts.ts')
      await keepReceipts(rows, rows.transactions, [transaction])
      const attempt = await rows.attempts.get(attemptId)
      if (attempt) await dropPaidDraft(rows, attempt.draft)
    },
  }),
})
