import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Language } from '../domain/common/language.ts'
import { ARRIVED_DELIVERY } from '../domain/transfers/transaction.samples.ts'
import { SAMPLE_OPERATOR, SAMPLE_TRANSFER } from './receipt.samples.ts'
import { buildReceiptContent, PRODUCT_NAME, type ReceiptContent } from './receiptContent.ts'
import { createReceiptPdf, type Picture, type TextRenderer } from './receiptPdf.ts'
import { readPdf } from './testing/readPdf.ts'

const buildContent = (senderName: string, language: Language = 'fr') =>
  buildReceiptContent(
    { ...SAMPLE_TRANSFER, senderName },
    { language, operator: SAMPLE_OPERATOR, isLate: false, timeZone: 'Europe/Paris' },
  )

const A4 = { width: 595.28, height: 841.89 }
const MARGIN = (10 * 72) / 25.4

describe.each([
  ['French', 'fr'],
  ['English', 'en'],
] as const)('a receipt in %s', (_, language) => {
  const content = buildContent('Zoë Łukasiewicz-Ɓarry, dit « l’Œuvre »', language)

  test('a receipt’s PDF contains all texts of the screen', async () => {
    const { text } = await readPdf(await createReceiptPdf(content))
    for (const said of listTexts(content)) expect(text).toContain(toSearchText(said))
  })

  test('a receipt’s PDF is one A4 page smaller than 200 kB @spec-receipt-page', async () => {
    const { pages, size, bytes } = await readPdf(await createReceiptPdf(content))
    expect({ pages, ...size }).toEqual({
      pages: 1,
      width: expect.closeTo(A4.width, 1),
      height: expect.closeTo(A4.height, 1),
    })
    expect(bytes).toBeLessThan(200_000)
  })
})

test('a receipt’s PDF shows the tracking page’s QR code with a link', async () => {
  const address = 'https://passerelle.example/t/pi_3MtwBwLkdIwHu7ix28a3tqPa.ttfio0.qq-2tRfiuP2TrHiePOu-5w'
  const tracking = { address, title: 'Vérifier ce reçu', text: '' }
  const plain = buildContent('Ana')
  const [without, pdf] = await Promise.all([
    createReceiptPdf(plain),
    createReceiptPdf({ ...plain, tracking }),
  ])
  const [before, after] = await Promise.all([readPdf(without), readPdf(pdf)])
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
      const { text, runs } = await readPdf(await createReceiptPdf(content))
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
      operator: SAMPLE_OPERATOR,
      isLate: false,
    },
  )
  const { runs, text } = await readPdf(await createReceiptPdf(content))
  const support = runs.find((run) => run.text.startsWith('Une question'))
  const others = runs.filter(
    (run) => run !== support && !toSearchText(content.operator).includes(run.text.trim()),
  )
  expect(unbroken(text).split(longest)).toHaveLength(6)
  expect(text.replace(/\s+/g, ' ')).toContain(toSearchText(content.operator))
  expect(Math.min(...others.map(({ bottom }) => bottom))).toBeGreaterThan((support?.top ?? A4.height) + 3)
})

describe('a name in a script that the fonts lack', () => {
  const name = 'ߞߊ߲ߕߍ ߛߎߟߟߌ محمد 🙂 Bah'

  test('without a renderer, a name lacking glyphs becomes boxes with text', async () => {
    const { text, shown } = await readPdf(await createReceiptPdf(buildContent(name)))
    expect(text).toContain(name)
    expect(shown).toContain('□ Bah')
  })

  test('a renderer draws a name lacking glyphs as picture with text', async () => {
    const asked: string[] = []
    const { text, shown, pictures } = await readPdf(
      await createReceiptPdf(buildContent(name), createTextRenderer(picture(400, 65), asked)),
    )
    expect(asked).toEqual([name])
    expect(text).toContain(name)
    expect(shown).not.toContain('□')
    expect(pictures).toBe(1)
  })

  test('a receipt’s PDF is created without pictures that can’t be drawn', async () => {
    const { text, pictures } = await readPdf(
      await createReceiptPdf(buildContent(name), createTextRenderer(null)),
    )
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

function createTextRenderer(drawn: Picture | null, asked: string[] = []): TextRenderer {
  return async (text) => {
    asked.push(text)
    return drawn
  }
}

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
