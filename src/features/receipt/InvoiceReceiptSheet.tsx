import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import type { InvoicePayment } from '../../../domain/invoice.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { Receipt } from './Receipt.tsx'
import { invoiceReceiptContent } from './receiptContent.ts'
import { receiptWords } from './receiptWords.ts'

/** The proof that an invoice was paid, right after paying and later from the list of paid invoices. */
export function InvoiceReceiptSheet({
  payment,
  payerName,
  isNew,
  onClose,
}: {
  payment: InvoicePayment
  payerName: string
  /** Whether it was paid just now. */
  isNew: boolean
  onClose: () => void
}) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const content = useMemo(
    () => invoiceReceiptContent(payment, { senderName: payerName, language, words: receiptWords(i18n) }),
    [payment, payerName, language, i18n],
  )
  return (
    <Receipt
      content={content}
      proof={
        isNew && (
          <Trans>Votre carte a été débitée une seule fois. Gardez ce reçu : il prouve votre paiement.</Trans>
        )
      }
      onClose={onClose}
    />
  )
}
