import type { jsPDF } from 'jspdf'
import type { Language } from '../domain/common/language.ts'
import { loadReceiptFonts } from './fonts.ts'
import { PRINT_COLORS } from './printColors.ts'
import { PRODUCT_NAME, type ReceiptContent } from './receiptContent.ts'
import {
  A4_LAYOUT,
  BASELINE_RATIO,
  drawReceipt,
  type FontWeight,
  LINE_HEIGHT,
  MM_PER_POINT,
  type Pen,
  replaceWithLookalikes,
  type TextPlacement,
  wrapText,
} from './receiptPage.ts'

/** Size in its own pixels. */
export interface Picture {
  readonly png: Uint8Array
  readonly width: number
  readonly height: number
}

/** For scripts that the fonts lack, such as N'Ko or Arabic. On null the PDF has no picture. */
export type TextRenderer = (text: string) => Promise<Picture | null>

/**
 * One A4 page, portrait, margins of 10 mm; its text can be selected and searched. Without a renderer, boxes
 * replace letters that the fonts lack. Specification, section 9.
 */
export const createReceiptPdf = (content: ReceiptContent, drawText?: TextRenderer): Promise<Blob> =>
  createPdf(
    { language: content.language, title: `${content.title} ${content.transactionId}` },
    (pen) => drawReceipt(content, A4_LAYOUT, pen),
    drawText,
  )

/** `draw` gets a pen, and a function that begins another A4 page. */
export async function createPdf(
  { language, title }: { readonly language: Language; readonly title: string },
  draw: (pen: Pen, addPage: () => void) => Promise<unknown>,
  drawText?: TextRenderer,
): Promise<Blob> {
  const { jsPDF } = await import('jspdf')
  const doc = new jsPDF({
    unit: 'mm',
    format: 'a4',
    orientation: 'portrait',
    compress: true,
    putOnlyUsedFonts: true,
  })
  doc.setLanguage(language)
  doc.setDocumentProperties({ title, author: PRODUCT_NAME, creator: PRODUCT_NAME })
  await addFonts(doc)
  await draw(createPdfPen(doc, drawText), () => doc.addPage())
  return doc.output('blob')
}

const FONTS: Readonly<Record<FontWeight, string>> = { normal: 'Inter-Regular', bold: 'Inter-SemiBold' }

async function addFonts(doc: jsPDF) {
  const fonts = await loadReceiptFonts()
  for (const weight of ['normal', 'bold'] as const) {
    doc.addFileToVFS(FONTS[weight], fonts[weight])
    doc.addFont(FONTS[weight], FONTS[weight], 'normal', undefined, 'Identity-H')
  }
}

/** jsPDF would drop characters that the font lacks, and some that follow, so boxes replace them. */
function createPdfPen(doc: jsPDF, drawText: TextRenderer | undefined): Pen {
  const use = (size: number, weight: FontWeight) => doc.setFont(FONTS[weight], 'normal').setFontSize(size)

  const hasGlyph = (character: string) =>
    doc.getFont().metadata.characterToGlyph(character.codePointAt(0)) > 0
  const drawable = (text: string) => Array.from(text, (each) => (hasGlyph(each) ? each : MISSING)).join('')

  function measureWidth(text: string, size: number, weight: FontWeight) {
    use(size, weight)
    return doc.getTextWidth(drawable(replaceWithLookalikes(text)))
  }

  async function write(
    text: string,
    { x, y, size, weight = 'normal', color = PRINT_COLORS.ink, width }: TextPlacement,
  ): Promise<number> {
    use(size, weight)
    doc.setTextColor(color)
    const lineHeight = size * MM_PER_POINT * LINE_HEIGHT
    const boxes = drawable(replaceWithLookalikes(text))
    if (boxes === replaceWithLookalikes(text)) {
      const lines = wrapText(text, width, (line) => doc.getTextWidth(replaceWithLookalikes(line)))
      for (const [index, line] of lines.entries())
        doc.text(replaceWithLookalikes(line), x, y + index * lineHeight)
      return lines.length * lineHeight
    }
    doc.setFontSize(size * Math.min(1, width / doc.getTextWidth(boxes)))
    const picture = await drawText?.(text)
    if (picture) {
      const scale = Math.min(lineHeight / picture.height, width / picture.width)
      const height = picture.height * scale
      doc.addImage(
        picture.png,
        'PNG',
        x,
        y - height * BASELINE_RATIO,
        picture.width * scale,
        height,
        undefined,
        'FAST',
      )
    }
    markAsText(doc, text, () => doc.text(boxes, x, y, { renderingMode: picture ? 'invisible' : 'fill' }))
    return lineHeight
  }

  return {
    write,
    measureWidth,
    box: (color, x, y, width, height, radius) => {
      doc.setFillColor(color)
      if (radius) doc.roundedRect(x, y, width, height, radius, radius, 'F')
      else doc.rect(x, y, width, height, 'F')
    },
    rule: (x, y, width) =>
      doc
        .setDrawColor(PRINT_COLORS.line)
        .setLineWidth(0.2)
        .line(x, y, x + width, y),
    curve: (color, thickness, x, y, curves) => {
      const lines = curves.map((curve) => [...curve])
      doc.setDrawColor(color).setLineWidth(thickness).lines(lines, x, y)
    },
    link: (url, x, y, width, height) => doc.link(x, y, width, height, { url }),
  }
}

const MISSING = '\u25a1'

/** Makes a drawing searchable and readable aloud. PDF 1.7, section 14.9.4. */
function markAsText(doc: jsPDF, text: string, draw: () => void) {
  const { write } = doc.internal as typeof doc.internal & { write: (operators: string) => void }
  const hex = Array.from({ length: text.length }, (_, index) =>
    text.charCodeAt(index).toString(16).padStart(4, '0'),
  ).join('')
  write(`/Span <</ActualText <feff${hex}>>> BDC`)
  draw()
  write('EMC')
}
