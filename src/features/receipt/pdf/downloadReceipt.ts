import { err, ok, type Result } from '../../../../domain/common/result.ts'
import { buildReceiptFileName, type ReceiptContent } from '../../../../print/receiptContent.ts'
import { createReceiptPdf } from '../../../../print/receiptPdf.ts'
import { saveFile } from '../../../browser/saveFile.ts'

export type ReceiptPdfError = { readonly kind: 'receiptUnavailable' }

/** Specification, section 9. */
export async function downloadReceipt(content: ReceiptContent): Promise<Result<Blob, ReceiptPdfError>> {
  try {
    const { drawTextOnCanvas } = await import('./receiptPicture.ts')
    const pdf = await createReceiptPdf(content, drawTextOnCanvas)
    saveFile(pdf, buildReceiptFileName(content.transactionId))
    return ok(pdf)
  } catch {
    return err({ kind: 'receiptUnavailable' })
  }
}
