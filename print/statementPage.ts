import { PRINT_COLORS } from './printColors.ts'
import { A4_LAYOUT, drawBrand, MM_PER_POINT, type Pen, wrapText } from './receiptPage.ts'

export interface StatementLine {
  readonly date: string
  readonly name: string
  readonly note: string
  readonly status: string
  readonly paid: string
  readonly fee: string
  readonly arrives: string
}

export interface StatementContent {
  readonly title: string
  readonly month: string
  /** The user, the time zone, and until when the payments are known. */
  readonly about: readonly string[]
  readonly totals: readonly (readonly { readonly label: string; readonly value: string }[])[]
  readonly headings: StatementLine
  readonly rows: readonly StatementLine[]
  /** Replaces the rows of a month without payments. */
  readonly empty: string
  readonly notes: readonly string[]
}

export async function drawStatement(content: StatementContent, pen: Pen, addPage: () => void): Promise<void> {
  const { title, month, about, totals, headings, rows, empty, notes } = content
  const brandX = await drawBrand(A4_LAYOUT, pen)
  await writeRight(title, TITLE, RIGHT, LEFT + 10, RIGHT - brandX)
  let y = LEFT + 24
  y += (await pen.write(month, { x: LEFT, y, ...MONTH, width: WIDTH })) + 1
  for (const line of about) y += await pen.write(line, { x: LEFT, y, ...SMALL, width: WIDTH })
  y += 2
  for (const sums of totals) {
    const height = sums.length * SUM + 6
    startPageUnless(height)
    pen.box(PRINT_COLORS.page, LEFT, y, WIDTH, height, 3)
    for (const [index, { label, value }] of sums.entries()) {
      const at = y + 7 + index * SUM
      await pen.write(label, { x: LEFT + 5, y: at, ...CELL, width: WIDTH / 2 })
      await writeRight(value, { ...CELL, weight: 'bold' }, RIGHT - 5, at, WIDTH / 2 - 10)
    }
    y += height + 3
  }
  y += 4
  if (rows.length === 0) y += await pen.write(empty, { x: LEFT, y: y + 4, ...CELL, width: WIDTH })
  else await drawRow(headings, true)
  for (const row of rows) {
    if (startPageUnless(measureRow(row))) await drawRow(headings, true)
    await drawRow(row, false)
  }
  y += 7
  for (const note of notes) {
    startPageUnless(9)
    y += await pen.write(note, { x: LEFT, y, ...SMALL, width: WIDTH })
  }

  /** Returns whether another page has begun. */
  function startPageUnless(height: number): boolean {
    if (y + height <= BOTTOM) return false
    addPage()
    y = LEFT + 4
    return true
  }

  function measureRow({ name, note }: StatementLine): number {
    const lines = (text: string, size: number) =>
      wrapText(text, NAME_WIDTH, (line) => pen.measureWidth(line, size, 'normal')).length * size
    return (lines(name, CELL.size) + lines(note, NOTE.size)) * MM_PER_POINT * 1.35 + 4
  }

  async function drawRow(row: StatementLine, isHeading: boolean) {
    const style = isHeading ? HEADING : CELL
    const at = y + 4
    const heights = [
      await pen.write(row.date, { x: LEFT, y: at, ...style, width: DATE_WIDTH }),
      await pen.write(row.status, { x: STATUS_X, y: at, ...style, width: STATUS_WIDTH }),
    ]
    const name = await pen.write(row.name, { x: NAME_X, y: at, ...style, width: NAME_WIDTH })
    const note =
      row.note && (await pen.write(row.note, { x: NAME_X, y: at + name, ...NOTE, width: NAME_WIDTH }))
    await writeRight(row.paid, style, PAID_X, at, AMOUNT_WIDTH)
    await writeRight(row.fee, style, FEE_X, at, AMOUNT_WIDTH)
    await writeRight(row.arrives, style, RIGHT, at, AMOUNT_WIDTH)
    y += Math.max(name + (note || 0), ...heights) + 2.5
    pen.rule(LEFT, y, WIDTH)
  }

  async function writeRight(
    text: string,
    style: { readonly size: number; readonly weight?: 'bold' },
    x: number,
    top: number,
    width: number,
  ) {
    const wide = pen.measureWidth(text, style.size, style.weight ?? 'normal')
    // An amount that is too wide gets smaller letters instead of being cut.
    const size = style.size * Math.min(1, width / wide || 1)
    if (text)
      await pen.write(text, { ...style, size, x: x - Math.min(wide, width), y: top, width: width + 1 })
  }
}

const LEFT = A4_LAYOUT.margin
const RIGHT = A4_LAYOUT.width - A4_LAYOUT.margin
const WIDTH = RIGHT - LEFT
const BOTTOM = 297 - A4_LAYOUT.margin
const DATE_WIDTH = 20
const NAME_X = LEFT + 22
const NAME_WIDTH = 58
const STATUS_X = NAME_X + NAME_WIDTH + 2
const STATUS_WIDTH = 27
const AMOUNT_WIDTH = 26
const PAID_X = STATUS_X + STATUS_WIDTH + AMOUNT_WIDTH
const FEE_X = PAID_X + 20
const SUM = 5.5

const TITLE = { size: 14, weight: 'bold' } as const
const MONTH = { size: 18, weight: 'bold', color: PRINT_COLORS.river } as const
const HEADING = { size: 9, weight: 'bold', color: PRINT_COLORS.river } as const
const CELL = { size: 9 } as const
const NOTE = { size: 7.5, color: PRINT_COLORS.inkSoft } as const
const SMALL = { size: 9, color: PRINT_COLORS.inkSoft } as const
