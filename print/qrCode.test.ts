import fc from 'fast-check'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { createQrCode } from './qrCode.ts'

/** As long as a signed link. */
const ADDRESS = `https://passerelle.example/t/${'Ab3_-'.repeat(42)}`

test('the runs of a QR code cover exactly its dark modules', () => {
  fc.assert(
    fc.property(fc.webUrl({ size: 'large' }), (address) => {
      const { size, runs } = createQrCode(address)
      const dark = new Set(
        runs.flatMap(([x, y, length]) => Array.from({ length }, (_, i) => `${x + i} ${y}`)),
      )
      const { data } = encode(address, { ecc: 'M', border: 4 })
      expect(size).toBe(data.length)
      const wanted = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])))
      expect([...dark].sort()).toEqual(wanted.sort())
    }),
    { numRuns: 20 },
  )
})

test('a link’s QR code has 69 modules at most, and margins', () => {
  const { size, runs, path } = createQrCode(ADDRESS)
  expect(size).toBeLessThanOrEqual(69)
  for (const [x, y, length] of runs) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(4)
    expect(Math.max(x + length, y + 1)).toBeLessThanOrEqual(size - 4)
  }
  expect(path).toMatch(/^M4 4h7v1h-7z/)
})
