import { useLingui } from '@lingui/react'
import type { ReceiptExporters } from '../../domain/ownData.ts'
import { mapPhonesToNames } from '../../domain/recipient.ts'
import { buildTimeline, isKnownLate } from '../../domain/timeline.ts'
import { serverNow } from '../browser/serverTime.ts'
import { withRows } from '../cache/database.ts'
import { buildInvoiceReceiptContent, buildReceiptContent } from '../features/receipt/receiptContent.ts'
import { buildReceiptTexts } from '../features/receipt/receiptTexts.ts'
import { OwnDataExport as Section } from '../features/settings/OwnDataExport.tsx'
import { useLanguage } from '../ui/useLanguage.ts'

/** The data export, with the texts of the receipts in the language on screen. */
export function OwnDataExport({ uid }: { uid: string }) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const loadReceipts = async (name: string): Promise<ReceiptExporters> => {
    // A receipt shows the name that the user had when this device first saw the payment.
    const kept = await withRows(uid, async ({ transactions, invoicePayments, contacts }) => ({
      payments: [...(await transactions.toArray()), ...(await invoicePayments.toArray())],
      people: mapPhonesToNames(await contacts.toArray()),
    }))
    const names = new Map(kept.payments.map((row) => [row.id, row.senderName]))
    const readerOf = ({ id }: { readonly id: string }) => ({
      senderName: names.get(id) ?? name,
      language,
      words: buildReceiptTexts(i18n),
      timeZone: 'UTC',
    })
    return {
      ofTransfer: (row) =>
        buildReceiptContent(row, {
          ...readerOf(row),
          recipientName: kept.people.get(row.recipientPhone),
          isLate: isKnownLate(buildTimeline(row, serverNow())),
        }),
      ofInvoice: (payment) => buildInvoiceReceiptContent(payment, readerOf(payment)),
    }
  }
  return <Section uid={uid} loadReceipts={loadReceipts} />
}
