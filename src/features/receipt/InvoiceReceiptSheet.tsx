import { Trans } from '@lingui/react/macro'
import { useMemo } from 'react'
import type { InvoicePayment } from '../../../domain/invoices/invoice.ts'
import { buildInvoiceReceiptContent } from '../../../print/receiptContent.ts'
import { operator } from '../../services/operator.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { Receipt } from './Receipt.tsx'

export function InvoiceReceiptSheet({
  payment,
  isNew,
  onClose,
}: {
  payment: InvoicePayment
  isNew: boolean
  onClose: () => void
}) {
  const language = useLanguage()
  const content = useMemo(
    () => buildInvoiceReceiptContent(payment, { language, operator }),
    [payment, language],
  )
  return (
    <Receipt
      content={content}
      outcome={
        isNew
          ? {
              text: <Trans>Paiement réussi</Trans>,
              color: 'green',
              more: <Trans>Votre carte a été débitée une seule fois.</Trans>,
            }
          : content.status
      }
      isOfPayer
      isNew={isNew}
      onClose={onClose}
    />
  )
}
