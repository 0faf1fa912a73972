import type { FontWeight } from './receiptPage.ts'

/** Subsets of Inter as JSON in base64, which the functions can load too; commit 197ad8ec has their script. */
export async function loadReceiptFonts(): Promise<Readonly<Record<FontWeight, string>>> {
  const [normal, bold] = await Promise.all([
    import('./inter-400.json', { with: { type: 'json' } }),
    import('./inter-600.json', { with: { type: 'json' } }),
  ])
  return { normal: normal.default.base64, bold: bold.default.base64 }
}
