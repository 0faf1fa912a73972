import { err, ok, type Result } from '../../../../domain/result.ts'
import { type ReceiptContent, receiptFileName } from '../receiptContent.ts'
import { createReceiptPdf, type ReceiptUnavailable } from './receiptPdf.ts'

/** `ready`: the browser wants one more tap, because making the file took longer than a tap counts. */
export type Shared = 'shared' | 'saved' | 'givenUp' | 'ready'

/** Each file is made once, because the second tap has to be answered at once. */
const made = new WeakMap<ReceiptContent, Promise<File>>()

/** Hands the receipt's PDF to an app of the person's choice; saves it where the browser can't share files. */
export async function shareReceipt(content: ReceiptContent): Promise<Result<Shared, ReceiptUnavailable>> {
  try {
    const file = await fileOf(content)
    const files = [file]
    if (!navigator.canShare?.({ files })) {
      const { save } = await import('./receiptImage.ts')
      save(file, file.name)
      return ok('saved')
    }
    await navigator.share({ files })
    return ok('shared')
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    // Closing the system's sheet without choosing an app is no failure.
    if (name === 'AbortError') return ok('givenUp')
    return name === 'NotAllowedError' ? ok('ready') : err({ kind: 'receiptUnavailable' })
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
