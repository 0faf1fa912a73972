import { useLingui } from '@lingui/react'
import type { ReceiptExporters } from '../../domain/ownData.ts'
import { buildTimeline, isKnownLate } from '../../domain/timeline.ts'
import { serverNow } from '../browser/serverTime.ts'
import { buildInvoiceReceiptContent, buildReceiptContent } from '../features/receipt/receiptContent.ts'
import { buildReceiptTexts } from '../features/receipt/receiptTexts.ts'
import { OwnDataExport as Section } from '../features/settings/OwnDataExport.tsx'
import { useLanguage } from '../ui/useLanguage.ts'

/** The data export, with the texts of the receipts in the language on screen. */
export function OwnDataExport({ uid }: { uid: string }) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const reader = { language, words: buildReceiptTexts(i18n), timeZone: 'UTC' }
  const receipts: ReceiptExporters = {
    ofTransfer: (row) =>
      buildReceiptContent(row, { ...reader, isLate: isKnownLate(buildTimeline(row, serverNow())) }),
    ofInvoice: (payment) => buildInvoiceReceiptContent(payment, reader),
  }
  return <Section uid={uid} receipts={receipts} />
}
