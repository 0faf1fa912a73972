import { describe, expect, test } from 'vitest'
import { ARRIVED_DELIVERY } from '../domain/transfers/transaction.samples.ts'
import { SAMPLE_OPERATOR, SAMPLE_TRANSFER } from './receipt.samples.ts'
import { buildReceiptContent, type ReceiptContent } from './receiptContent.ts'
import {
  A4_LAYOUT,
  BASELINE_RATIO,
  drawReceipt,
  LINE_HEIGHT,
  MM_PER_POINT,
  type PageLayout,
  PHONE_LAYOUT,
  wrapText,
} from './receiptPage.ts'

interface Rectangle {
  readonly text: string
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const measureWidth = (text: string, size: number) => text.length * size * MM_PER_POINT * 0.5

/** Returns the rectangles that a receipt in letters of equal width covers. Boxes have no text. */
async function draw(content: ReceiptContent, form: PageLayout) {
  const drawn: Rectangle[] = []
  const add = (text: string, left: number, top: number, width: number, height: number) =>
    drawn.push({ text, left, top, right: left + width, bottom: top + height })
  const height = await drawReceipt(content, form, {
    measureWidth,
    write: async (text, { x, y, size, width }) => {
      const lines = wrapText(text, width, (line) => measureWidth(line, size))
      const lineHeight = size * MM_PER_POINT * LINE_HEIGHT
      for (const [index, line] of lines.entries())
        add(
          line,
          x,
          y + index * lineHeight - size * MM_PER_POINT * BASELINE_RATIO,
          measureWidth(line, size),
          size * MM_PER_POINT,
        )
      return lines.length * lineHeight
    },
    box: (_, x, y, width, boxHeight) => add('', x, y, width, boxHeight),
    rule: (x, y, width) => add('', x, y, width, 0),
    curve: () => {},
    link: () => {},
  })
  return { height, drawn, texts: drawn.filter(({ text }) => text !== '') }
}

const longest = 'W'.repeat(100)
const buildContent = (text: string, convertedAmount = SAMPLE_TRANSFER.convertedAmount): ReceiptContent => ({
  ...buildReceiptContent(
    {
      ...SAMPLE_TRANSFER,
      convertedAmount,
      id: text,
      description: text,
      senderName: text,
      recipientName: text,
      delivery: { ...ARRIVED_DELIVERY, proof: text },
    },
    { language: 'fr', operator: SAMPLE_OPERATOR, isLate: false },
  ),
  tracking: { address: 'https://passerelle.example/t/pi_3MtwBwLkd', title: 'Vérifier ce reçu', text: '' },
})

describe.each([
  ['A4', A4_LAYOUT],
  ['a phone', PHONE_LAYOUT],
])('a receipt on %s', (_, form) => {
  test.each([
    ['short', 'Ana', 20_000],
    ['longest', longest, 10_000_000_000],
  ])('a receipt with the %s texts keeps its margins without overlaps', async (_name, text, amount) => {
    const { height, drawn, texts } = await draw(buildContent(text, amount), form)
    for (const { left, top, right, bottom } of drawn) {
      expect(left).toBeGreaterThanOrEqual(form.margin - 0.01)
      expect(right).toBeLessThanOrEqual(form.width - form.margin + 0.01)
      expect(top).toBeGreaterThanOrEqual(form.margin - 0.01)
      expect(bottom).toBeLessThanOrEqual((form.height ?? height) - form.margin + 0.01)
    }
    for (const [index, one] of texts.entries())
      for (const other of texts.slice(index + 1)) {
        const areApart =
          one.right <= other.left ||
          other.right <= one.left ||
          one.bottom <= other.top ||
          other.bottom <= one.top
        expect(areApart, `${one.text} / ${other.text}`).toBe(true)
      }
  })

  test('a drawn receipt contains its title and all texts of the screen', async () => {
    const content = buildContent('Ana')
    const { texts } = await draw(content, form)
    const said = texts.map(({ text }) => text).join(' ')
    for (const { heading, lines } of content.groups)
      for (const { label, value } of lines)
        for (const text of [content.title, content.status.text, heading, label, value])
          expect(said).toContain(text)
  })
})

test('a drawn text wraps at spaces, and inside too long words', () => {
  const lines = (text: string) => wrapText(text, 5, (line) => line.length)
  expect(lines('one two three')).toEqual(['one', 'two', 'three'])
  expect(lines('a b c d e')).toEqual(['a b c', 'd e'])
  expect(lines('a abcdefgh i')).toEqual(['a', 'abcde', 'fgh i'])
  expect(lines('10\u00a0600\u00a0GNF')).toEqual(['10\u00a060', '0\u00a0GNF'])
  expect(lines('')).toEqual([''])
})
