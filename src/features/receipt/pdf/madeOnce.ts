import type { ReceiptContent } from '../receiptContent.ts'

/** Makes the file of each receipt once, because a second tap has to be answered at once. One that could not be made is made anew. */
export function madeOnce<Rest extends unknown[]>(
  make: (content: ReceiptContent, ...rest: Rest) => Promise<File>,
): typeof make {
  const made = new WeakMap<ReceiptContent, Promise<File>>()
  return (content, ...rest) => {
    const known = made.get(content)
    if (known) return known
    const making = make(content, ...rest)
    made.set(content, making)
    making.catch(() => made.delete(content))
    return making
  }
}
