import { expect, test } from 'vitest'
import { buildCsv, toPlainCell } from './csv.ts'

test('a CSV file quotes cells that contain its separator, quotes or line breaks', () => {
  const rows = [
    ['a', 'b,c', '1,50'],
    ['say "x"', 'two\nlines', 'd;e'],
  ]
  expect(buildCsv(rows)).toBe('a,"b,c","1,50"\r\n"say ""x""","two\nlines",d;e\r\n')
  expect(buildCsv(rows, ';')).toBe('a;b,c;1,50\r\n"say ""x""";"two\nlines";"d;e"\r\n')
})

test.each([
  ['=HYPERLINK("https://x.example")', 'HYPERLINK("https://x.example")'],
  ['\t=1+1', '1+1'],
  ['-@+Ana', 'Ana'],
  ['Ana-Marie', 'Ana-Marie'],
])('the cell %j can’t be a formula', (text, plain) => {
  expect(toPlainCell(text)).toBe(plain)
})
