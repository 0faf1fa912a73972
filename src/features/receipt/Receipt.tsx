import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { Wordmark } from '../../ui/Logo.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { toast } from '../../ui/toast.ts'
import { useFocusBack } from '../../ui/useFocusBack.ts'
import { useIsHere } from '../../ui/useIsHere.ts'
import { keepBelowStill } from './keepBelowStill.ts'
import classes from './Receipt.module.css'
import type { ReceiptContent, ReceiptGroup } from './receiptContent.ts'
import { TrackingCode } from './Tracking.tsx'

const NO_FILE = msg`Le fichier n’a pas pu être créé. Votre paiement reste valable : réessayez.`

/** Which file waits for one more tap. */
type Ready = 'pdfReady' | 'pictureReady'

/** A receipt on the screen, and as PDF and picture. Specification, section 4. */
export function Receipt({
  content,
  proof,
  standing,
  more,
  onClose,
}: {
  content: ReceiptContent
  /** What is said when the payment was made just now; null later. */
  proof: ReactNode
  /** Where the payment stands now, which is no part of the proof. */
  standing?: ReactNode
  /** What else can be done with it. */
  more?: ReactNode
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const isHere = useIsHere()
  const [state, setState] = useState<'idle' | 'working' | 'failed' | Ready>('idle')

  const paper = useRef<HTMLDivElement>(null)
  const noteFocus = useFocusBack(state === 'working')

  const during = async (ready: Ready, work: () => Promise<{ ok: boolean; value?: unknown }>) => {
    noteFocus()
    setState('working')
    const done = await work().catch(() => ({ ok: false, value: null }))
    if (!done.ok && !isHere()) toast('error', i18n._(NO_FILE))
    setState(!done.ok ? 'failed' : done.value === 'ready' ? ready : 'idle')
  }
  const download = () =>
    during('pdfReady', async () => (await import('./pdf/receiptPdf.ts')).downloadReceipt(content))
  const share = () =>
    during('pdfReady', async () => (await import('./pdf/shareReceipt.ts')).shareReceipt(content))
  const shareAsPicture = () =>
    during('pictureReady', async () => {
      const { shareImage } = await import('./pdf/receiptImage.ts')
      return paper.current ? shareImage(paper.current, content) : { ok: false }
    })

  const button = state === 'pictureReady' ? t`Partager en image` : t`Partager le reçu (PDF)`
  // What somebody looks for comes first: the amounts, who has them, and what to do. The details are the last group.
  const [firstGroups, details] = [content.groups.slice(0, -1), content.groups.at(-1)]
  return (
    <Sheet onClose={onClose} title={content.title}>
      <div className={classes.receipt}>
        {proof && (
          <Notice kind="success" title={<Trans>Paiement réussi</Trans>}>
            {proof}
          </Notice>
        )}
        <div ref={paper} className={classes.paper}>
          <div ref={keepBelowStill} className={classes.above}>
            <p className={classes.brand}>
              <Wordmark />
            </p>
            <p className={classes.status} data-colour={content.status.colour}>
              {content.status.text}
            </p>
            {firstGroups.map(groupOf)}
            {standing && <div data-besides>{standing}</div>}
          </div>
          <div className={classes.besides} data-besides>
            {state === 'failed' && <Notice kind="error">{i18n._(NO_FILE)}</Notice>}
            {(state === 'pdfReady' || state === 'pictureReady') && (
              <Notice kind="info" isCalling>
                <Trans>Le reçu est prêt. Touchez encore une fois « {button} ».</Trans>
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
            {more}
          </div>
          {details && groupOf(details)}
          {content.tracking && <TrackingCode {...content.tracking} />}
          <p className={classes.support}>{content.support}</p>
          <p className={classes.support}>{content.operator}</p>
        </div>
        <Button variant="subtle" onClick={onClose}>
          <Trans>Terminé</Trans>
        </Button>
      </div>
    </Sheet>
  )
}

function groupOf({ name, heading, lines }: ReceiptGroup) {
  return (
    <section key={name} className={classes.group} data-name={name}>
      <h3>{heading}</h3>
      <dl>
        {lines.map(({ item, label, value, emphasis }) => (
          <div key={item} data-item={item} data-emphasis={emphasis}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
