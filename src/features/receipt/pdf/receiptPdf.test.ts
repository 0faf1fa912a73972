import { crc32, deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ARRIVED_DELIVERY } from '../../../../domain/transaction.samples.ts'
import { ENGLISH_RECEIPT_TEXTS, FRENCH_RECEIPT_TEXTS, SAMPLE_TRANSFER } from '../receipt.samples.ts'
import { buildReceiptContent, PRODUCT_NAME, type ReceiptContent } from '../receiptContent.ts'
import type { Picture, PictureRenderer } from './pictureRenderer.ts'
import { createReceiptPdf } from './receiptPdf.ts'

const buildContent = (senderName: string, words = FRENCH_RECEIPT_TEXTS) =>
  buildReceiptContent(
    { ...SAMPLE_TRANSFER, senderName },
    {
      language: words === FRENCH_RECEIPT_TEXTS ? 'fr' : 'en',
      words,
      isLate: false,
      timeZone: 'Europe/Paris',
    },
  )

const A4 = { width: 595.28, height: 841.89 }
const MARGIN = (10 * 72) / 25.4

describe.each([
  ['French', FRENCH_RECEIPT_TEXTS],
  ['English', ENGLISH_RECEIPT_TEXTS],
])('a receipt in %s', (_, words) => {
  const content = buildContent('Zoë Łukasiewicz-Ɓarry, dit « l’Œuvre »', words)

  test('a receipt’s PDF contains all texts of the screen', async () => {
    const { text } = await read(createReceiptPdf(content))
    for (const said of listTexts(content)) expect(text).toContain(toSearchText(said))
  })

  test('a receipt’s PDF is a single A4 page in portrait, smaller than 200 kB @spec-receipt-page', async () => {
    const { pages, size, bytes } = await read(
      createReceiptPdf(content, createPictureRenderer(picture(192, 192))),
    )
    expect({ pages, ...size }).toEqual({
      pages: 1,
      width: expect.closeTo(A4.width, 1),
      height: expect.closeTo(A4.height, 1),
    })
    expect(bytes).toBeLessThan(200_000)
  })
})

test('a receipt’s PDF shows the QR code of the tracking page next to the amounts, with a link', async () => {
  const address = 'https://passerelle.example/t/pi_3MtwBwLkdIwHu7ix28a3tqPa.ttfio0.qq-2tRfiuP2TrHiePOu-5w'
  const tracking = { address, title: 'Vérifier ce reçu', text: '' }
  const plain = buildContent('Ana')
  const [without, pdf] = await Promise.all([
    createReceiptPdf(plain),
    createReceiptPdf({ ...plain, tracking }),
  ])
  const [before, after] = await Promise.all([read(Promise.resolve(without)), read(Promise.resolve(pdf))])
  expect(after.text).toContain('Vérifier ce reçu')
  expect(before.text).not.toContain('Vérifier ce reçu')
  expect(after.pages).toBe(1)
  const raw = await pdf.text()
  expect(raw).toContain(address)
  // No text next to the code overlaps it.
  const title = after.runs.find((run) => run.text === 'Vérifier ce reçu')
  const code = (36 * 72) / 25.4
  const beside = after.runs.filter(
    ({ bottom, top }) => title && top > title.bottom && bottom < title.top + code && bottom !== title.bottom,
  )
  expect(beside.length).toBeGreaterThan(4)
  for (const { right } of beside) expect(right).toBeLessThan(A4.width - MARGIN - code)
})

test('a receipt’s PDF contains any Latin name as text, within the margins @spec-receipt-margins', async () => {
  const letters = fc.constantFrom(
    ...Array.from("aàâæçéèêëîïôœùûüÿñßŁłŻżğİışșțřĐđÐðÞþƁɓƊɗŊŋƝɲƳƴƐɛƆɔạặỹ'’ʼ-. "),
    'W',
  )
  const name = fc.string({ unit: letters, minLength: 1, maxLength: 120 }).map((text) => `A${text}z`)
  await fc.assert(
    fc.asyncProperty(name, async (senderName) => {
      const content = buildContent(senderName)
      const { text, runs } = await read(createReceiptPdf(content))
      for (const said of listTexts(content)) expect(unbroken(text)).toContain(unbroken(toSearchText(said)))
      for (const { left, right, top, bottom } of runs) {
        expect(left).toBeGreaterThanOrEqual(MARGIN - 0.01)
        expect(right).toBeLessThanOrEqual(A4.width - MARGIN + 0.01)
        expect(top).toBeLessThanOrEqual(A4.height - MARGIN)
        expect(bottom).toBeGreaterThanOrEqual(MARGIN)
      }
    }),
    { numRuns: 40 },
  )
})

test('the longest texts of a receipt’s PDF stay above the support line', async () => {
  const longest = 'W'.repeat(100)
  const content = buildReceiptContent(
    {
      ...SAMPLE_TRANSFER,
      id: longest,
      description: longest,
      senderName: longest,
      recipientName: longest,
      delivery: { ...ARRIVED_DELIVERY, proof: longest },
    },
    {
      language: 'fr',
      words: FRENCH_RECEIPT_TEXTS,
      isLate: false,
    },
  )
  const { runs, text } = await read(createReceiptPdf(content))
  const support = runs.find((run) => run.text.startsWith('Une question'))
  const others = runs.filter(
    (run) => run !== support && !FRENCH_RECEIPT_TEXTS.operator.includes(run.text.trim()),
  )
  expect(unbroken(text).split(longest)).toHaveLength(6)
  expect(text.replace(/\s+/g, ' ')).toContain(FRENCH_RECEIPT_TEXTS.operator)
  expect(Math.min(...others.map(({ bottom }) => bottom))).toBeGreaterThan((support?.top ?? A4.height) + 3)
})

describe('a name in a script that the fonts lack', () => {
  const name = 'ߞߊ߲ߕߍ ߛߎߟߟߌ محمد 🙂 Bah'

  test('without a picture renderer, a name that the fonts lack is drawn as boxes that have the name as their text', async () => {
    const { text, shown } = await read(createReceiptPdf(buildContent(name)))
    expect(text).toContain(name)
    expect(shown).toContain('□ Bah')
  })

  test('a picture renderer draws a name that the fonts lack as a picture that has the name as its text', async () => {
    const asked: string[] = []
    const { text, shown, pictures } = await read(
      createReceiptPdf(buildContent(name), createPictureRenderer(picture(400, 65), asked)),
    )
    expect(asked).toEqual([name])
    expect(text).toContain(name)
    expect(shown).not.toContain('□')
    expect(pictures).toBe(2)
  })

  test('a receipt’s PDF is created without pictures that the picture renderer could not draw', async () => {
    const { text, pictures } = await read(createReceiptPdf(buildContent(name), createPictureRenderer(null)))
    expect(text).toContain(name)
    expect(pictures).toBe(0)
  })
})

function listTexts({ title, status, groups, support }: ReceiptContent): string[] {
  const lines = groups.flatMap((group) => [
    group.heading,
    ...group.lines.flatMap(({ label, value }) => [label, value]),
  ])
  return [PRODUCT_NAME, title, status.text, ...lines, support]
}

/** The text as a user types it in a search: ordinary spaces and one kind of apostrophe. */
function toSearchText(text: string) {
  return text.replace(/[\u00a0\u202f]/g, ' ').replaceAll('\u02bc', '\u2019')
}

function unbroken(text: string) {
  return text.replace(/\s/g, '')
}

function createPictureRenderer(drawn: Picture | null, asked: string[] = []): PictureRenderer {
  return {
    emblem: async () => drawn,
    text: async (text) => {
      asked.push(text)
      return drawn
    },
  }
}

/** Creates a green PNG. */
function picture(width: number, height: number): Picture {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.of(15, 76, 67))])
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { png: new Uint8Array(png), width, height }
}

function chunk(type: string, data: Buffer) {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

interface Run {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * Reads a PDF like a viewer: through the character maps and widths of its fonts, and its `ActualText`
 * entries.
 */
async function read(made: Promise<Blob>) {
  const blob = await made
  const file = Buffer.from(await blob.arrayBuffer()).toString('latin1')
  const objects = new Map(
    Array.from(file.matchAll(/(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/g), ([, id, body]) => [id, body ?? '']),
  )
  const page = Array.from(objects.values()).filter((body) => body.includes('/Type /Page\n'))
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page[0] ?? '') ?? []
  const content = inflateStream(objects.get(/\/Contents (\d+) 0 R/.exec(page[0] ?? '')?.[1]))
  const fonts = new Map(
    Array.from(file.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name, id]) => [name, fontOf(objects.get(id))]),
  )

  const runs: Run[] = []
  let text = ''
  let shown = ''
  let actual: string | undefined
  const operators =
    /ActualText <feff(\w*)>|(EMC)|BT\n\/(F\d+) ([\d.]+) Tf([\s\S]*?)([\d.-]+) ([\d.-]+) Td\n<(\w*)> Tj/g
  for (const [, hex, end, name, size, state, x, y, drawn = ''] of content.matchAll(operators)) {
    if (hex !== undefined) {
      actual = hex
      text += `${String.fromCharCode(...parseCodes(hex))}\n`
    } else if (end) {
      actual = undefined
    } else {
      const font = fonts.get(name)
      const glyphs = parseCodes(drawn)
      const run = glyphs.map((glyph) => font?.characters.get(glyph) ?? '\ufffd').join('')
      const advance = glyphs.reduce((sum, glyph) => sum + (font?.widths.get(glyph) ?? Number.NaN), 0)
      const [left, baseline, points] = [Number(x), Number(y), Number(size)]
      runs.push({
        text: run,
        left,
        right: left + (advance * points) / 1000,
        top: baseline + points * 0.75,
        bottom: baseline - points * 0.25,
      })
      if (actual === undefined) text += `${run}\n`
      if (!state?.includes('3 Tr')) shown += `${run}\n`
    }
  }
  return {
    bytes: blob.size,
    pages: page.length,
    size: { width: Number(width), height: Number(height) },
    pictures: Array.from(content.matchAll(/\/I\d+ Do/g)).length,
    text,
    shown,
    runs,
  }

  function fontOf(font = '') {
    const map = inflateStream(objects.get(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1]))
    const descendant = objects.get(/\/DescendantFonts \[(\d+) 0 R\]/.exec(font)?.[1])
    return {
      characters: new Map(
        Array.from(map.matchAll(/<(\w{4})><(\w{4})>/g), ([, glyph = '', code = '']) => [
          Number.parseInt(glyph, 16),
          String.fromCharCode(Number.parseInt(code, 16)),
        ]),
      ),
      widths: new Map(
        Array.from((descendant ?? '').matchAll(/(\d+) \[(\d+)\]/g), ([, glyph, advance]) => [
          Number(glyph),
          Number(advance),
        ]),
      ),
    }
  }
}

function inflateStream(object = '') {
  const data = /stream\r?\n([\s\S]*)\r?\nendstream/.exec(object)?.[1] ?? ''
  return inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
}

function parseCodes(hex: string) {
  return Array.from(hex.matchAll(/\w{4}/g), ([code]) => Number.parseInt(code, 16))
}
