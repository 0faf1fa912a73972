import { crc32, deflateSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DELIVERED } from '../../../../domain/transaction.samples.ts'
import { ENGLISH, FRENCH, TRANSFER } from '../receipt.samples.ts'
import { PRODUCT, type ReceiptContent, receiptContent } from '../receiptContent.ts'
import type { Artist, Picture } from './artist.ts'
import { createReceiptPdf } from './receiptPdf.ts'

const receiptOf = (senderName: string, words = FRENCH) =>
  receiptContent(TRANSFER, {
    senderName,
    language: words === FRENCH ? 'fr' : 'en',
    words,
    isLate: false,
    timeZone: 'Europe/Paris',
  })

const A4 = { width: 595.28, height: 841.89 }
const MARGIN = (10 * 72) / 25.4

describe.each([
  ['French', FRENCH],
  ['English', ENGLISH],
])('a receipt in %s', (_, words) => {
  const content = receiptOf('Zoë Łukasiewicz-Ɓarry, dit « l’Œuvre »', words)

  test('says everything that the screen says, as text', async () => {
    const { text } = await read(createReceiptPdf(content))
    for (const said of everything(content)) expect(text).toContain(searched(said))
  })

  test('is one page of A4 in portrait, at most 200 kB @spec-receipt-page', async () => {
    const { pages, size, bytes } = await read(createReceiptPdf(content, painter(picture(192, 192))))
    expect({ pages, ...size }).toEqual({
      pages: 1,
      width: expect.closeTo(A4.width, 1),
      height: expect.closeTo(A4.height, 1),
    })
    expect(bytes).toBeLessThan(200_000)
  })
})

test('the code of the tracking page stands beside the amounts, and opens it', async () => {
  const address = 'https://passerelle.example/t/pi_3MtwBwLkdIwHu7ix28a3tqPa.ttfio0.qq-2tRfiuP2TrHiePOu-5w'
  const tracking = { address, title: 'Vérifier ce reçu', text: '' }
  const plain = receiptOf('Ana')
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
  // Nothing that is written beside it runs into it.
  const title = after.runs.find((run) => run.text === 'Vérifier ce reçu')
  const code = (36 * 72) / 25.4
  const beside = after.runs.filter(
    ({ bottom, top }) => title && top > title.bottom && bottom < title.top + code && bottom !== title.bottom,
  )
  expect(beside.length).toBeGreaterThan(4)
  for (const { right } of beside) expect(right).toBeLessThan(A4.width - MARGIN - code)
})

test('any Latin name is found in the text and stays within the margins @spec-receipt-margins', async () => {
  const letters = fc.constantFrom(
    ...Array.from("aàâæçéèêëîïôœùûüÿñßŁłŻżğİışșțřĐđÐðÞþƁɓƊɗŊŋƝɲƳƴƐɛƆɔạặỹ'’ʼ-. "),
    'W',
  )
  const name = fc.string({ unit: letters, minLength: 1, maxLength: 120 }).map((text) => `A${text}z`)
  await fc.assert(
    fc.asyncProperty(name, async (senderName) => {
      const content = receiptOf(senderName)
      const { text, runs } = await read(createReceiptPdf(content))
      for (const said of everything(content)) expect(unbroken(text)).toContain(unbroken(searched(said)))
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

test('the longest texts stay above the line of the support desk', async () => {
  const longest = 'W'.repeat(100)
  const content = receiptContent(
    {
      ...TRANSFER,
      id: longest,
      description: longest,
      delivery: { ...DELIVERED, proof: longest },
    },
    { senderName: longest, recipientName: longest, language: 'fr', words: FRENCH, isLate: false },
  )
  const { runs, text } = await read(createReceiptPdf(content))
  const support = runs.find((run) => run.text.startsWith('Une question'))
  const others = runs.filter((run) => run !== support && !FRENCH.operator.includes(run.text.trim()))
  expect(unbroken(text).split(longest)).toHaveLength(6)
  expect(text.replace(/\s+/g, ' ')).toContain(FRENCH.operator)
  expect(Math.min(...others.map(({ bottom }) => bottom))).toBeGreaterThan((support?.top ?? A4.height) + 3)
})

describe('a name in a script that the fonts lack', () => {
  const name = 'ߞߊ߲ߕߍ ߛߎߟߟߌ محمد 🙂 Bah'

  test('is boxes that read as the name when there is no artist', async () => {
    const { text, shown } = await read(createReceiptPdf(receiptOf(name)))
    expect(text).toContain(name)
    expect(shown).toContain('□ Bah')
  })

  test('is a picture with the name as its text', async () => {
    const asked: string[] = []
    const { text, shown, pictures } = await read(
      createReceiptPdf(receiptOf(name), painter(picture(400, 65), asked)),
    )
    expect(asked).toEqual([name])
    expect(text).toContain(name)
    expect(shown).not.toContain('□')
    expect(pictures).toBe(2)
  })

  test('a picture that fails costs nothing but itself', async () => {
    const { text, pictures } = await read(createReceiptPdf(receiptOf(name), painter(null)))
    expect(text).toContain(name)
    expect(pictures).toBe(0)
  })
})

function everything({ title, status, groups, support }: ReceiptContent): string[] {
  const lines = groups.flatMap((group) => [
    group.heading,
    ...group.lines.flatMap(({ label, value }) => [label, value]),
  ])
  return [PRODUCT, title, status.text, ...lines, support]
}

/** What a person types to find a text: ordinary spaces and apostrophes of one kind. */
function searched(text: string) {
  return text.replace(/[\u00a0\u202f]/g, ' ').replaceAll('\u02bc', '\u2019')
}

function unbroken(text: string) {
  return text.replace(/\s/g, '')
}

function painter(drawn: Picture | null, asked: string[] = []): Artist {
  return {
    emblem: async () => drawn,
    text: async (text) => {
      asked.push(text)
      return drawn
    },
  }
}

/** A green PNG. */
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

/** Reads a PDF the way a viewer does: through the character maps and widths of its fonts, and its actual texts. */
async function read(made: Promise<Blob>) {
  const blob = await made
  const file = Buffer.from(await blob.arrayBuffer()).toString('latin1')
  const objects = new Map(
    Array.from(file.matchAll(/(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/g), ([, id, body]) => [id, body ?? '']),
  )
  const page = Array.from(objects.values()).filter((body) => body.includes('/Type /Page\n'))
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page[0] ?? '') ?? []
  const content = streamOf(objects.get(/\/Contents (\d+) 0 R/.exec(page[0] ?? '')?.[1]))
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
      text += `${String.fromCharCode(...codesOf(hex))}\n`
    } else if (end) {
      actual = undefined
    } else {
      const font = fonts.get(name)
      const glyphs = codesOf(drawn)
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
    const map = streamOf(objects.get(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1]))
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

function streamOf(object = '') {
  const data = /stream\r?\n([\s\S]*)\r?\nendstream/.exec(object)?.[1] ?? ''
  return inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
}

function codesOf(hex: string) {
  return Array.from(hex.matchAll(/\w{4}/g), ([code]) => Number.parseInt(code, 16))
}
