import type { ReceiptContent } from '../../../../print/receiptContent.ts'

/**
 * Returns a function that creates the file of each receipt once, so that a second tap gets it without
 * waiting. After a failure it creates the file again.
 */
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
