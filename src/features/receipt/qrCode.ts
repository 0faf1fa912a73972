import { encode } from 'uqr'

/** A QR code as a drawing: one path on a square of so many modules, its quiet border included. */
export interface QrCode {
  readonly size: number
  /** The dark modules, as the `d` of an SVG path. */
  readonly path: string
  /** The same as runs: where each begins, and how many modules it is long. */
  readonly runs: readonly (readonly [x: number, y: number, length: number])[]
}

/** What scanners want around a code, in modules (ISO/IEC 18004). */
const BORDER = 4

/** The code that opens an address. It is made on the device, without a network. Codes on paper get stains: the middle level of correction. */
export function qrCode(address: string): QrCode {
  const { data, size } = encode(address, { ecc: 'M', border: BORDER })
  const runs = data.flatMap((row, y) => runsOf(row).map(([x, length]) => [x, y, length] as const))
  return { size, runs, path: runs.map(([x, y, length]) => `M${x} ${y}h${length}v1h-${length}z`).join('') }
}

const runsOf = (row: readonly boolean[]): readonly (readonly [x: number, length: number])[] =>
  row.flatMap((isDark, x) => {
    if (!isDark || row[x - 1]) return []
    const end = row.indexOf(false, x)
    return [[x, (end < 0 ? row.length : end) - x] as const]
  })
