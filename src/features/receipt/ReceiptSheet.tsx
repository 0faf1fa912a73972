import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { draftLike, type Transaction } from '../../domain/transaction.ts'
import type { TransferDraft } from '../../domain/transfer.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { Wordmark } from '../../ui/Logo.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import classes from './ReceiptSheet.module.css'
import { RecipientLine } from './RecipientLine.tsx'
import { receiptContent, receiptFileName } from './receiptContent.ts'
import { receiptWords } from './receiptWords.ts'
import { Timeline } from './Timeline.tsx'

/** The proof of a transfer, right after paying and later from recent activity. Specification, section 4. */
export function ReceiptSheet({
  uid,
  transaction,
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
  /** Asked to fill the form with the same once more. Nobody is offered to repeat what was paid just now. */
  onRepeat?: (draft: TransferDraft) => void
  onClose: () => void
}) {
  const { i18n } = useLingui()
  const [state, setState] = useState<'idle' | 'working' | 'ready' | 'failed'>('idle')
  const language = currentLanguage()
  const content = useMemo(
    () => receiptContent(transaction, { senderName, language, words: receiptWords(i18n) }),
    [transaction, senderName, language, i18n],
  )

  const paper = useRef<HTMLDivElement>(null)

  const pressed = useRef<Element | null>(null)
  // A busy button can't hold the focus; it gets it back once it is ready again.
  useEffect(() => {
    if (state === 'working') return
    if (pressed.current instanceof HTMLElement) pressed.current.focus({ preventScroll: true })
    pressed.current = null
  }, [state])

  const during = async (work: () => Promise<{ ok: boolean; value?: unknown }>) => {
    pressed.current = document.activeElement
    setState('working')
    const done = await work().catch(() => ({ ok: false, value: null }))
    setState(!done.ok ? 'failed' : done.value === 'ready' ? 'ready' : 'idle')
  }
  const download = () => during(async () => (await import('./pdf/receiptPdf.ts')).downloadReceipt(content))
  const share = () => during(async () => (await import('./pdf/shareReceipt.ts')).shareReceipt(content))
  const shareAsPicture = () =>
    during(async () => {
      const { shareImage } = await import('./pdf/receiptImage.ts')
      const name = receiptFileName(content.transactionId, 'png')
      return paper.current ? shareImage(paper.current, name) : { ok: false }
    })

  return (
    <Sheet onClose={onClose} title={content.title}>
      <div className={classes.receipt}>
        {isNew && (
          <Notice kind="success" title={<Trans>Paiement réussi</Trans>}>
            <Trans>
              Votre carte a été débitée une seule fois. Gardez ce reçu : il prouve votre transfert.
            </Trans>
          </Notice>
        )}
        <RecipientLine uid={uid} phone={transaction.recipientPhone} />
        <Timeline transaction={transaction} />
        {onRepeat && (
          <Button variant="default" onClick={() => onRepeat(draftLike(transaction, language))}>
            <Trans>Envoyer à nouveau</Trans>
          </Button>
        )}
        <div ref={paper} className={classes.paper}>
          <p className={classes.brand}>
            <Wordmark />
          </p>
          <p className={classes.status} data-colour={content.status.colour}>
            {content.status.text}
          </p>
          {content.groups.map(({ name, heading, lines }) => (
            <section key={name} className={classes.group}>
              <h3>{heading}</h3>
              <dl>
                {lines.map(({ item, label, value, emphasis }) => (
                  <div key={item} data-emphasis={emphasis}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          <p className={classes.support}>{content.support}</p>
        </div>
        {state === 'failed' && (
          <Notice kind="error">
            <Trans>Le fichier n’a pas pu être créé. Votre transfert n’est pas touché : réessayez.</Trans>
          </Notice>
        )}
        {state === 'ready' && (
          <Notice kind="info">
            <Trans>Le reçu est prêt. Touchez encore une fois « Partager le reçu (PDF) ».</Trans>
          </Notice>
        )}
        <Button onClick={download} loading={state === 'working'}>
          <Trans>Télécharger le reçu (PDF)</Trans>
        </Button>
        <Button variant="default" onClick={share} disabled={state === 'working'}>
          <Trans>Partager le reçu (PDF)</Trans>
        </Button>
        <Button variant="default" onClick={shareAsPicture} disabled={state === 'working'}>
          <Trans>Partager en image</Trans>
        </Button>
        <Button variant="subtle" onClick={onClose}>
          <Trans>Terminé</Trans>
        </Button>
      </div>
    </Sheet>
  )
}
