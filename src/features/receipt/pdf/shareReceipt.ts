import { err, ok, type Result } from '../../../../domain/result.ts'
import { type Shared, shareFile } from '../../../browser/shareFile.ts'
import { type ReceiptContent, receiptFileName } from '../receiptContent.ts'
import { createReceiptPdf, type ReceiptUnavailable } from './receiptPdf.ts'

/** Each file is made once, because the second tap has to be answered at once. */
const made = new WeakMap<ReceiptContent, Promise<File>>()

/** Hands the receipt's PDF to an app of the person's choice; saves it where the browser can't share files. */
export async function shareReceipt(content: ReceiptContent): Promise<Result<Shared, ReceiptUnavailable>> {
  try {
    return ok(await shareFile(await fileOf(content)))
  } catch {
    return err({ kind: 'receiptUnavailable' })
  }
}

function fileOf(content: ReceiptContent): Promise<File> {
  const known = made.get(content)
  if (known) return known
  const making = makeFile(content)
  made.set(content, making)
  making.catch(() => made.delete(content))
  return making
}

async function makeFile(content: ReceiptContent): Promise<File> {
  const { artist } = await import('./receiptImage.ts')
  const pdf = await createReceiptPdf(content, artist)
  return new File([pdf], receiptFileName(content.transactionId), { type: 'application/pdf' })
}
