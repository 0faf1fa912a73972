import type { ReceiptContent } from '../../../../print/receiptContent.ts'

/** A second tap gets the file without waiting. A failure is not memoized. */
export function memoizeReceiptFile(create: (content: ReceiptContent) => Promise<File>): typeof create {
  const files = new WeakMap<ReceiptContent, Promise<File>>()
  return (content) => {
    const file = files.get(content)
    if (file) return file
    const creation = create(content)
    files.set(content, creation)
    creation.catch(() => files.delete(content))
    return creation
  }
}
