import { useMemo } from 'react'
import { getTimeZone } from '../../../domain/common/localDay.ts'
import type { InvoicePayment } from '../../../domain/invoices/invoice.ts'
import { buildInvoiceReceiptContent } from '../../../print/receiptContent.ts'
import { operator } from '../../services/operator.ts'
import { useLanguage } from '../../ui/useLanguage.ts'
import { useServerNow } from '../../ui/useServerNow.ts'
import { PAID_OUTCOME, Receipt } from './Receipt.tsx'

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
  // Renders again when the page is shown.
  useServerNow(() => null)
  const timeZone = getTimeZone()
  const content = useMemo(
    () => buildInvoiceReceiptContent(payment, { language, operator, timeZone }),
    [payment, language, timeZone],
  )
  return (
    <Receipt
      content={content}
      outcome={isNew ? PAID_OUTCOME : content.status}
      isOfPayer
      isNew={isNew}
      onClose={onClose}
    />
  )
}
