import type { Language } from './language.ts'

/** A cell: text, or a number (with a decimal point) or time with which a spreadsheet computes. */
export type CsvCell = string | { readonly value: string }

/**
 * Builds a CSV file (RFC 4180) that a spreadsheet in this language opens: Excel reads UTF-8 only after its
 * mark, and the French one separates cells by semicolons and decimals by commas. Text is always quoted and
 * stays text; a cell that begins with anything but a letter gets an apostrophe.
 */
export function buildCsv(rows: readonly (readonly CsvCell[])[], language: Language): string {
  const separator = language === 'fr' ? ';' : ','
  const write = (cell: CsvCell) => {
    if (typeof cell === 'string') return quoteText(cell)
    return language === 'fr' ? cell.value.replace('.', ',') : cell.value
  }
  return `\ufeff${rows.map((row) => `${row.map(write).join(separator)}\r\n`).join('')}`
}

/** A text that can't be a formula or a number. Letters include invisible ones, so `DI` is excluded. */
const TEXT = /^(?!\p{DI})\p{L}|^$/u

/** A place in a text where a program with the other separator would begin a cell that may be a formula. */
const UNSAFE_SEPARATOR = /[,;](?!\s*(?:$|(?!\p{DI})[\p{L}\p{N}]))/gu

function quoteText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(UNSAFE_SEPARATOR, "$&'")
  return `"${TEXT.test(line) ? '' : "'"}${line.replaceAll('"', '""')}"`
}
