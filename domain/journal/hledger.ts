import type { JournalDocument } from './entry.ts'

/** An exact decimal in major units: '-1.05' for -105 minor units with two decimals. */
export function toDecimal(minor: number, decimals: number): string {
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const end = digits.length - decimals
  const whole = digits.slice(0, end)
  return `${minor < 0 ? '-' : ''}${whole}${decimals > 0 ? `.${digits.slice(end)}` : ''}`
}

/**
 * The journal in hledger's format, one transaction for each entry, oldest first. `getDecimals`: of a currency by its
 * ISO code.
 */
export const formatHledger = (
  documents: readonly JournalDocument[],
  getDecimals: (currency: string) => number,
): string =>
  documents
    .flatMap(({ about, at, entries }) =>
      entries.map(({ kind, lines }) => {
        const postings = lines.flatMap(({ debit, credit, minor, currency }) => {
          const amount = toDecimal(minor, getDecimals(currency))
          return [`    ${debit}  ${currency} ${amount}`, `    ${credit}  ${currency} -${amount}`]
        })
        const instant = new Date(at).toISOString()
        return [`${instant.slice(0, 10)} ${kind}  ; ${about}, ${instant}`, ...postings, '', ''].join('\n')
      }),
    )
    .join('')
