import type { FontWeight } from './receiptPage.ts'

/** The fonts are JSON in base64, which the functions can load too. */
export async function loadReceiptFonts(): Promise<Readonly<Record<FontWeight, string>>> {
  const [normal, bold] = await Promise.all([
    import('./inter-400.json', { with: { type: 'json' } }),
    import('./inter-600.json', { with: { type: 'json' } }),
  ])
  return { normal: normal.default.base64, bold: bold.default.base64 }
}
