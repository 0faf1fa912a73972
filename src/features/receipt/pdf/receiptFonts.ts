import type { FontWeight } from './receiptPage.ts'

/** Loads the fonts of the PDF and the picture, in base64. */
export async function loadReceiptFonts(): Promise<Readonly<Record<FontWeight, string>>> {
  const [normal, bold] = await Promise.all([
    import('./inter-400.ttf?inline'),
    import('./inter-600.ttf?inline'),
  ])
  const base64 = (dataUrl: string) => dataUrl.slice(dataUrl.indexOf(',') + 1)
  return { normal: base64(normal.default), bold: base64(bold.default) }
}
