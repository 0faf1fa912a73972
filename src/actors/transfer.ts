import { money } from '../../domain/money/money.ts'
import { buildPaymentRequest } from '../../domain/transfers/shapes/request.ts'
import { buildTransferDraft } from '../../domain/transfers/transfer.ts'
import {
  isTransferAttemptOver,
  TRANSFER_REFUSALS,
  type TransferParts,
  transferMachine,
} from '../../machines/transfer.ts'
import { getStoredLanguage } from '../browser/storedLanguage.ts'
import { getDraftId } from '../cache/openWork.ts'
import { getPromisedMinutes } from '../services/promisedMinutes.ts'
import { createCheckoutActors, withLoadedRows } from './checkout.ts'
import { pickRefusal } from './pickRefusal.ts'

export const transferLogic = transferMachine.provide({
  actors: createCheckoutActors<TransferParts>({
    kind: 'transfer',
    loadSchema: async () =>
      (await import('../../domain/transfers/shapes/attemptSchema.ts')).transferAttemptSchema,
    getAttempts: ({ attempts }) => attempts,

    parseAttempt: ({ attemptId, transfer }) =>
      transfer && {
        id: attemptId,
        draft: buildTransferDraft(transfer, getStoredLanguage()),
        order: transfer,
        again: null,
      },

    async reserve(call, uid, { id, again, order }) {
      const minutes = getPromisedMinutes(order.receivingMethod)
      const { CREATE_PAYMENT_INTENT } = await import('../../domain/api/payments.ts')
      const attempt = { attemptId: id, draftId: getDraftId(), senderId: uid, again, minutes }
      return call(CREATE_PAYMENT_INTENT, buildPaymentRequest(order, attempt))
    },
    toRefusal(failure, { coupon, gross, destination, receivingMethod: wallet }) {
      const { code, error, message, details } = failure
      switch (code) {
        case 'walletLimitExceeded':
          return {
            kind: code,
            wallet,
            limit: money(details.limit, destination.currency),
            fits: money(details.fits, gross.currency),
          }
        case 'formSentAlready':
          return { kind: code, draftId: getDraftId() }
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
      const refusal = pickRefusal(failure, TRANSFER_REFUSALS)
      // This refusal may have no code. Specification, section 7.
      return refusal ?? (error === 'MONTHLY_CAP_EXCEEDED' ? { kind: 'capReached', message } : null)
    },
    async keepNews(uid, refusal) {
      if (refusal.kind !== 'quoteChanged') return
      const { saveLedger, updateStoredPlan } = await import('../cache/plans.ts')
      const { at, subscription, ledger } = refusal.facts
      await updateStoredPlan(uid, () => subscription)
      await saveLedger(uid, ledger, at)
    },
    isAttemptOver: isTransferAttemptOver,

    getReceipt: (paid) => ('transaction' in paid ? paid.transaction : null),
    async keepReceipt(uid, transaction, attemptId) {
      const [{ deletePaidDraft }, { saveTransfers }] = await Promise.all([
        import('../cache/drafts.ts'),
        import('../cache/receipts.ts'),
      ])
      const attempt = await withLoadedRows(uid, async (rows) => {
        await saveTransfers(rows, [transaction])
        const sent = await rows.attempts.get(attemptId)
        if (sent) await deletePaidDraft(rows, sent.draft)
        return sent
      })
      if (!attempt) return
      import('./keepRecipient.ts')
        .then(({ keepRecipient }) => keepRecipient(uid, attempt))
        .catch(() => undefined)
    },
  }),
})
