/** Returns the text of a QR code in the picture, or null. */
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

export async function createQrReader(): Promise<ReadQrCode> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: NativeDetectorClass }
  const formats = await BarcodeDetector?.getSupportedFormats().catch(() => null)
  if (!BarcodeDetector || !formats?.includes('qr_code')) return createLibraryReader()
  const detector = new BarcodeDetector({ formats: ['qr_code'] })
  return async (picture) => (await detector.detect(picture))[0]?.rawValue ?? null
}

/** Pixels of the longer side. More cost time on a cheap phone, and add nothing to a code that fills the view. */
const MAX_SIDE = 1024

/** Milliseconds for one picture of the camera. */
const TIME_LIMIT = 150

async function createLibraryReader(): Promise<ReadQrCode> {
  const { default: decodeQr } = await import('qr/decode.js')
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return async (picture, width, height) => {
    const scale = Math.min(1, MAX_SIDE / Math.max(width, height))
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    if (!context || canvas.width === 0 || canvas.height === 0) return null
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQr(context.getImageData(0, 0, canvas.width, canvas.height), { timeLimit: TIME_LIMIT })
    } catch {
      return null
    }
  }
}
