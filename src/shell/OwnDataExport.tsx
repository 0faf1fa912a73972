import type { ReceiptExporters } from '../../domain/records/ownData.ts'
import { buildTimeline, isKnownLate } from '../../domain/transfers/timeline.ts'
import { buildInvoiceReceiptContent, buildReceiptContent } from '../../print/receiptContent.ts'
import { serverNow } from '../browser/serverTime.ts'
import { OwnDataExport as Section } from '../features/settings/OwnDataExport.tsx'
import { operator } from '../services/operator.ts'
import { useLanguage } from '../ui/useLanguage.ts'

export function OwnDataExport({ uid }: { uid: string }) {
  const language = useLanguage()
  const reader = { language, operator, timeZone: 'UTC' }
  const receipts: ReceiptExporters = {
    ofTransfer: (row) =>
      buildReceiptContent(row, { ...reader, isLate: isKnownLate(buildTimeline(row, serverNow())) }),
    ofInvoice: (payment) => buildInvoiceReceiptContent(payment, reader),
  }
  return <Section uid={uid} receipts={receipts} />
}
