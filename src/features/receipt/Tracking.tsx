import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { PRINT_COLORS } from '../../../print/printColors.ts'
import { createQrCode } from '../../../print/qrCode.ts'
import type { ReceiptTracking } from '../../../print/receiptContent.ts'
import { RECEIPT_CHECK_PATH } from '../../browser/receiptCheckPath.ts'
import classes from './Receipt.module.css'

export function TrackingCode({ address, title, text }: ReceiptTracking) {
  const { t } = useLingui()
  const { size, path } = useMemo(() => createQrCode(address), [address])
  return (
    <section className={classes.code}>
      {/* Many scanners need dark on light, even in dark mode. */}
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t`Code QR du suivi`}
        shapeRendering="crispEdges"
      >
        <rect width={size} height={size} fill={PRINT_COLORS.sheet} />
        <path d={path} fill={PRINT_COLORS.ink} />
      </svg>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
        <p>
          <a href={RECEIPT_CHECK_PATH}>
            <Trans>Vérifier un autre reçu</Trans>
          </a>
        </p>
      </div>
    </section>
  )
}
