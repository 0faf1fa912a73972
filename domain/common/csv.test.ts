import { describe, expect, test } from 'vitest'
import { buildCsv } from './csv.ts'

/** Parses as spreadsheets do: text after a closing quote, and quotes inside of a cell, belong to the cell. */
function parse(file: string, separator: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < file.length; at += 1) {
    const character = file[at] ?? ''
    const isBegin = at === 0 || [separator, '\n'].includes(file[at - 1] ?? '')
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (file[at + 1] === '"') cell += file[++at]
      else isQuoted = false
    } else if (character === '"' && cell === '' && isBegin) isQuoted = true
    else if (character === separator || character === '\n') {
      rows.at(-1)?.push(cell.replace(/\r$/, ''))
      if (character === '\n') rows.push([])
      cell = ''
    } else cell += character
  }
  rows.pop()
  return rows
}

const FORMULA = /^(?:\p{DI}|[^\p{L}\p{N}',;])*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212|%]/u
const DANGEROUS = ['=', '+', '-', '@', '\t', '\r\n', ' ', '\u200b', '\u3164', '\uff1d', '"', ';', ',', 'a']

const listTexts = (length: number): string[] =>
  length === 0 ? [''] : ['', ...listTexts(length - 1).flatMap((rest) => DANGEROUS.map((sign) => sign + rest))]

describe.each(['fr', 'en'] as const)('a CSV file in the language %s', (language) => {
  const own = language === 'fr' ? ';' : ','

  test('a CSV file keeps every text in one cell, never a formula', () => {
    for (const signs of new Set(listTexts(3)))
      for (const text of [`${signs}WEBSERVICE("x")`, `Awa${signs}1`]) {
        const file = buildCsv([['pi_1', text, { value: '1.50' }, 'Ana']], language).slice(1)
        const [cells = [], ...more] = parse(file, own)
        expect([cells.length, more.length], text).toEqual([4, 0])
        for (const separator of [',', ';'])
          for (const cell of parse(file, separator).flat())
            if (FORMULA.test(cell)) expect.fail(`${JSON.stringify(text)} became ${JSON.stringify(cell)}`)
      }
  })

  test.each([
    ['Mariama Bah, née Diallo', 'Mariama Bah, née Diallo'],
    ["Awa-Marie D'Arc", "Awa-Marie D'Arc"],
    ['Élodie "Lolo"', 'Élodie "Lolo"'],
    ['two\r\nlines\tand a tab', 'two lines and a tab'],
    ['', ''],
    ['= =WEBSERVICE("https://x.example")', `'= =WEBSERVICE("https://x.example")`],
    ['@SUM', "'@SUM"],
    ['-1+1', "'-1+1"],
    ['+224620000001', "'+224620000001"],
    ['2026-04', "'2026-04"],
    ['\u200b=1', "'\u200b=1"],
    ['\u3164=1', "'\u3164=1"],
    ['Bah;=1', "Bah;'=1"],
  ])('a CSV file writes the text %j as the cell %j', (text, cell) => {
    expect(parse(buildCsv([[text]], language).slice(1), own)).toEqual([[cell]])
  })
})

test('a CSV file is written for the spreadsheets of its language', () => {
  const rows = [['Nom', { value: '2026-11-01 00:00' }, { value: '1.50' }, { value: '' }, '']]
  expect(buildCsv(rows, 'fr')).toBe('\ufeff"Nom";2026-11-01 00:00;1,50;;""\r\n')
  expect(buildCsv(rows, 'en')).toBe('\ufeff"Nom",2026-11-01 00:00,1.50,,""\r\n')
})
