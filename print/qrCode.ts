import { encode } from 'uqr'

/** A QR code as a drawing: one path on a square of `size` modules, quiet zone included. */
export interface QrCode {
  readonly size: number
  /** The dark modules, as the `d` of an SVG path. */
  readonly path: string
  /** Horizontal runs of dark modules: the start and the length of each. */
  readonly runs: readonly (readonly [x: number, y: number, length: number])[]
}

/** The quiet zone that scanners need, in modules (ISO/IEC 18004). */
const BORDER = 4

/** Creates the QR code of a URL. The middle level of error correction tolerates stains on paper. */
export function createQrCode(address: string): QrCode {
  const { data, size } = encode(address, { ecc: 'M', border: BORDER })
  const runs = data.flatMap((row, y) => findDarkRuns(row).map(([x, length]) => [x, y, length] as const))
  return { size, runs, path: runs.map(([x, y, length]) => `M${x} ${y}h${length}v1h-${length}z`).join('') }
}

const findDarkRuns = (row: readonly boolean[]): readonly (readonly [x: number, length: number])[] =>
  row.flatMap((isDark, x) => {
    if (!isDark || row[x - 1]) return []
    const end = row.indexOf(false, x)
    return [[x, (end < 0 ? row.length : end) - x] as const]
  })
