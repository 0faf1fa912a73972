import { err, ok, type Result } from '../../../../domain/common/result.ts'
import { buildReceiptFileName, type ReceiptContent } from '../../../../print/receiptContent.ts'
import { createReceiptPdf } from '../../../../print/receiptPdf.ts'
import { type ShareResult, shareFile } from '../../../browser/shareFile.ts'
import type { ReceiptPdfError } from './downloadReceipt.ts'
import { memoizeReceiptFile } from './memoizeReceiptFile.ts'

/** In some browsers the share promise never settles, so `onCreated` is called once the file exists. */
export async function shareReceipt(
  content: ReceiptContent,
  onCreated: () => void,
): Promise<Result<ShareResult, ReceiptPdfError>> {
  try {
    const file = await createPdfFile(content)
    onCreated()
    return ok(await shareFile(file))
  } catch {
    return err({ kind: 'receiptUnavailable' })
  }
}

const createPdfFile = memoizeReceiptFile(async (content) => {
  const { drawTextOnCanvas } = await import('./receiptPicture.ts')
  const pdf = await createReceiptPdf(content, drawTextOnCanvas)
  return new File([pdf], buildReceiptFileName(content.transactionId), { type: 'application/pdf' })
})
