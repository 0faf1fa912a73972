import type { Language } from './language.ts'

/** Text, or a number (with a decimal point) or time with which a spreadsheet computes. */
export type CsvCell = string | { readonly value: string }

/**
 * Builds a CSV file (RFC 4180) for a spreadsheet in this language. Excel needs the byte order mark; in French
 * it expects semicolons and decimal commas. Text that may be a formula gets an apostrophe.
 */
export function buildCsv(rows: readonly (readonly CsvCell[])[], language: Language): string {
  const separator = language === 'fr' ? ';' : ','
  const write = (cell: CsvCell) => {
    if (typeof cell === 'string') return quoteText(cell)
    return language === 'fr' ? cell.value.replace('.', ',') : cell.value
  }
  return `\ufeff${rows.map((row) => `${row.map(write).join(separator)}\r\n`).join('')}`
}

/** Not a formula or a number. Letters include invisible ones, so `DI` is excluded. */
const TEXT = /^(?!\p{DI})\p{L}|^$/u

/** A program with the other separator would begin a cell here, which may be a formula. */
const UNSAFE_SEPARATOR = /[,;](?!\s*(?:$|(?!\p{DI})[\p{L}\p{N}]))/gu

function quoteText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(UNSAFE_SEPARATOR, "$&'")
  return `"${TEXT.test(line) ? '' : "'"}${line.replaceAll('"', '""')}"`
}
