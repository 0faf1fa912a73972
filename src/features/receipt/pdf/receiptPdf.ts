import type { jsPDF } from 'jspdf'
import { err, ok, type Result } from '../../../../domain/result.ts'
import type { StatusColour } from '../../../../domain/status.ts'
import { save } from '../../../browser/saveFile.ts'
import { PAPER } from '../../../ui/paper.ts'
import { qrCode } from '../qrCode.ts'
import {
  PRODUCT,
  type ReceiptContent,
  type ReceiptLine,
  type ReceiptTracking,
  receiptFileName,
} from '../receiptContent.ts'
import { type Artist, BASELINE, LINE_HEIGHT } from './artist.ts'

export type ReceiptUnavailable = { readonly kind: 'receiptUnavailable' }

/**
 * The receipt as a PDF of one page, A4 portrait with margins of 10 mm. Its text is real text with fonts of its own, so
 * that it can be selected and searched in every Latin script. Without an artist it has no pictures, and letters that
 * the fonts lack are boxes; their text can be searched all the same. Specification, section 9.
 */
export async function createReceiptPdf(content: ReceiptContent, artist?: Artist): Promise<Blob> {
  const { jsPDF } = await import('jspdf')
  const doc = new jsPDF({
    unit: 'mm',
    format: 'a4',
    orientation: 'portrait',
    compress: true,
    putOnlyUsedFonts: true,
  })
  doc.setLanguage(content.language)
  doc.setDocumentProperties({
    title: `${content.title} ${content.transactionId}`,
    author: PRODUCT,
    creator: PRODUCT,
  })
  await addFonts(doc)
  const pen = penOf(doc, artist)

  const emblem = await artist?.emblem()
  if (emblem) doc.addImage(emblem.png, 'PNG', LEFT, TOP, EMBLEM, EMBLEM, undefined, 'FAST')
  await pen.write(PRODUCT, {
    x: emblem ? LEFT + EMBLEM + 4 : LEFT,
    y: 20,
    size: 22,
    weight: 'bold',
    colour: PAPER.brand,
  })
  const titleX = RIGHT - pen.widthOf(content.title, 14, 'bold')
  await pen.write(content.title, { x: titleX, y: 20, size: 14, weight: 'bold' })

  const above = content.groups.flatMap(({ lines }) => lines).length > MOST_LINES ? TIGHT : SPACIOUS
  let y = 32
  for (const [place, { heading, lines }] of content.groups.entries()) {
    for (const line of lines.filter(({ emphasis }) => emphasis)) y = await panel(line, y)
    const beside = y + 6
    await pen.write(heading, { x: LEFT, y: y + 10, size: 12, weight: 'bold', colour: PAPER.brand })
    y += 13
    for (const line of lines.filter(({ emphasis }) => !emphasis)) y = await row(line, y)
    // Amounts are short: there is room beside them, on paper without lines.
    if (place === 0 && content.tracking) await code(content.tracking, beside)
  }

  doc.setDrawColor(PAPER.line).line(LEFT, BOTTOM - 18, RIGHT, BOTTOM - 18)
  await pen.write(content.support, { x: LEFT, y: BOTTOM - 13, size: 9, colour: PAPER.inkSoft })
  await pen.write(content.operator, { x: LEFT, y: BOTTOM - 7, size: 9, colour: PAPER.inkSoft })
  return doc.output('blob')

  async function panel({ label, value }: ReceiptLine, top: number): Promise<number> {
    doc.setFillColor(PAPER.brand).roundedRect(LEFT, top, WIDTH, PANEL, 3, 3, 'F')
    await pen.write(label, { x: LEFT + 8, y: top + 11, size: 10, colour: PAPER.onBrandSoft })
    await pen.write(value, { x: LEFT + 8, y: top + 22, size: 24, weight: 'bold', colour: PAPER.onBrand })
    const { text, colour } = content.status
    const [ink, paper] = STATUS_COLOURS[colour]
    const width = pen.widthOf(text, 11, 'bold') + 10
    doc.setFillColor(paper).roundedRect(RIGHT - 8 - width, top + 10.5, width, 9, 4.5, 4.5, 'F')
    await pen.write(text, { x: RIGHT - 8 - width + 5, y: top + 16.4, size: 11, weight: 'bold', colour: ink })
    return top + PANEL
  }

  async function code({ address, title }: ReceiptTracking, top: number) {
    const { size, runs } = qrCode(address)
    const module = CODE / size
    const left = RIGHT - CODE
    doc
      .setFillColor(PAPER.sheet)
      .rect(left, top, CODE, CODE + 5, 'F')
      .setFillColor(PAPER.ink)
    for (const [x, y, length] of runs)
      doc.rect(left + x * module, top + y * module, length * module, module, 'F')
    doc.link(left, top, CODE, CODE, { url: address })
    const x = left + (CODE - pen.widthOf(title, 8, 'normal')) / 2
    await pen.write(title, { x, y: top + CODE + 1, size: 8, colour: PAPER.inkSoft })
  }

  async function row({ label, value }: ReceiptLine, top: number): Promise<number> {
    doc.setDrawColor(PAPER.line).setLineWidth(0.2).line(LEFT, top, RIGHT, top)
    await pen.write(label, {
      x: LEFT,
      y: top + 5.6,
      size: 10,
      colour: PAPER.inkSoft,
      width: VALUES - LEFT - 4,
    })
    const height = await pen.write(value, { x: VALUES, y: top + 5.6, size: 10.5, width: RIGHT - VALUES })
    return top + above + height
  }
}

/** Makes the receipt and hands it to the browser to be saved. Specification, section 9. */
export async function downloadReceipt(content: ReceiptContent): Promise<Result<Blob, ReceiptUnavailable>> {
  try {
    const { artist } = await import('./receiptImage.ts')
    const pdf = await createReceiptPdf(content, artist)
    save(pdf, receiptFileName(content.transactionId))
    return ok(pdf)
  } catch {
    return err({ kind: 'receiptUnavailable' })
  }
}

const LEFT = 10
const RIGHT = 200
const TOP = 10
const BOTTOM = 287
const WIDTH = RIGHT - LEFT
const VALUES = 75
const EMBLEM = 14
const PANEL = 30
/** The space above a line, in mm: less of it when there are so many that the longest texts would run into what stands at the bottom. */
const SPACIOUS = 3.6
const TIGHT = 2.5
const MOST_LINES = 16
const CODE = 36

const STATUS_COLOURS: Readonly<Record<StatusColour, readonly [ink: string, paper: string]>> = {
  green: [PAPER.success, PAPER.successSoft],
  yellow: [PAPER.warning, PAPER.warningSoft],
  red: [PAPER.danger, PAPER.dangerSoft],
  grey: [PAPER.inkSoft, PAPER.sunken],
}

type Weight = 'normal' | 'bold'

const FONTS: Readonly<Record<Weight, string>> = { normal: 'Inter-Regular', bold: 'Inter-SemiBold' }

interface Placement {
  readonly x: number
  /** Where the first base line is. */
  readonly y: number
  /** The size of the letters, in points. */
  readonly size: number
  readonly weight?: Weight
  readonly colour?: string
  /** Where a longer text is wrapped. */
  readonly width?: number
}

const MM = 25.4 / 72

async function addFonts(doc: jsPDF) {
  const [normal, bold] = await Promise.all([
    import('./inter-400.ttf?inline'),
    import('./inter-600.ttf?inline'),
  ])
  for (const [weight, { default: dataUrl }] of [
    ['normal', normal],
    ['bold', bold],
  ] as const) {
    doc.addFileToVFS(FONTS[weight], dataUrl.slice(dataUrl.indexOf(',') + 1))
    doc.addFont(FONTS[weight], FONTS[weight], 'normal', undefined, 'Identity-H')
  }
}

/** Writes texts; jsPDF alone would drop a character that the font lacks, and some that follow it. */
function penOf(doc: jsPDF, artist: Artist | undefined) {
  const use = (size: number, weight: Weight) => doc.setFont(FONTS[weight], 'normal').setFontSize(size)

  const hasGlyph = (character: string) =>
    doc.getFont().metadata.characterToGlyph(character.codePointAt(0)) > 0
  const drawable = (text: string) => Array.from(text, (each) => (hasGlyph(each) ? each : MISSING)).join('')

  function widthOf(text: string, size: number, weight: Weight) {
    use(size, weight)
    return doc.getTextWidth(drawable(sameLook(text)))
  }

  /** Returns the height that the text took, in mm. */
  async function write(
    text: string,
    { x, y, size, weight = 'normal', colour = PAPER.ink, width = WIDTH }: Placement,
  ): Promise<number> {
    use(size, weight)
    doc.setTextColor(colour)
    const lineHeight = size * MM * LINE_HEIGHT
    const boxes = drawable(sameLook(text))
    if (boxes === sameLook(text)) {
      const lines: string[] = doc.splitTextToSize(text, width)
      for (const [index, line] of lines.entries()) doc.text(sameLook(line), x, y + index * lineHeight)
      return lines.length * lineHeight
    }
    doc.setFontSize(size * Math.min(1, width / doc.getTextWidth(boxes)))
    const picture = await artist?.text(text)
    if (picture) {
      const scale = Math.min(lineHeight / picture.height, width / picture.width)
      const height = picture.height * scale
      doc.addImage(
        picture.png,
        'PNG',
        x,
        y - height * BASELINE,
        picture.width * scale,
        height,
        undefined,
        'FAST',
      )
    }
    asText(doc, text, () => doc.text(boxes, x, y, { renderingMode: picture ? 'invisible' : 'fill' }))
    return lineHeight
  }

  return { write, widthOf }
}

const MISSING = '\u25a1'

/** No-break spaces become ordinary ones, which is what people type when they search. */
function sameLook(text: string): string {
  return text.replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ').replaceAll('\u02bc', '\u2019')
}

/** Tells readers that what is drawn in between stands for this text. PDF 1.7, section 14.9.4. */
function asText(doc: jsPDF, text: string, draw: () => void) {
  const { write } = doc.internal as typeof doc.internal & { write: (operators: string) => void }
  const hex = Array.from({ length: text.length }, (_, index) =>
    text.charCodeAt(index).toString(16).padStart(4, '0'),
  ).join('')
  write(`/Span <</ActualText <feff${hex}>>> BDC`)
  draw()
  write('EMC')
}
