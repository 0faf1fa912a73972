import { err, ok, type Result } from '../../../../domain/result.ts'
import { type Shared, shareFile } from '../../../browser/shareFile.ts'
import { PAPER } from '../../../ui/paper.ts'
import { type ReceiptContent, receiptFileName } from '../receiptContent.ts'
import { type Artist, BASELINE, LINE_HEIGHT, type Picture } from './artist.ts'
import { madeOnce } from './madeOnce.ts'

export type PictureFailed = { readonly kind: 'pictureFailed' }

/**
 * Shares the receipt on the screen as a PNG picture, twice as sharp, for a chat; saves it where the browser can't
 * share files. Specification, section 9.
 */
export async function shareImage(
  element: HTMLElement,
  content: ReceiptContent,
): Promise<Result<Shared, PictureFailed>> {
  try {
    return ok(await shareFile(await fileOf(content, element)))
  } catch {
    return err({ kind: 'pictureFailed' })
  }
}

const fileOf = madeOnce(async ({ transactionId }, element: HTMLElement) => {
  const png = await pngOf(await photograph(element, paperOf(element)))
  return new File([png], receiptFileName(transactionId, 'png'), { type: 'image/png' })
})

/** Draws in the browser, with the fonts of the device. */
export const artist: Artist = {
  emblem: () => orNothing(drawEmblem),
  text: (text) => orNothing(() => drawText(text)),
}

const SCALE = 2
const EMBLEM_SIZE = 96
const TEXT_SIZE = 48

async function orNothing(draw: () => Promise<Picture>): Promise<Picture | null> {
  try {
    return await draw()
  } catch {
    return null
  }
}

async function drawEmblem(): Promise<Picture> {
  const emblem = new Image(EMBLEM_SIZE * SCALE, EMBLEM_SIZE * SCALE)
  emblem.src = `data:image/svg+xml,${encodeURIComponent(EMBLEM)}`
  await emblem.decode()
  const { canvas, context } = canvasOf(emblem.width, emblem.height)
  context.drawImage(emblem, 0, 0, emblem.width, emblem.height)
  return pictureOf(canvas)
}

async function drawText(text: string): Promise<Picture> {
  const { canvas, context } = canvasOf(0, 0)
  const font = `${TEXT_SIZE}px system-ui, sans-serif`
  context.font = font
  canvas.width = Math.ceil(context.measureText(text).width) + 1
  canvas.height = Math.ceil(TEXT_SIZE * LINE_HEIGHT)
  context.font = font
  context.fillStyle = PAPER.ink
  context.fillText(text, 0, canvas.height * BASELINE)
  return pictureOf(canvas)
}

function canvasOf(width: number, height: number) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas.')
  return { canvas, context }
}

/** html2canvas makes a copy of the page. This leaves out of the copy what the picture does not show. */
async function photograph(element: HTMLElement, backgroundColor: string): Promise<HTMLCanvasElement> {
  const { default: html2canvas } = await import('html2canvas')
  return html2canvas(element, {
    scale: SCALE,
    backgroundColor,
    logging: false,
    ignoreElements: (other) =>
      other instanceof HTMLStyleElement ||
      // Buttons, and what changes with time.
      (other instanceof HTMLElement && 'besides' in other.dataset) ||
      // The copy has no use for the app's scripts, and must not fetch them.
      (other instanceof HTMLLinkElement && other.rel !== 'stylesheet') ||
      (document.body.contains(other) && !other.contains(element) && !element.contains(other)),
    onclone: adoptStyles,
  })
}

/** Gives the copy the styles that stand in the page itself. The security policy would refuse a copied `<style>` element. */
function adoptStyles({ adoptedStyleSheets, defaultView }: Document) {
  if (!defaultView) return
  for (const { textContent } of document.querySelectorAll('style')) {
    const sheet = new defaultView.CSSStyleSheet()
    sheet.replaceSync(textContent)
    adoptedStyleSheets.push(sheet)
  }
}

/** The colour that shows through an element without a background. Without it a light text could end up on white. */
function paperOf(element: Element | null): string {
  if (!element) return PAPER.sheet
  const { backgroundColor } = getComputedStyle(element)
  const isTransparent = backgroundColor.endsWith(', 0)')
  return isTransparent ? paperOf(element.parentElement) : backgroundColor
}

async function pictureOf(canvas: HTMLCanvasElement): Promise<Picture> {
  const png = await pngOf(canvas)
  return { png: new Uint8Array(await png.arrayBuffer()), width: canvas.width, height: canvas.height }
}

function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is empty.'))), 'image/png')
  })
}

// Plain colours as attributes: a picture has no style sheets.
const EMBLEM = `<svg xmlns="http://www.w3.org/2000/svg" width="${EMBLEM_SIZE}" height="${EMBLEM_SIZE}" viewBox="0 0 64 64">
<rect width="64" height="64" rx="15" fill="${PAPER.brand}"/>
<path d="M9 45h46" stroke="${PAPER.page}" stroke-width="5" stroke-linecap="round"/>
<path d="M12 44c5-13 12-17 20-17s15 4 20 17" fill="none" stroke="${PAPER.page}" stroke-width="5" stroke-linecap="round"/>
<path d="M32 28v16M22 31v13M42 31v13" stroke="${PAPER.page}" stroke-width="3"/>
<circle cx="47" cy="18" r="6" fill="${PAPER.sun}"/></svg>`
