import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import type { ReceiptContent } from '../../../print/receiptContent.ts'
import type { ShareResult } from '../../browser/shareFile.ts'
import { canShare, shareLink } from '../../browser/shareLink.ts'
import { AddContact } from '../../ui/contacts/AddContact.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { showToast } from '../../ui/toast.ts'
import { useIsMounted } from '../../ui/useIsMounted.ts'
import { useRestoreFocus } from '../../ui/useRestoreFocus.ts'
import { MailReceipt } from './MailReceipt.tsx'
import classes from './Receipt.module.css'
import { RoundAction } from './RoundAction.tsx'
import type { FurtherAction } from './receiptActions.ts'
import { AddPersonIcon, DownloadIcon, LinkIcon, RepeatIcon, ShareIcon } from './receiptIcons.ts'

const NO_FILE = msg`Le fichier n’a pas pu être créé. Votre paiement reste valable : réessayez.`

type ReadyState = 'pdfReady' | 'pictureReady'

export interface RecipientActions {
  readonly uid: string
  readonly phone: string
  /** The more fitting action comes first. */
  readonly actions: readonly FurtherAction[]
  readonly onSendAgain: () => void
}

export type OpenPanel = 'share' | 'contact' | 'added' | null

/** Specification, section 4. */
export function ReceiptActions({
  content,
  recipient,
  isOfPayer,
  open,
  onOpen: setOpen,
  isNew,
}: {
  content: ReceiptContent
  recipient: RecipientActions | null
  /** Only payers get a receipt by email. */
  isOfPayer: boolean
  open: OpenPanel
  onOpen: (open: OpenPanel) => void
  isNew: boolean
}) {
  const { t, i18n } = useLingui()
  const panel = useId()
  const isHere = useIsMounted()
  const [state, setState] = useState<'idle' | 'working' | 'failed' | ReadyState>('idle')
  const [isPdfInstead, setPdfInstead] = useState(false)
  const [linkState, setLinkState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const noteFocus = useRestoreFocus(state === 'working')
  const line = useRef<HTMLDivElement>(null)

  const during = async (ready: ReadyState, work: (onCreated: () => void) => Promise<ShareResult>) => {
    noteFocus()
    setState('working')
    const result = await work(() => setState('idle')).catch(() => 'failed' as const)
    if (result === 'failed' && !isHere()) showToast('error', i18n._(NO_FILE))
    setState(result === 'failed' ? 'failed' : result === 'ready' ? ready : 'idle')
  }
  const loadPdf = () => import('./pdf/shareReceipt.ts')
  const download = () => during('pdfReady', async () => (await loadPdf()).downloadReceipt(content))
  const share = () =>
    during('pdfReady', async (onCreated) => (await loadPdf()).shareReceipt(content, onCreated))
  const shareAsPicture = () =>
    during('pictureReady', async (onCreated) => {
      const { shareReceiptPicture } = await import('./pdf/receiptPicture.ts')
      const result = await shareReceiptPicture(content, onCreated)
      if (result !== 'canvasUnreadable') return result
      setPdfInstead(true)
      return (await loadPdf()).shareReceipt(content, onCreated)
    })
  const address = content.tracking?.address
  const shareTracking = (url: string) => {
    setLinkState('idle')
    shareLink({ title: t`Suivi d’un transfert Passerelle`, url }).then(
      (result) => setLinkState(result === 'copied' ? 'copied' : 'idle'),
      () => setLinkState('failed'),
    )
  }
  const toggle = (name: 'share' | 'contact') => setOpen(open === name ? null : name)
  const leaveContact = (isDone: boolean) => {
    setOpen(isDone ? 'added' : null)
    // The focused button is unmounted, so the line takes the focus.
    line.current?.focus({ preventScroll: true })
  }

  const isWorking = state === 'working'
  const button = state === 'pictureReady' ? t`Partager en image` : t`Partager le reçu (PDF)`
  const first = recipient?.actions[0]
  return (
    <div className={classes.receipt}>
      <div className={classes.actions} data-new={isNew}>
        <RoundAction
          icon={DownloadIcon}
          aria-label={t`Télécharger le reçu (PDF)`}
          onClick={download}
          disabled={isWorking}
          isBusy={isWorking}
        >
          <Trans>Reçu (PDF)</Trans>
        </RoundAction>
        <RoundAction
          icon={ShareIcon}
          aria-expanded={open === 'share'}
          aria-controls={panel}
          onClick={() => toggle('share')}
        >
          <Trans>Partager</Trans>
        </RoundAction>
        {address && (
          <RoundAction icon={LinkIcon} onClick={() => shareTracking(address)}>
            {canShare() ? <Trans>Partager le suivi</Trans> : <Trans>Copier le suivi</Trans>}
          </RoundAction>
        )}
        {first === 'addContact' && (
          <RoundAction
            icon={AddPersonIcon}
            aria-expanded={open === 'contact'}
            aria-controls={panel}
            onClick={() => toggle('contact')}
          >
            <Trans>Ajouter aux contacts</Trans>
          </RoundAction>
        )}
        {first === 'sendAgain' && (
          <RoundAction icon={RepeatIcon} onClick={recipient?.onSendAgain}>
            <Trans>Envoyer à nouveau</Trans>
          </RoundAction>
        )}
        {/* No tap on another action lands on an action that comes late. */}
        {recipient && !first && <span />}
      </div>
      <div id={panel} ref={line} tabIndex={-1} className={classes.panel}>
        {open === 'share' && (
          <>
            <Button variant="light" onClick={share} disabled={isWorking}>
              <Trans>Partager le reçu (PDF)</Trans>
            </Button>
            <Button variant="light" onClick={shareAsPicture} disabled={isWorking}>
              <Trans>Partager en image</Trans>
            </Button>
            {isOfPayer && import.meta.env.VITE_MAIL_FROM && <MailReceipt id={content.transactionId} />}
          </>
        )}
        {open === 'contact' && recipient && (
          <section className={classes.receipt}>
            <h3>
              <Trans>Nouveau contact</Trans>
            </h3>
            <AddContact uid={recipient.uid} phone={recipient.phone} onAdded={() => leaveContact(true)} />
            <Button variant="light" onClick={() => leaveContact(false)}>
              <Trans>Annuler</Trans>
            </Button>
          </section>
        )}
        {open === 'added' && (
          <p>
            <Trans>Ce numéro est dans vos contacts.</Trans>
          </p>
        )}
        {isPdfInstead && (
          <Notice kind="info" isCalling>
            <Trans>Ce navigateur fausse les images contre le pistage : le reçu est en PDF.</Trans>
          </Notice>
        )}
        {state === 'failed' && <Notice kind="error">{i18n._(NO_FILE)}</Notice>}
        {(state === 'pdfReady' || state === 'pictureReady') && (
          <Notice kind="info" isCalling>
            <Trans>Le reçu est prêt. Touchez encore une fois « {button} ».</Trans>
          </Notice>
        )}
        {linkState === 'copied' && (
          <Notice kind="success" isCalling>
            <Trans>Le lien de suivi est copié. Envoyez-le au bénéficiaire.</Trans>
          </Notice>
        )}
        {linkState === 'failed' && (
          <Notice kind="error">
            <Trans>Le lien n’a pas pu être copié. Le voici :</Trans> <span>{address}</span>
          </Notice>
        )}
      </div>
    </div>
  )
}
