import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Transaction } from '../../../domain/transaction.ts'
import { canShare, shareLink } from '../../browser/shareLink.ts'
import { Notice } from '../../ui/Notice.tsx'
import { PAPER } from '../../ui/paper.ts'
import { qrCode } from './qrCode.ts'
import type { ReceiptTracking } from './receiptContent.ts'
import classes from './Tracking.module.css'

/** The code that answers for a receipt: it opens the page on which everybody sees where the transfer stands. */
export function TrackingCode({ address, title, text }: ReceiptTracking) {
  const { t } = useLingui()
  const { size, path } = useMemo(() => qrCode(address), [address])
  return (
    <section className={classes.code}>
      {/* Dark on light in the dark too: many scanners want that. */}
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t`Code QR du suivi`}
        shapeRendering="crispEdges"
      >
        <rect width={size} height={size} fill={PAPER.sheet} />
        <path d={path} fill={PAPER.ink} />
      </svg>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
    </section>
  )
}

/** Null where there is no such page: nobody pays out from here, or did so when the transfer was recorded. */
export function trackingOf(
  { recipientLink }: Pick<Transaction, 'recipientLink'>,
  i18n: I18n,
): ReceiptTracking | null {
  if (!recipientLink) return null
  const { href: address, host } = new URL(recipientLink, location.origin)
  return {
    address,
    title: i18n._(msg`Vérifier ce reçu`),
    text: i18n._(
      msg`Ce code ouvre une page de ${host}, qui dit où en est ce transfert. Ne vous y fiez que si vous connaissez cette adresse.`,
    ),
  }
}

/** Gives the recipient the link to that page. */
export function ShareTracking({ address }: Pick<ReceiptTracking, 'address'>) {
  const { t } = useLingui()
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const share = () => {
    setState('idle')
    shareLink({ title: t`Suivi d’un transfert Passerelle`, url: address }).then(
      (done) => setState(done === 'copied' ? 'copied' : 'idle'),
      () => setState('failed'),
    )
  }
  return (
    <>
      <Button variant="default" onClick={share}>
        {canShare() ? <Trans>Partager le suivi</Trans> : <Trans>Copier le lien de suivi</Trans>}
      </Button>
      {state === 'copied' && (
        <Notice kind="success" isCalling>
          <Trans>Le lien de suivi est copié. Envoyez-le au bénéficiaire.</Trans>
        </Notice>
      )}
      {state === 'failed' && (
        <Notice kind="error">
          <Trans>Le lien n’a pas pu être copié. Le voici :</Trans> <span>{address}</span>
        </Notice>
      )}
    </>
  )
}
