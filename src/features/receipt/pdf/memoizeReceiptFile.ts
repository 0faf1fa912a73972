import type { ReceiptContent } from '../../../../print/receiptContent.ts'

/** A second tap gets the file without waiting. A failure is not memoized. */
export function memoizeReceiptFile(make: (content: ReceiptContent) => Promise<File>): typeof make {
  const made = new WeakMap<ReceiptContent, Promise<File>>()
  return (content) => {
    const known = made.get(content)
    if (known) return known
    const making = make(content)
    made.set(content, making)
    making.catch(() => made.delete(content))
    return making
  }
}
