import { buildReceiptFileName, type ReceiptContent } from '../../../../print/receiptContent.ts'
import { createReceiptPdf } from '../../../../print/receiptPdf.ts'
import { saveFile } from '../../../browser/saveFile.ts'
import { type ShareResult, shareFile } from '../../../browser/shareFile.ts'
import { memoizeReceiptFile } from './memoizeReceiptFile.ts'

/** @throws if the file can't be created. Specification, section 9. */
export async function downloadReceipt(content: ReceiptContent): Promise<ShareResult> {
  const file = await createPdfFile(content)
  saveFile(file, file.name)
  return 'saved'
}

/**
 * In some browsers the share promise never settles, so `onCreated` is called once the file exists. @throws if
 * the file can't be created or shared.
 */
export async function shareReceipt(content: ReceiptContent, onCreated: () => void): Promise<ShareResult> {
  const file = await createPdfFile(content)
  onCreated()
  return shareFile(file)
}

const createPdfFile = memoizeReceiptFile(async (content) => {
  const { drawTextOnCanvas } = await import('./receiptPicture.ts')
  const pdf = await createReceiptPdf(content, drawTextOnCanvas)
  return new File([pdf], buildReceiptFileName(content.transactionId), { type: 'application/pdf' })
})
