import { err, ok, type Result } from '../../../../domain/result.ts'
import { type Shared, shareFile } from '../../../browser/shareFile.ts'
import { type ReceiptContent, receiptFileName } from '../receiptContent.ts'
import { madeOnce } from './madeOnce.ts'
import { createReceiptPdf, type ReceiptUnavailable } from './receiptPdf.ts'

/** Hands the receipt's PDF to an app of the person's choice; saves it where the browser can't share files. */
export async function shareReceipt(content: ReceiptContent): Promise<Result<Shared, ReceiptUnavailable>> {
  try {
    return ok(await shareFile(await fileOf(content)))
  } catch {
    return err({ kind: 'receiptUnavailable' })
  }
}

const fileOf = madeOnce(async (content) => {
  const { artist } = await import('./receiptImage.ts')
  const pdf = await createReceiptPdf(content, artist)
  return new File([pdf], receiptFileName(content.transactionId), { type: 'application/pdf' })
})
