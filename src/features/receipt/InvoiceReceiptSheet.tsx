import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import type { InvoicePayment } from '../../../domain/invoice.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { Receipt } from './Receipt.tsx'
import { buildInvoiceReceiptContent } from './receiptContent.ts'
import { buildReceiptTexts } from './receiptTexts.ts'

/** Shows the receipt of an invoice, right after the payment and later from the list of paid invoices. */
export function InvoiceReceiptSheet({
  payment,
  isNew,
  onClose,
}: {
  payment: InvoicePayment
  /** Whether the invoice was paid just now. */
  isNew: boolean
  onClose: () => void
}) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const content = useMemo(
    () =>
      buildInvoiceReceiptContent(payment, {
        language,
        words: buildReceiptTexts(i18n),
      }),
    [payment, language, i18n],
  )
  return (
    <Receipt
      content={content}
      outcome={
        isNew
          ? {
              text: <Trans>Paiement réussi</Trans>,
              colour: 'green',
              more: <Trans>Votre carte a été débitée une seule fois.</Trans>,
            }
          : content.status
      }
      isNew={isNew}
      onClose={onClose}
    />
  )
}
