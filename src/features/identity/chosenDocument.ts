import {
  checkIdentityFile,
  type DocumentProblem,
  FILE_SIGNATURE_BYTES,
  MAX_IDENTITY_FILE_BYTES,
} from '../../../domain/account/identity.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import type { ChosenDocument } from '../../actors/identityUpload.ts'
import { isCanvasReadable } from '../../browser/canvas.ts'

/** In pixels. Small print is still legible at the last one. */
const LONG_SIDES = [3200, 2400, 1600]

/**
 * Keeps the bytes in memory, because a file on a cloud drive may be gone by the time it is sent.
 * Specification, section 5.
 */
export async function readDocument(file: File): Promise<Result<ChosenDocument, DocumentProblem>> {
  const bytes = async (part: Blob) => new Uint8Array(await part.arrayBuffer())
  try {
    const [start, end] = await Promise.all([
      bytes(file.slice(0, FILE_SIGNATURE_BYTES)),
      bytes(file.slice(-FILE_SIGNATURE_BYTES)),
    ])
    const checked = checkIdentityFile({ size: file.size, start, end })
    if (checked.ok)
      return ok({
        file: new File([await bytes(file)], file.name, { type: checked.value }),
        type: checked.value,
      })
    if (checked.error.kind !== 'fileTooLarge') return checked
    if (!isCanvasReadable()) return err({ kind: 'canvasUnreadable' })
    const smaller = await shrinkPicture(file)
    return smaller ? ok({ file: smaller, type: 'image/jpeg' }) : checked
  } catch {
    // The user chose a folder, or has moved the file since.
    return err({ kind: 'fileUnreadable' })
  }
}

/** Null if the file is not a picture or stays too large. */
async function shrinkPicture(file: File): Promise<File | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  for (const longSide of LONG_SIDES) {
    const scale = Math.min(1, longSide / Math.max(picture.width, picture.height))
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    if (!context) return null
    // Transparent parts of a PNG would be black in a JPEG.
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
    if (smaller && smaller.size <= MAX_IDENTITY_FILE_BYTES)
      return new File([smaller], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
  }
  return null
}

const MEGABYTE = 1024 * 1024

/** Formats the size as '2,4 Mo' or '310 ko'. */
export function formatFileSize(bytes: number, locale: string): string {
  const [value, unit] = bytes < MEGABYTE / 10 ? [bytes / 1024, 'kilobyte'] : [bytes / MEGABYTE, 'megabyte']
  const maximumFractionDigits = value < 10 ? 1 : 0
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits }).format(value)
}
