import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useMemo } from 'react'
import { getTimeZone } from '../../../domain/common/localDay.ts'
import { computeProgress, getStateColor, getTransferState } from '../../../domain/transfers/progress.ts'
import type { TransferDraft } from '../../../domain/transfers/shapes/draftSchema.ts'
import { buildTimeline, getNextTimelineChangeTime, isKnownLate } from '../../../domain/transfers/timeline.ts'
import { buildDraftFromTransaction, type Transaction } from '../../../domain/transfers/transaction.ts'
import { buildReceiptContent } from '../../../print/receiptContent.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { findContact } from '../../cache/queries.ts'
import { operator } from '../../services/operator.ts'
import { ProgressArch } from '../../ui/ProgressArch.tsx'
import { STATUS_NAMES } from '../../ui/payment/statusNames.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useLiveQuery } from '../../ui/useLiveQuery.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { DeliveryExplanation } from './DeliveryExplanation.tsx'
import { ProgressStages } from './ProgressStages.tsx'
import { PAID_OUTCOME, Receipt, type ReceiptOutcome } from './Receipt.tsx'
import { listFurtherActions } from './receiptActions.ts'
import { useCancelOffer } from './useCancelOffer.tsx'
import { useTrackedTransfer } from './useTrackedTransfer.ts'

/** Specification, section 4. */
export function ReceiptSheet({
  uid,
  transaction: opened,
  isNew,
  isBeside,
  onRepeat,
  onClose,
}: {
  uid: string
  transaction: Transaction
  isNew: boolean
  isBeside?: boolean
  /** Absent right after a payment. */
  onRepeat?: (draft: TransferDraft) => void
  onClose: () => void
}) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const { transaction, refresh } = useTrackedTransfer(uid, opened)
  const { recipientPhone, delivery } = transaction
  const isSent = transaction.type === 'sent'
  const isContact = useLiveQuery(
    uid,
    useCallback(
      async (database: UserDatabase) => (await findContact(database, recipientPhone)) !== null,
      [recipientPhone],
    ),
  )
  const now = useServerNow((now) => getNextTimelineChangeTime(transaction, now))
  const timeline = isSent ? buildTimeline(transaction, now) : null
  const progress = timeline && computeProgress(timeline)
  const isLate = isKnownLate(timeline)
  const timeZone = getTimeZone()
  const content = useMemo(
    () => buildReceiptContent(transaction, { language, operator, isLate, origin: location.origin, timeZone }),
    [transaction, isLate, language, timeZone],
  )

  const isUndelivered = delivery?.stage === 'ordered' || delivery?.stage === 'handedOver'
  const cancelOffer = useCancelOffer(uid, transaction.id, isSent && isUndelivered ? delivery : null)

  const state = getTransferState(transaction, now)
  const describeOutcome = (): ReceiptOutcome => {
    if (state === 'delivered') {
      const proof = delivery?.proof
      return {
        text: <Trans>Remis au bénéficiaire</Trans>,
        color: 'green',
        more: proof && <Trans>Référence du portefeuille : {proof}</Trans>,
      }
    }
    const isPaid = timeline?.stage === 'onItsWay' || timeline?.stage === 'late' || timeline?.stage === 'due'
    if (isNew && isPaid) return PAID_OUTCOME
    // The stages and their explanation say that the transfer is late.
    const outcome = state === 'late' ? (delivery?.stage === 'handedOver' ? 'onItsWay' : 'completed') : state
    return { text: i18n._(STATUS_NAMES[outcome]), color: getStateColor(outcome) }
  }
  return (
    <Receipt
      content={content}
      outcome={describeOutcome()}
      progress={
        progress && (
          <>
            <ProgressArch progress={progress} isNew={isNew} />
            <ProgressStages stages={progress.stages} now={now} />
          </>
        )
      }
      explanation={timeline && <DeliveryExplanation timeline={timeline} id={transaction.id} now={now} />}
      cancelOffer={cancelOffer}
      recipient={
        isSent
          ? {
              uid,
              phone: recipientPhone,
              actions: listFurtherActions({
                isContact: isContact ?? true,
                isDelivered: state === 'delivered',
                canSendAgain: !!onRepeat,
              }),
              onSendAgain: () => onRepeat?.(buildDraftFromTransaction(transaction, language)),
            }
          : null
      }
      isOfPayer={isSent}
      isNew={isNew}
      isBeside={isBeside}
      onRefresh={refresh}
      onClose={onClose}
    />
  )
}
