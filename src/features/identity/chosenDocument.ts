import { checkIdentityFile, type DocumentProblem, TELLING_BYTES } from '../../../domain/identity.ts'
import { err, ok, type Result } from '../../../domain/result.ts'
import type { ChosenDocument } from '../../actors/identityUpload.ts'

/** Reads what a chosen file is from its bytes. Specification, section 5. */
export async function readDocument(file: File): Promise<Result<ChosenDocument, DocumentProblem>> {
  const bytes = async (part: Blob) => new Uint8Array(await part.arrayBuffer())
  try {
    const [start, end] = await Promise.all([
      bytes(file.slice(0, TELLING_BYTES)),
      bytes(file.slice(-TELLING_BYTES)),
    ])
    const checked = checkIdentityFile({ size: file.size, start, end })
    return checked.ok ? ok({ file, type: checked.value }) : checked
  } catch {
    // This is a folder, or a file that was moved away since it was chosen.
    return err({ kind: 'fileTypeUnsupported' })
  }
}

/** A size as a person reads it: '2,4 Mo', '310 ko'. */
export function formatSize(bytes: number, locale: string): string {
  const [value, unit] = bytes < 100_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte']
  const maximumFractionDigits = value < 10 ? 1 : 0
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits }).format(value)
}
