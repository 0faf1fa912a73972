import { loadReceiptFonts } from '../../../../print/fonts.ts'
import { PRINT_COLORS } from '../../../../print/printColors.ts'
import { buildReceiptFileName, type ReceiptContent } from '../../../../print/receiptContent.ts'
import {
  BASELINE_RATIO,
  drawReceipt,
  type FontWeight,
  LINE_HEIGHT,
  MM_PER_POINT,
  type Pen,
  PHONE_LAYOUT,
  replaceWithLookalikes,
  wrapText,
} from '../../../../print/receiptPage.ts'
import type { Picture, TextRenderer } from '../../../../print/receiptPdf.ts'
import { isCanvasReadable } from '../../../browser/canvas.ts'
import { type ShareResult, shareFile } from '../../../browser/shareFile.ts'
import { memoizeReceiptFile } from './memoizeReceiptFile.ts'

/**
 * Saves the picture if the browser can't share files. @throws if it can't be created or shared. Specification,
 * section 9.
 */
export async function shareReceiptPicture(
  content: ReceiptContent,
  onCreated: () => void,
): Promise<ShareResult | 'canvasUnreadable'> {
  if (!isCanvasReadable()) return 'canvasUnreadable'
  const file = await createPictureFile(content)
  onCreated()
  return shareFile(file)
}

const createPictureFile = memoizeReceiptFile(async (content) => {
  const png = await encodePng(await drawPicture(content))
  return new File([png], buildReceiptFileName(content.transactionId, 'png'), { type: 'image/png' })
})

/** The height is known only after the first pass. */
async function drawPicture(content: ReceiptContent): Promise<HTMLCanvasElement> {
  fonts ??= addFonts()
  await fonts
  const { canvas, context } = createCanvas(Math.round(PHONE_LAYOUT.width * PIXELS), 1)
  const draw = () => {
    context.fillStyle = PRINT_COLORS.sheet
    context.fillRect(0, 0, canvas.width, canvas.height)
    return drawReceipt(content, PHONE_LAYOUT, createCanvasPen(context))
  }
  canvas.height = Math.ceil((await draw()) * PIXELS)
  await draw()
  return canvas
}

function createCanvasPen(context: CanvasRenderingContext2D): Pen {
  const use = (size: number, weight: FontWeight) => {
    context.font = `${weight} ${size * MM_PER_POINT * PIXELS}px ${FONT}, system-ui, sans-serif`
    // A text has the same width on every device without rounding to whole pixels.
    context.textRendering = 'geometricPrecision'
  }
  const measureWidth = (text: string) => context.measureText(replaceWithLookalikes(text)).width / PIXELS

  return {
    measureWidth: (text, size, weight) => {
      use(size, weight)
      return measureWidth(text)
    },
    write: async (text, { x, y, size, weight = 'normal', color = PRINT_COLORS.ink, width }) => {
      use(size, weight)
      context.fillStyle = color
      const lineHeight = size * MM_PER_POINT * LINE_HEIGHT
      const lines = wrapText(text, width, measureWidth)
      for (const [index, line] of lines.entries())
        context.fillText(replaceWithLookalikes(line), x * PIXELS, (y + index * lineHeight) * PIXELS)
      return lines.length * lineHeight
    },
    // A seam would show between adjacent boxes without rounding.
    box: (color, x, y, width, height, radius = 0) => {
      const [left, top] = [Math.round(x * PIXELS), Math.round(y * PIXELS)]
      const [right, bottom] = [Math.round((x + width) * PIXELS), Math.round((y + height) * PIXELS)]
      context.fillStyle = color
      context.beginPath()
      context.roundRect(left, top, right - left, bottom - top, radius * PIXELS)
      context.fill()
    },
    rule: (x, y, width) => {
      context.fillStyle = PRINT_COLORS.line
      context.fillRect(x * PIXELS, Math.round(y * PIXELS) - SCALE / 2, width * PIXELS, SCALE)
    },
    curve: (color, thickness, x, y, curves) => {
      context.strokeStyle = color
      context.lineWidth = thickness * PIXELS
      context.stroke(
        new Path2D(
          `M${x * PIXELS} ${y * PIXELS}c${curves
            .flat()
            .map((length) => length * PIXELS)
            .join(' ')}`,
        ),
      )
    },
    link: () => {},
  }
}

let fonts: Promise<void> | undefined

/** A browser that refuses them, such as Safari in Lockdown Mode, uses its own fonts. */
async function addFonts() {
  try {
    const data = await loadReceiptFonts()
    for (const weight of ['normal', 'bold'] as const) {
      const bytes = Uint8Array.from(atob(data[weight]), (character) => character.charCodeAt(0))
      document.fonts.add(await new FontFace(FONT, bytes, { weight }).load())
    }
  } catch {}
}

export const drawTextOnCanvas: TextRenderer = (text) => drawText(text).catch(() => null)

const SCALE = 2
const PIXELS = (SCALE * 96) / 25.4
const FONT = 'Receipt'
const TEXT_SIZE = 48

async function drawText(text: string): Promise<Picture> {
  if (!isCanvasReadable()) throw new Error('This browser falsifies pictures.')
  const { canvas, context } = createCanvas(0, 0)
  const font = `${TEXT_SIZE}px system-ui, sans-serif`
  context.font = font
  canvas.width = Math.ceil(context.measureText(replaceWithLookalikes(text)).width) + 1
  canvas.height = Math.ceil(TEXT_SIZE * LINE_HEIGHT)
  context.font = font
  context.fillStyle = PRINT_COLORS.ink
  context.fillText(text, 0, canvas.height * BASELINE_RATIO)
  return encodePicture(canvas)
}

function createCanvas(width: number, height: number) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas.')
  return { canvas, context }
}

async function encodePicture(canvas: HTMLCanvasElement): Promise<Picture> {
  const png = await encodePng(canvas)
  return { png: new Uint8Array(await png.arrayBuffer()), width: canvas.width, height: canvas.height }
}

function encodePng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is empty.'))), 'image/png')
  })
}
