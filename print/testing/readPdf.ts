import { inflateSync } from 'node:zlib'

interface Run {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Reads like a viewer: through the fonts' character maps and widths, and `ActualText`. */
export async function readPdf(blob: Blob) {
  const file = Buffer.from(await blob.arrayBuffer()).toString('latin1')
  const objects = new Map(
    Array.from(file.matchAll(/(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/g), ([, id, body]) => [id, body ?? '']),
  )
  const page = Array.from(objects.values()).filter((body) => body.includes('/Type /Page\n'))
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page[0] ?? '') ?? []
  const content = inflateStream(objects.get(/\/Contents (\d+) 0 R/.exec(page[0] ?? '')?.[1]))
  const fonts = new Map(
    Array.from(file.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name, id]) => [name, readFont(objects.get(id))]),
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

  function readFont(font = '') {
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
