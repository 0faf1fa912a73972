import { encode } from 'uqr'

/** One path on a square of `size` modules, quiet zone included. */
export interface QrCode {
  readonly size: number
  /** The `d` of an SVG path. */
  readonly path: string
  /** Horizontal runs of dark modules. */
  readonly runs: readonly (readonly [x: number, y: number, length: number])[]
}

/** Quiet zone in modules (ISO/IEC 18004). */
const BORDER = 4

/** Level M tolerates stains on paper. */
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
