import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Transaction } from '../../domain/transaction.ts'
import { currentLanguage } from '../../ui/i18n.ts'
import { Notice } from '../../ui/Notice.tsx'
import classes from './ReceiptSheet.module.css'
import { receiptContent } from './receiptContent.ts'
import { receiptWords } from './receiptWords.ts'

/** The proof of a transfer, right after paying and later from recent activity. Specification, section 4. */
export function ReceiptSheet({
  transaction,
  senderName,
  isNew,
  onClose,
}: {
  transaction: Transaction
  senderName: string
  /** Whether the transfer was paid just now. */
  isNew: boolean
  onClose: () => void
}) {
  const { t, i18n } = useLingui()
  const [state, setState] = useState<'idle' | 'working' | 'failed'>('idle')
  const content = receiptContent(transaction, {
    senderName,
    language: currentLanguage(),
    words: receiptWords(i18n),
  })

  const download = async () => {
    setState('working')
    const { downloadReceipt } = await import('./pdf/receiptPdf.ts')
    const saved = await downloadReceipt(content)
    setState(saved.ok ? 'idle' : 'failed')
  }

  return (
    <Modal opened onClose={onClose} title={content.title} closeButtonProps={{ 'aria-label': t`Fermer` }}>
      <div className={classes.receipt}>
        {isNew && (
          <Notice kind="success" title={<Trans>Paiement réussi</Trans>}>
            <Trans>
              Votre carte a été débitée une seule fois. Gardez ce reçu : il prouve votre transfert.
            </Trans>
          </Notice>
        )}
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
        {state === 'failed' && (
          <Notice kind="error">
            <Trans>Le PDF n’a pas pu être créé. Votre transfert n’est pas touché : réessayez.</Trans>
          </Notice>
        )}
        <Button onClick={download} loading={state === 'working'}>
          <Trans>Télécharger le reçu (PDF)</Trans>
        </Button>
        <Button variant="default" onClick={onClose}>
          <Trans>Terminé</Trans>
        </Button>
      </div>
    </Modal>
  )
}
