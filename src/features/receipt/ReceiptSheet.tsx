import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useCallback, useMemo } from 'react'
import { isLater, nextTurn, timelineOf } from '../../../domain/timeline.ts'
import { draftLike, type Transaction } from '../../../domain/transaction.ts'
import type { TransferDraft } from '../../../domain/transfer.ts'
import type { UserDatabase } from '../../cache/database.ts'
import { contactOf } from '../../cache/queries.ts'
import { useCached } from '../../ui/useCached.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { AddRecipient } from './AddRecipient.tsx'
import { Receipt } from './Receipt.tsx'
import { receiptContent } from './receiptContent.ts'
import { receiptWords } from './receiptWords.ts'
import { Timeline } from './Timeline.tsx'
import { ShareTracking, trackingOf } from './Tracking.tsx'
import { useFollowed } from './useFollowed.ts'

/** The proof of a transfer, right after paying and later from recent activity. Specification, section 4. */
export function ReceiptSheet({
  uid,
  transaction: opened,
  senderName,
  isNew,
  onRepeat,
  onClose,
}: {
  uid: string
  transaction: Transaction
  senderName: string
  /** Whether the transfer was paid just now. */
  isNew: boolean
  /** Fills the form with the same transfer once more. Right after a payment nobody is offered that. */
  onRepeat?: (draft: TransferDraft) => void
  onClose: () => void
}) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const transaction = useFollowed(uid, opened)
  const { recipientPhone } = transaction
  const isSent = transaction.type === 'sent'
  const recipientName = useCached(
    uid,
    useCallback(
      async (database: UserDatabase) => (await contactOf(database, recipientPhone))?.name,
      [recipientPhone],
    ),
  )
  const now = useServerNow((now) => nextTurn(transaction, now))
  const timeline = timelineOf(transaction, now)
  const isLate = isLater(timeline)
  const content = useMemo(() => {
    const tracking = isSent ? trackingOf(transaction, i18n) : null
    const said = receiptContent(transaction, {
      senderName,
      recipientName,
      language,
      words: receiptWords(i18n),
      isLate,
    })
    return { ...said, ...(tracking && { tracking }) }
  }, [transaction, isSent, senderName, recipientName, isLate, language, i18n])
  return (
    <Receipt
      content={content}
      proof={
        isNew && (
          <Trans>Votre carte a été débitée une seule fois. Gardez ce reçu : il prouve votre transfert.</Trans>
        )
      }
      standing={isSent && timeline && <Timeline id={transaction.id} timeline={timeline} now={now} />}
      more={
        isSent && (
          <>
            {content.tracking && <ShareTracking address={content.tracking.address} />}
            {onRepeat && (
              <Button variant="default" onClick={() => onRepeat(draftLike(transaction, language))}>
                <Trans>Envoyer à nouveau</Trans>
              </Button>
            )}
            <AddRecipient uid={uid} phone={recipientPhone} />
          </>
        )
      }
      onClose={onClose}
    />
  )
}
