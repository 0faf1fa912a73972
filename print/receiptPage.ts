import type { StatusColor } from '../domain/transfers/status.ts'
import { PRINT_COLORS } from './printColors.ts'
import { createQrCode } from './qrCode.ts'
import {
  PRODUCT_NAME,
  type ReceiptContent,
  type ReceiptLine,
  type ReceiptTracking,
} from './receiptContent.ts'

/** Lengths are in mm. */
export interface PageLayout {
  readonly width: number
  readonly margin: number
  /** Horizontal position of the values. */
  readonly values: number
  /** Null if the page ends with the receipt. */
  readonly height: number | null
}

export const A4_LAYOUT: PageLayout = { width: 210, height: 297, margin: 10, values: 75 }

/** As narrow as a phone, because a chat shows a picture at the width of its screen. */
export const PHONE_LAYOUT: PageLayout = { width: 116, height: null, margin: 8, values: 46 }

export type FontWeight = 'normal' | 'bold'

export interface TextPlacement {
  readonly x: number
  /** The first baseline. */
  readonly y: number
  /** Points. */
  readonly size: number
  readonly weight?: FontWeight
  readonly color?: string
  /** A longer text wraps. */
  readonly width: number
}

/** All lengths are in mm. */
export interface Pen {
  readonly measureWidth: (text: string, size: number, weight: FontWeight) => number
  /** Returns the height of the text. */
  readonly write: (text: string, placement: TextPlacement) => Promise<number>
  readonly box: (color: string, x: number, y: number, width: number, height: number, radius?: number) => void
  readonly rule: (x: number, y: number, width: number) => void
  /** Cubic curves, each relative to the end of the last one, as in SVG. */
  readonly curve: (
    color: string,
    thickness: number,
    x: number,
    y: number,
    curves: readonly (readonly [number, number, number, number, number, number])[],
  ) => void
  readonly link: (address: string, x: number, y: number, width: number, height: number) => void
}

/** Returns the height. Specification, section 9. */
export async function drawReceipt(content: ReceiptContent, form: PageLayout, pen: Pen): Promise<number> {
  const { title, groups, tracking, support, operator } = content
  const left = form.margin
  const right = form.width - form.margin
  const width = right - left

  const brandX = await drawBrand(form, pen)
  const titleX = right - pen.measureWidth(title, TITLE.size, TITLE.weight)
  const hasRoom = titleX > brandX + pen.measureWidth(PRODUCT_NAME, BRAND.size, BRAND.weight) + 4
  let y = form.margin + 22
  if (!hasRoom) y += await pen.write(title, { x: left, y: y + 2, ...TITLE, width })
  else await pen.write(title, { x: titleX, y: form.margin + 10, ...TITLE, width })

  const above = groups.flatMap(({ lines }) => lines).length > MAX_SPACIOUS_LINES ? TIGHT : SPACIOUS
  const codeBeside = tracking && form.values + BESIDE_CODE < right
  for (const [place, { heading, lines }] of groups.entries()) {
    for (const line of lines.filter(({ emphasis }) => emphasis)) y = await panel(line, y)
    const beside = y + 6
    await pen.write(heading, { x: left, y: y + 10, ...HEADING, width })
    y += 13
    for (const line of lines.filter(({ emphasis }) => !emphasis)) y = await row(line, y)
    // Amounts are short, so the QR code fits next to them.
    if (place === 0 && codeBeside) await code(tracking, right - CODE, beside)
  }
  if (tracking && !codeBeside) {
    await code(tracking, left + (width - CODE) / 2, y + 4)
    y += CODE + 10
  }

  y = form.height === null ? y + 4 : form.height - form.margin - 18
  pen.rule(left, y, width)
  y += 5
  y += (await pen.write(support, { x: left, y, ...SMALL, width })) + 1.7
  y += await pen.write(operator, { x: left, y, ...SMALL, width })
  return y - SMALL.size * MM_PER_POINT * BASELINE_RATIO + form.margin

  async function panel({ label, value }: ReceiptLine, top: number): Promise<number> {
    const inside = width - 16
    const x = left + 8
    const amount = pen.measureWidth(value, AMOUNT.size, AMOUNT.weight)
    const { text, color } = content.status
    const [ink, paper] = STATUS_COLORS[color]
    const pill = pen.measureWidth(text, STATUS.size, STATUS.weight) + 10
    const pillX = right - 8 - pill
    // If the amount is too wide, the status is next to the label.
    const pillY = top + (amount + pill + 4 < inside ? 10.5 : 4.5)
    pen.box(PRINT_COLORS.river, left, top, width, PANEL, 3)
    await pen.write(label, { x, y: top + 11, ...LABEL, color: PRINT_COLORS.onRiverSoft, width: inside })
    await pen.write(value, { x, y: top + 22, ...AMOUNT, width: inside })
    pen.box(paper, pillX, pillY, pill, 9, 4.5)
    await pen.write(text, { x: pillX + 5, y: pillY + 5.9, ...STATUS, color: ink, width: pill })
    return top + PANEL
  }

  async function code({ address, title: caption }: ReceiptTracking, x: number, top: number) {
    const { size, runs } = createQrCode(address)
    const module = CODE / size
    pen.box(PRINT_COLORS.sheet, x, top, CODE, CODE + 5)
    for (const [column, line, length] of runs)
      pen.box(PRINT_COLORS.ink, x + column * module, top + line * module, length * module, module)
    pen.link(address, x, top, CODE, CODE)
    const captionX = x + (CODE - pen.measureWidth(caption, CAPTION.size, 'normal')) / 2
    await pen.write(caption, { x: captionX, y: top + CODE + 1, ...CAPTION, width })
  }

  async function row({ label, value }: ReceiptLine, top: number): Promise<number> {
    pen.rule(left, top, width)
    const y = top + 5.6
    const heights = [
      await pen.write(label, { x: left, y, ...LABEL, width: form.values - left - 4 }),
      await pen.write(value, { x: form.values, y, ...VALUE, width: right - form.values }),
    ]
    return top + above + Math.max(...heights)
  }
}

/** Returns the horizontal position of the name. */
export async function drawBrand({ margin, width }: PageLayout, pen: Pen): Promise<number> {
  const unit = EMBLEM / 64
  const at = (length: number) => margin + length * unit
  const box = (color: string, x: number, y: number, width: number, height: number, radius = 0) =>
    pen.box(color, at(x), at(y), width * unit, height * unit, radius * unit)
  box(PRINT_COLORS.river, 0, 0, 64, 64, 15)
  box(PRINT_COLORS.page, 6.5, 42.5, 57.5 - 6.5, 5, 2.5)
  const arch = [
    [5, -13, 12, -17, 20, -17],
    [8, 0, 15, 4, 20, 17],
  ].map((curve) => curve.map((length) => length * unit) as [number, number, number, number, number, number])
  pen.curve(PRINT_COLORS.page, 5 * unit, at(12), at(44), arch)
  for (const [x, y] of [
    [22, 31],
    [32, 28],
    [42, 31],
  ] as const)
    box(PRINT_COLORS.page, x - 1.5, y, 3, 44 - y)
  box(PRINT_COLORS.sun, 41, 12, 12, 12, 6)
  const x = margin + EMBLEM + 4
  await pen.write(PRODUCT_NAME, { x, y: margin + 10, ...BRAND, width: width - margin - x })
  return x
}

/** A word longer than a line is broken anywhere. */
export function wrapText(text: string, width: number, measureWidth: (text: string) => number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measureWidth(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const character of word) {
      if (line !== '' && measureWidth(line + character) > width) {
        lines.push(line)
        line = ''
      }
      line += character
    }
  }
  return [...lines, line]
}

/** The fonts lack these characters, or users don't type them in a search. */
export function replaceWithLookalikes(text: string): string {
  return text.replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ').replaceAll('\u02bc', '\u2019')
}

export const MM_PER_POINT = 25.4 / 72
/** Relative to the font size. */
export const LINE_HEIGHT = 1.35
/** From the top of a line's letters, or of a text's picture, relative to their height. */
export const BASELINE_RATIO = 0.75

const BRAND = { size: 22, weight: 'bold', color: PRINT_COLORS.river } as const
const TITLE = { size: 14, weight: 'bold' } as const
const HEADING = { size: 12, weight: 'bold', color: PRINT_COLORS.river } as const
const AMOUNT = { size: 24, weight: 'bold', color: PRINT_COLORS.onRiver } as const
const STATUS = { size: 11, weight: 'bold' } as const
const LABEL = { size: 10, color: PRINT_COLORS.inkSoft } as const
const VALUE = { size: 10.5 } as const
const SMALL = { size: 9, color: PRINT_COLORS.inkSoft } as const
const CAPTION = { size: 8, color: PRINT_COLORS.inkSoft } as const

const EMBLEM = 14
const PANEL = 30
const CODE = 36
/** Width of the values and the QR code side by side. */
const BESIDE_CODE = 80
/** With so many lines, the longest texts would reach the bottom of A4. */
const SPACIOUS = 3.6
const TIGHT = 2.5
const MAX_SPACIOUS_LINES = 16

const STATUS_COLORS: Readonly<Record<StatusColor, readonly [ink: string, paper: string]>> = {
  green: [PRINT_COLORS.success, PRINT_COLORS.successTint],
  yellow: [PRINT_COLORS.ink, PRINT_COLORS.sun],
  red: [PRINT_COLORS.danger, PRINT_COLORS.dangerTint],
  grey: [PRINT_COLORS.inkSoft, PRINT_COLORS.sunken],
}
