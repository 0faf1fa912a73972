import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQrCode } from '../../print/qrCode.ts'
import { createQrReader } from './qrReader.ts'

const TEXT = 'https://passerelle.example/t/code'
const SCALE = 8
const PICTURE = {} as ImageBitmap

/** In RGBA. */
function drawCode(text: string) {
  const { size, runs } = createQrCode(text)
  const side = size * SCALE
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [x, y, length] of runs)
    for (let row = y * SCALE; row < (y + 1) * SCALE; row += 1)
      for (let at = x * SCALE; at < (x + length) * SCALE; at += 1)
        data.fill(0, (row * side + at) * 4, (row * side + at) * 4 + 3)
  return { width: side, height: side, data }
}

const sizes: number[][] = []
const detect = vi.fn()

beforeEach(() => {
  sizes.length = 0
  detect.mockReset()
  const drawn = drawCode(TEXT)
  const context = {
    drawImage: (...[, , , width, height]: number[]) => sizes.push([width ?? 0, height ?? 0]),
    getImageData: () => drawn,
  }
  vi.stubGlobal('document', { createElement: () => ({ width: 0, height: 0, getContext: () => context }) })
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = async () => ['qr_code']
      detect = detect
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

test('a code that the browser finds is not read again', async () => {
  detect.mockResolvedValue([{ rawValue: 'found' }])
  expect(await (await createQrReader('camera'))(PICTURE, 640, 480)).toBe('found')
  expect(sizes).toEqual([])
})

test.each([
  ['finds nothing', () => detect.mockResolvedValue([])],
  ['fails', () => detect.mockRejectedValue(new DOMException('Service unavailable'))],
  ['has no detector', () => vi.stubGlobal('BarcodeDetector', undefined)],
])('the library reads the picture if the browser %s', async (_, happen) => {
  happen()
  expect(await (await createQrReader('camera'))(PICTURE, 640, 480)).toBe(TEXT)
})

test('a chosen picture keeps more pixels than the camera’s', async () => {
  detect.mockResolvedValue([])
  for (const source of ['camera', 'file'] as const) await (await createQrReader(source))(PICTURE, 4096, 2048)
  expect(sizes).toEqual([
    [1024, 512],
    [2048, 1024],
  ])
})
