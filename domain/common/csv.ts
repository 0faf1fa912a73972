/** Builds a CSV file (RFC 4180). `separator`: a semicolon where the comma separates decimals. */
export const buildCsv = (rows: readonly (readonly string[])[], separator: ',' | ';' = ','): string =>
  rows.map((row) => `${row.map((cell) => quoteCell(cell, separator)).join(separator)}\r\n`).join('')

/** Keeps a spreadsheet from reading a text as a formula. */
export const toPlainCell = (text: string): string => text.replace(/^[=+\-@\s]+/, '')

const quoteCell = (cell: string, separator: string) =>
  /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell
