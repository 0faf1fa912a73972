import type { FontWeight } from './receiptPage.ts'

/** Loads the fonts of the PDF and the picture, in base64. They are JSON, which the functions can load too. */
export async function loadReceiptFonts(): Promise<Readonly<Record<FontWeight, string>>> {
  const [normal, bold] = await Promise.all([
    import('./inter-400.json', { with: { type: 'json' } }),
    import('./inter-600.json', { with: { type: 'json' } }),
  ])
  return { normal: normal.default.base64, bold: bold.default.base64 }
}
