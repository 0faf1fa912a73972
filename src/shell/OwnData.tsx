import { useLingui } from '@lingui/react'
import type { OwnReceipts } from '../../domain/ownData.ts'
import { namesByPhone } from '../../domain/recipient.ts'
import { isLater, timelineOf } from '../../domain/timeline.ts'
import { serverNow } from '../browser/serverTime.ts'
import { withRows } from '../cache/database.ts'
import { invoiceReceiptContent, receiptContent } from '../features/receipt/receiptContent.ts'
import { receiptWords } from '../features/receipt/receiptWords.ts'
import { OwnData as Section } from '../features/settings/OwnData.tsx'
import { useLanguage } from '../ui/useLanguage.ts'

/** The own data as a file, with what the receipts say in the language on screen. */
export function OwnData({ uid }: { uid: string }) {
  const { i18n } = useLingui()
  const language = useLanguage()
  const loadReceipts = async (name: string): Promise<OwnReceipts> => {
    // A receipt calls the person what they were called when this device saw it first.
    const kept = await withRows(uid, async ({ transactions, invoicePayments, contacts }) => ({
      payments: [...(await transactions.toArray()), ...(await invoicePayments.toArray())],
      people: namesByPhone(await contacts.toArray()),
    }))
    const names = new Map(kept.payments.map((row) => [row.id, row.senderName]))
    const readerOf = ({ id }: { readonly id: string }) => ({
      senderName: names.get(id) ?? name,
      language,
      words: receiptWords(i18n),
      timeZone: 'UTC',
    })
    return {
      ofTransfer: (row) =>
        receiptContent(row, {
          ...readerOf(row),
          recipientName: kept.people.get(row.recipientPhone),
          isLate: isLater(timelineOf(row, serverNow())),
        }),
      ofInvoice: (payment) => invoiceReceiptContent(payment, readerOf(payment)),
    }
  }
  return <Section uid={uid} loadReceipts={loadReceipts} />
}
