export type ReadQrCode = (
  picture: CanvasImageSource & ImageBitmapSource,
  width: number,
  height: number,
) => Promise<string | null>

/** Only Chromium has it, and only where the system can read codes; TypeScript has no type for it. */
interface NativeDetector {
  detect(picture: ImageBitmapSource): Promise<readonly { readonly rawValue: string }[]>
}
interface NativeDetectorClass {
  new (options: { formats: string[] }): NativeDetector
  getSupportedFormats(): Promise<readonly string[]>
}

/**
 * `maxSide`: pixels of the longer side. `timeLimit`: milliseconds. A code fills the camera's view, and the next
 * picture follows soon; in a chosen picture, it may be small.
 */
const LIMITS = {
  camera: { maxSide: 1024, timeLimit: 150 },
  file: { maxSide: 2048, timeLimit: 2000 },
} as const

/** @throws if the code of the reader is missing. */
export async function createQrReader(source: keyof typeof LIMITS): Promise<ReadQrCode> {
  const [detector, readWithLibrary] = await Promise.all([createDetector(), createLibraryReader(source)])
  return async (picture, width, height) => {
    // On Android, it finds nothing or throws until the system has downloaded its model.
    const codes = await detector?.detect(picture).catch(() => [])
    return codes?.[0]?.rawValue ?? readWithLibrary(picture, width, height)
  }
}

async function createDetector(): Promise<NativeDetector | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: NativeDetectorClass }
  const formats = await BarcodeDetector?.getSupportedFormats().catch(() => null)
  return BarcodeDetector && formats?.includes('qr_code')
    ? new BarcodeDetector({ formats: ['qr_code'] })
    : null
}

async function createLibraryReader(source: keyof typeof LIMITS): Promise<ReadQrCode> {
  const { default: decodeQr } = await import('qr/decode.js')
  const { maxSide, timeLimit } = LIMITS[source]
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (picture, width, height) => {
    const scale = Math.min(1, maxSide / Math.max(width, height))
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    if (!context || canvas.width === 0 || canvas.height === 0) return null
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQr(context.getImageData(0, 0, canvas.width, canvas.height), { timeLimit })
    } catch {
      return null
    }
  }
}
