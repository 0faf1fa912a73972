import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import type { Transaction } from '../../../domain/transaction.ts'
import { PRINT_COLOURS } from '../../ui/printColours.ts'
import { createQrCode } from './qrCode.ts'
import classes from './Receipt.module.css'
import type { ReceiptTracking } from './receiptContent.ts'

/**
 * Shows the QR code of a receipt, which opens the tracking page, where anyone can check the transfer's
 * status.
 */
export function TrackingCode({ address, title, text }: ReceiptTracking) {
  const { t } = useLingui()
  const { size, path } = useMemo(() => createQrCode(address), [address])
  return (
    <section className={classes.code}>
      {/* Dark on light even in dark mode, because many scanners need that. */}
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t`Code QR du suivi`}
        shapeRendering="crispEdges"
      >
        <rect width={size} height={size} fill={PRINT_COLOURS.sheet} />
        <path d={path} fill={PRINT_COLOURS.ink} />
      </svg>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
    </section>
  )
}

/**
 * Builds the tracking part of a receipt; null if the transfer has no tracking page, because no payout
 * provider was configured when it was recorded.
 */
export function buildReceiptTracking(
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
